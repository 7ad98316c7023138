// Resolves a name for one connection and rejects it unless every address is allowed.
import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { AttemptFailure } from '../delivery/attempt-outcome.ts';

/** Resolves the addresses of a name. Rejects if it has none. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

const QUERY_TIMEOUT_MS = 2_500;
const TRIES = 2;
const LOCALHOST = /(?:^|\.)localhost\.?$/i;

interface NameResolverOptions {
  /**
   * If true, names without a DNS response are also looked up in the machine's hosts file, as operators of
   * private networks expect.
   */
  readonly hostsFile: boolean;
  /** `address:port` of name servers. Default: the machine's name servers. */
  readonly servers?: readonly string[];
}

/**
 * Creates a resolver. Uses c-ares, because `getaddrinfo` would block one of Node's four worker threads while an
 * outsider's name server does not respond.
 */
export const createNameResolver =
  ({ hostsFile, servers }: NameResolverOptions): ResolveName =>
  async (name) => {
    if (LOCALHOST.test(name)) return ['127.0.0.1', '::1'];
    // A new resolver reads the machine's current name servers.
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    if (!hostsFile) throw new AttemptFailure('name-not-found');
    return (await systemLookup(name, { all: true })).map(({ address }) => address);
  };

type LookupCallback = (
  error: Error | null,
  addresses: { address: string; family: number }[] | string,
  family?: number,
) => void;

/**
 * Creates a `lookup` for `node:net`. One forbidden address rejects the whole response, so a name server cannot
 * mix it with allowed ones.
 */
export const guardedLookup =
  (resolve: ResolveName, mayReach: (address: string) => boolean) =>
  (name: string, options: { readonly all?: boolean | undefined }, callback: LookupCallback): void => {
    resolve(name)
      .catch(() => {
        throw new AttemptFailure('name-not-found');
      })
      .then((addresses) => {
        if (addresses.length === 0) throw new AttemptFailure('name-not-found');
        if (!addresses.every(mayReach)) throw new AttemptFailure('target-not-allowed');
        return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      })
      .then(
        (entries) =>
          options.all ? callback(null, entries) : callback(null, entries[0]!.address, entries[0]!.family),
        (error: Error) => callback(error, []),
      );
  };
