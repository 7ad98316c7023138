// Classifies a provider failure in one word, never with its URL, which may hold a key.
import { answerTimeoutCodes, neverArrivedCodes } from '../kernel/connection-errors.ts';

/** The providers, by the name that messages use. */
export type ProviderName = 'stakewiz' | 'jito';

/**
 * Why there is no answer. `unreachable`: no connection. `timeout`: no whole answer in time. `reset`: cut in the middle. `http-error`: a
 * status other than 200, redirects included. `rate-limited`: 429. `not-found`: 404. `too-large`: more bytes than are read. `garbage`: not
 * the documented shape. `closed`: the service is stopping.
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

/** A provider that gave nothing usable. It carries no cause: what sockets and parsers say may quote the URL or the body. */
export class ProviderFailure extends Error {
  readonly word: ProviderFailureWord;

  constructor(word: ProviderFailureWord) {
    super(`The provider failed: ${word}`);
    this.name = 'ProviderFailure';
    this.word = word;
  }
}

/** The failure behind whatever a request threw. */
export const failureOf = (error: unknown): ProviderFailure => {
  if (error instanceof ProviderFailure) return error;
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (neverArrivedCodes.has(code)) return new ProviderFailure('unreachable');
  return new ProviderFailure(answerTimeoutCodes.has(code) ? 'timeout' : 'reset');
};
