// Accepts a secret key only over TLS, or from this machine if that is allowed. Decides from the headers, before
// the body is read.
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../kernel/app-error.ts';
import type { ErrorReason } from '../../kernel/error-reasons.ts';
import type { Peer } from './client-address.ts';
import { isLoopbackHost } from './dns-rebinding-guard.ts';

// Headers that prove that a proxy forwarded the request. They include `via`, because a plain HTTP proxy could
// read the request.
const FORWARDING_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-server',
  'x-forwarded-ssl',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-envoy-external-address',
  'x-original-forwarded-for',
  'cf-connecting-ip',
  'true-client-ip',
  'fly-client-ip',
  'front-end-https',
] as const;

const allAre = (value: string, wanted: string): boolean =>
  value.split(',').every((part) => part.trim().toLowerCase() === wanted);

/** True if a configured proxy reports that every previous hop used TLS. */
export const forwardedOverHttps = (headers: IncomingHttpHeaders): boolean => {
  const proto = headers['x-forwarded-proto'];
  return (
    proto !== undefined && allAre(String(proto), 'https') && !/proto="?http\b/i.test(headers.forwarded ?? '')
  );
};

const refusal = (reason: ErrorReason<'INSECURE_TRANSPORT'>, why: string): AppError =>
  new AppError('INSECURE_TRANSPORT', `${why} Treat the secret key in this request as exposed.`, {
    reason,
    suggestedAction:
      'Move the funds to a new wallet. From now on use HTTPS or the unsigned builders, which never see a key.',
  });

/** Checks a request that contains a secret key. Returns its refusal, or null if the body may be read. */
type TransportGuard = (peer: Peer, headers: IncomingHttpHeaders) => AppError | null;

/**
 * Creates the guard. `loopbackAllowed` permits plain HTTP from this machine, in sandbox mode or if enabled by
 * the operator.
 */
export const requireTlsForKeys =
  (loopbackAllowed: boolean): TransportGuard =>
  (peer, headers) => {
    if (peer.trustedProxy)
      return forwardedOverHttps(headers)
        ? null
        : refusal(
            'PROXY_WITHOUT_TLS',
            'The proxy in front of this service did not receive this request over HTTPS.',
          );
    if (FORWARDING_HEADERS.some((name) => headers[name] !== undefined))
      return refusal(
        'UNKNOWN_PROXY',
        'This request was forwarded by a proxy that the operator did not configure.',
      );
    if (loopbackAllowed && peer.address.loopback && isLoopbackHost(headers.host)) return null;
    return refusal('PLAIN_HTTP', 'This request came over plain HTTP.');
  };
