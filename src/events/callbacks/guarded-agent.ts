// HTTP agent for callbacks. Checks each address when connecting, uses no proxy and follows no redirects.
import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { Agent, buildConnector } from 'undici';
import { AttemptFailure } from '../delivery/attempt-outcome.ts';
import { type CallbackUrlRules, portOf } from './callback-url-rules.ts';
import { guardedLookup, type ResolveName } from './guarded-dns-lookup.ts';

/** Dependencies. */
interface GuardedAgentOptions {
  readonly mayReach: CallbackUrlRules['mayReach'];
  readonly resolve: ResolveName;
  /** Replaces Node's certificate authorities in tests. */
  readonly ca?: ConnectionOptions['ca'];
}

const CONNECT_TIMEOUT_MS = 10_000;
/**
 * Idle connections are closed soon, because receivers get several events when an epoch ends and then usually
 * none until the next one ends.
 */
const KEEP_ALIVE_MS = 10_000;
const MAX_HEADER_BYTES = 16_384;

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

/**
 * Creates a connector that refuses forbidden addresses before anything is sent. Names are resolved by its own
 * lookup, and the socket connects only to the addresses that were checked, which prevents DNS rebinding.
 * Literal addresses skip the lookup and are checked first.
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
      // Set explicitly, because an environment variable could disable it.
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

/**
 * True if a connection failed because of TLS. Once the transport is connected, all failures except a disconnect
 * concern certificates or ciphers.
 */
const isTlsFault = (error: Error): boolean =>
  !(
    'code' in error &&
    ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'].includes(String(error.code))
  );

/**
 * Creates the agent for all deliveries. The owner must destroy it. It limits only the time to connect; the
 * sender limits the rest.
 */
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
