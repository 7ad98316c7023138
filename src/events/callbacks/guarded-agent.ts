// The HTTP agent for callbacks: validates each address at connect time, uses no proxy and follows no redirects.
import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { Agent, buildConnector } from 'undici';
import { AttemptFailure } from '../delivery/attempt-failure.ts';
import { type CallbackUrlRules, portOf } from './callback-url-rules.ts';
import { guardedLookup, type ResolveName } from './guarded-dns-lookup.ts';

/** What it is made from. */
interface GuardedAgentOptions {
  readonly mayReach: CallbackUrlRules['mayReach'];
  readonly resolve: ResolveName;
  /** Certificate authorities instead of Node's own; for tests. */
  readonly ca?: ConnectionOptions['ca'];
}

const CONNECT_TIMEOUT_MS = 10_000;
/** Receivers get several events at an epoch's end, then none for days. */
const KEEP_ALIVE_MS = 10_000;
const MAX_HEADER_BYTES = 16_384;

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

/**
 * A connector that refuses before anything is sent. The lookup is its own: the addresses it judges are those that the socket then connects to, so a
 * name that changes its meaning gains nothing. Literal addresses never reach a lookup, and are judged first.
 */
export const guardedConnector =
  ({ mayReach, resolve, ca }: GuardedAgentOptions): buildConnector.connector =>
  (options, callback) => {
    const { protocol } = options;
    const hostname = bare(options.hostname);
    const port = portOf(options);
    const allows = (address: string): boolean => mayReach({ address, protocol, port });
    if (isIP(hostname) !== 0 && !allows(hostname)) {
      callback(new AttemptFailure('target-not-allowed'), null);
      return;
    }
    let transportIsUp = false;
    const connect = buildConnector({
      timeout: CONNECT_TIMEOUT_MS,
      allowH2: false,
      // Written out, so that no environment variable turns it off.
      rejectUnauthorized: true,
      lookup: guardedLookup(resolve, allows) as never,
      ...(ca === undefined ? {} : { ca }),
    });
    const socket = connect({ ...options, hostname }, (...[error, connected]) => {
      if (error === null) callback(null, connected);
      else callback(transportIsUp && isTlsFault(error) ? new AttemptFailure('tls-failed') : error, null);
    }) as unknown as NodeJS.EventEmitter | undefined;
    if (protocol === 'https:') socket?.once('connect', () => (transportIsUp = true));
  };

/** Once the transport stands, all but its breaking off is a matter of certificates and ciphers. */
const isTlsFault = (error: Error): boolean =>
  !(
    'code' in error &&
    ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'].includes(String(error.code))
  );

/** The agent of all deliveries; its owner destroys it. Deadlines are the sender's. */
export const createGuardedAgent = (options: GuardedAgentOptions): Agent =>
  new Agent({
    connect: guardedConnector(options),
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    allowH2: false,
  });
