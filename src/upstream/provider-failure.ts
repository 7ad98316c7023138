// Classifies provider failures in one word and without the URL, which may contain a key.
import { neverArrivedCodes, responseTimeoutCodes } from '../kernel/network/connection-errors.ts';

/** Names of the providers in messages. */
export type ProviderName = 'stakewiz' | 'jito';

/**
 * Reason why there is no usable response. `unreachable`: no connection. `timeout`: no complete response in
 * time. `reset`: connection lost during the response. `http-error`: a status other than 200, including
 * redirects. `rate-limited`: 429. `not-found`: 404. `too-large`: above the size limit. `garbage`: not the
 * documented shape. `closed`: the service is shutting down.
 */
export type ProviderFailureWord =
  | 'unreachable'
  | 'timeout'
  | 'reset'
  | 'http-error'
  | 'rate-limited'
  | 'not-found'
  | 'too-large'
  | 'garbage'
  | 'closed';

/**
 * A provider call without a usable result. It has no `cause`, because errors from sockets and parsers may
 * quote the URL or the body.
 */
export class ProviderFailure extends Error {
  readonly word: ProviderFailureWord;

  constructor(word: ProviderFailureWord) {
    super(`The provider failed: ${word}`);
    this.name = 'ProviderFailure';
    this.word = word;
  }
}

/** Converts any error of a request to a `ProviderFailure`. */
export const failureOf = (error: unknown): ProviderFailure => {
  if (error instanceof ProviderFailure) return error;
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (neverArrivedCodes.has(code)) return new ProviderFailure('unreachable');
  return new ProviderFailure(responseTimeoutCodes.has(code) ? 'timeout' : 'reset');
};
