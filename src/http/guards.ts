// Everything that is judged from a request's headers before any of its body is read, in one order for all routes.
import type { AppError } from '../kernel/app-error.ts';
import { createClientAddresses } from './client-address.ts';
import { corsHeaders, type OriginFacts, refuseForeignOrigin } from './cors.ts';
import type { Exchange } from './exchange.ts';
import { createHostGuard } from './host-guard.ts';
import type { HttpConfig } from './http-config.ts';
import { createRateLimit } from './rate-limit.ts';
import { createTransportGuard, saysHttps } from './transport-guard.ts';

/**
 * Sets the headers that the answer will carry, whatever it is, and says why the request may not pass; null when it may.
 * `counted`: the rate limit counts it.
 */
export type Guards = (exchange: Exchange, counted: boolean) => AppError | null;

/** `publicUrl` is the resolved one; `monotonicMs` feeds the rate limit. */
export const createGuards = (config: HttpConfig, publicUrl: string, monotonicMs: () => number): Guards => {
  const clients = createClientAddresses(config.trustedProxies);
  const rateLimit = createRateLimit(config.rateLimit, monotonicMs);
  const judgeHost = createHostGuard({ bindHost: config.host, publicUrl, allowedHosts: config.allowedHosts });
  const judgeTransport = createTransportGuard(config.sandboxMode || config.oneShotLoopback);
  const publicOrigin = new URL(publicUrl).origin;

  return (exchange, counted) => {
    const { route, request } = exchange;
    const { headers } = request;
    const browsers = route?.browsers ?? 'public';
    const peer = clients.peerOf(request.socket);
    const facts: OriginFacts = {
      origin: headers.origin,
      host: headers.host,
      https: peer.trustedProxy && saysHttps(headers),
      publicOrigin,
    };
    exchange.corsHeaders = corsHeaders(browsers, facts);
    const rate = counted ? rateLimit(clients.clientOf(peer, headers).rateKey) : null;
    if (rate !== null) exchange.rateHeaders = rate.headers;
    return (
      rate?.refusal ??
      judgeHost(headers.host) ??
      refuseForeignOrigin(browsers, facts) ??
      (route?.carriesSecretKey === true ? judgeTransport(peer, headers) : null)
    );
  };
};
