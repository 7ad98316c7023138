// Everything that is judged from a request's headers before any of its body is read, in one order for all routes.
import type { AppError } from '../../kernel/app-error.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import type { HttpConfig } from '../pipeline/http-config.ts';
import { createClientAddresses } from './client-address.ts';
import { corsHeaders, type OriginFacts, refuseForeignOrigin } from './cors.ts';
import { createHostGuard, soleHost } from './host-guard.ts';
import type { RateDecision, RateLimit } from './rate-limit.ts';
import { createTransportGuard, saysHttps } from './transport-guard.ts';

/**
 * Sets the headers that the answer will carry, whatever it is, and says why the request may not pass; null when it may.
 * `counted`: the rate limit counts it.
 */
export type Guards = (exchange: Exchange, counted: boolean) => AppError | null | Promise<AppError | null>;

/** `publicUrl` is the resolved one. */
export const createGuards = (config: HttpConfig, publicUrl: string, rateLimit: RateLimit): Guards => {
  const clients = createClientAddresses(config.trustedProxies);
  const judgeHost = createHostGuard({ bindHost: config.host, publicUrl, allowedHosts: config.allowedHosts });
  const judgeTransport = createTransportGuard(config.sandboxMode || config.oneShotLoopback);
  const publicOrigin = new URL(publicUrl).origin;

  return (exchange, counted) => {
    const { route, request } = exchange;
    const { headers } = request;
    const browsers = exchange.mount?.browsers ?? route?.browsers ?? 'public';
    const peer = clients.peerOf(request.socket);
    const facts: OriginFacts = {
      origin: headers.origin,
      host: headers.host,
      https: peer.trustedProxy && saysHttps(headers),
      publicOrigin,
      allowedOrigins: config.allowedOrigins,
    };
    const client = clients.clientOf(peer, headers).rateKey;
    exchange.client = client;
    exchange.judgeTransport = () => judgeTransport(peer, headers);
    exchange.corsHeaders = exchange.mount?.corsHeaders ?? corsHeaders(browsers, facts);
    const judge = (rate: RateDecision | null): AppError | null => {
      if (rate !== null) exchange.rateHeaders = rate.headers;
      return (
        rate?.refusal ??
        judgeHost(soleHost(headers.host, request.rawHeaders)) ??
        refuseForeignOrigin(browsers, facts) ??
        (route?.carriesSecretKey === true ? judgeTransport(peer, headers) : null)
      );
    };
    const rate = counted ? rateLimit(client) : null;
    return rate instanceof Promise ? rate.then(judge) : judge(rate);
  };
};
