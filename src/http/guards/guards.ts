// Creates the header checks. The server runs them before the body is read, in the same order for all targets.
import type { IncomingMessage } from 'node:http';
import type { Browsers, Target } from '../../adapter/exchange.ts';
import type { AppError } from '../../kernel/app-error.ts';
import type { HttpConfig } from '../pipeline/http-config.ts';
import { createClientAddresses } from './client-address.ts';
import { corsHeaders, type OriginFacts, refuseForeignOrigin } from './cors.ts';
import { createDnsRebindingGuard, singleHostHeader } from './dns-rebinding-guard.ts';
import { forwardedOverHttps, requireTlsForKeys } from './require-tls-for-keys.ts';

/** Guards of a server. Each check returns the refusal of a request, or null if it may proceed. */
interface Guards {
  /** Returns the rate-limit key of the caller's network. */
  readonly clientOf: (request: IncomingMessage) => string;
  /** Returns the CORS headers of a response, as alternating names and values. */
  readonly corsHeaders: (request: IncomingMessage, target: Target) => readonly string[];
  /** Checks that the `Host` is one of ours. */
  readonly refuseHost: (request: IncomingMessage) => AppError | null;
  /**
   * Checks that the calling page may use `target`, and that the connection is private if the body contains a
   * secret key.
   */
  readonly refuseCaller: (request: IncomingMessage, target: Target) => AppError | null;
  /** Checks that a secret key may be sent over this connection. */
  readonly refuseKey: (request: IncomingMessage) => AppError | null;
}

/** Creates the guards. `publicUrl` is the resolved public URL. */
export const createGuards = (config: HttpConfig, publicUrl: string): Guards => {
  const clients = createClientAddresses(config.trustedProxies);
  const checkHost = createDnsRebindingGuard({
    bindHost: config.host,
    publicUrl,
    allowedHosts: config.allowedHosts,
  });
  const checkTransport = requireTlsForKeys(config.sandboxMode || config.oneShotLoopback);
  const publicOrigin = new URL(publicUrl).origin;

  const originFacts = ({ socket, headers }: IncomingMessage): OriginFacts => ({
    origin: headers.origin,
    host: headers.host,
    https: clients.peerOf(socket).trustedProxy && forwardedOverHttps(headers),
    publicOrigin,
    allowedOrigins: config.allowedOrigins,
  });
  const refuseOrigin = (request: IncomingMessage, browsers: Browsers): AppError | null =>
    browsers === 'public' ? null : refuseForeignOrigin(browsers, originFacts(request));
  const refuseKey = ({ socket, headers }: IncomingMessage): AppError | null =>
    checkTransport(clients.peerOf(socket), headers);

  return {
    clientOf: ({ socket, headers }) => clients.clientOf(clients.peerOf(socket), headers).rateKey,
    corsHeaders: (request, target) =>
      target.corsHeaders ?? corsHeaders(target.browsers, originFacts(request)),
    refuseHost: ({ headers, rawHeaders }) => checkHost(singleHostHeader(headers.host, rawHeaders)),
    refuseCaller: (request, { browsers, carriesSecretKey }) =>
      refuseOrigin(request, browsers) ?? (carriesSecretKey === true ? refuseKey(request) : null),
    refuseKey,
  };
};
