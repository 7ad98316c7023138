// Sends one POST request to one callback: limited in time and size, without redirects or decoding, with a fixed
// set of outcomes.
import { type Dispatcher, request } from 'undici';
import { orAbort } from '../../kernel/abort.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { AttemptOutcome } from '../../store/outbox/outbox.ts';
import { AttemptFailure, outcomeOfError, outcomeOfStatus } from './attempt-outcome.ts';

export interface OutgoingPost {
  /** URL in WHATWG-normalized form. */
  readonly callbackUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SentAttempt {
  readonly outcome: AttemptOutcome;
  /** Null if there was no response. */
  readonly status: number | null;
  /** Number of bytes of the response body, at most 65,536. */
  readonly answerBytes: number;
  /** Delay requested by a 429 or 503 response, in ms. */
  readonly retryAfterMs: number | null;
}

/** Sends the request. Never rejects. If `signal` is aborted, the outcome is `interrupted`. */
export type SendAttempt = (post: OutgoingPost, signal: AbortSignal) => Promise<SentAttempt>;

/** Time limit from the DNS lookup to the last byte of the response. */
export const ATTEMPT_TIMEOUT_MS = 15_000;
/** Maximum number of bytes read from a response. The content is not used, so the rest is ignored. */
const MAX_ANSWER_BYTES = 65_536;

/**
 * Matches the start of an HTTP date, which is always a weekday, because `Date.parse` accepts far more than HTTP
 * dates.
 */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;
/**
 * Matches a time zone at the end. The oldest date format has none and means GMT, but `Date.parse` would assume
 * the machine's.
 */
const ZONE = /(?:GMT|UTC?|Z|[+-]\d{4})$/;

/** Parses `Retry-After` (RFC 9110): whole seconds or a date. Returns milliseconds from `nowMs`, never negative; null if invalid. */
export const parseRetryAfter = (text: string | undefined, nowMs: number): number | null => {
  const asked = text?.trim() ?? '';
  if (/^\d+$/.test(asked)) return Number(asked) * 1_000;
  const atMs = HTTP_DATE.test(asked) ? Date.parse(ZONE.test(asked) ? asked : `${asked} GMT`) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
};

/**
 * Returns the outcome of an attempt that failed with `error` after receiving `status`. A refusal counts even if
 * its response is incomplete; an acceptance must be complete.
 */
const outcomeOfBroken = (status: number | null, error: unknown, signal: AbortSignal): AttemptOutcome => {
  const cut = outcomeOfError(signal.aborted ? signal.reason : error);
  if (status === null) return cut;
  const outcome = outcomeOfStatus(status);
  if (outcome !== 'delivered') return outcome;
  return cut === 'timeout' ? 'answer-too-slow' : cut;
};

/** Creates a sender. `dispatcher` must check the addresses that it connects to. */
export const createSendAttempt =
  (dispatcher: Dispatcher, clock: Clock): SendAttempt =>
  async ({ callbackUrl, headers, body }, interrupted) => {
    const [settled, stopped] = [new AbortController(), new AbortController()];
    const { signal } = stopped;
    const interrupt = (): void => stopped.abort(new AttemptFailure('interrupted'));
    if (interrupted.aborted) interrupt();
    interrupted.addEventListener('abort', interrupt, { once: true, signal: settled.signal });
    clock.sleep(ATTEMPT_TIMEOUT_MS, settled.signal).then(
      () => stopped.abort(new AttemptFailure('timeout')),
      () => undefined,
    );
    let [status, answerBytes, retryAfterMs]: [number | null, number, number | null] = [null, 0, null];
    const receipt = (outcome: AttemptOutcome): SentAttempt => ({
      outcome,
      status,
      answerBytes,
      retryAfterMs,
    });
    try {
      signal.throwIfAborted();
      const post = request(callbackUrl, { dispatcher, method: 'POST', headers, body, signal });
      // undici checks the signal of a queued request only once a connection is available, and does not send an
      // aborted one.
      const response = await orAbort(post, signal);
      status = response.statusCode;
      if (status === 429 || status === 503)
        retryAfterMs = parseRetryAfter([response.headers['retry-after']].flat()[0], clock.now());
      for await (const chunk of response.body) {
        answerBytes = Math.min(answerBytes + chunk.length, MAX_ANSWER_BYTES);
        if (answerBytes === MAX_ANSWER_BYTES) break;
      }
      return receipt(outcomeOfStatus(status));
    } catch (error) {
      return receipt(outcomeOfBroken(status, error, signal));
    } finally {
      settled.abort();
    }
  };
