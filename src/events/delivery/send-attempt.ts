// One POST to one callback: bounded in time and bytes, never redirected, never decoded, and reported in fixed words.
import type { Dispatcher } from 'undici';
import { BoundedMap } from '../../kernel/bounded-map.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { AttemptOutcome } from '../../store/outbox/outbox.ts';
import { AttemptFailure, outcomeOfError } from './attempt-failure.ts';

/** What is sent. */
export interface OutgoingPost {
  /** WHATWG href. */
  readonly callbackUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What came of it. */
export interface Receipt {
  readonly outcome: AttemptOutcome;
  /** Null where no answer came. */
  readonly status: number | null;
  /** Of the answer's body, at most 65,536. */
  readonly answerBytes: number;
  /** What a 429 or 503 asked for, ms. */
  readonly retryAfterMs: number | null;
}

/** Sends. Never rejects. `signal` ends it as `interrupted`. */
export type SendAttempt = (post: OutgoingPost, signal: AbortSignal) => Promise<Receipt>;

/** From the first look at the name to the last byte of the answer. */
export const ATTEMPT_TIMEOUT_MS = 15_000;
/** More of an answer is not read: nothing in it is looked at. */
const MAX_ANSWER_BYTES = 65_536;

const outcomeOfStatus = (status: number): AttemptOutcome => {
  if (status >= 200 && status < 300) return 'delivered';
  if (status === 410) return 'gone';
  return status >= 300 && status < 400 ? 'redirect' : 'refused-status';
};

/** `Date.parse` takes far more than HTTP dates; all of those begin with a day's name. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;
/** The oldest form of them names none, and means this one; `Date.parse` would take it for the machine's own. */
const ZONE = /(?:GMT|UTC?|Z|[+-]\d{4})$/;

/** `Retry-After` as RFC 9110 has it, whole seconds or a date: milliseconds from `nowMs` on, never negative; null for what is neither. */
export const parseRetryAfter = (text: string | undefined, nowMs: number): number | null => {
  const asked = text?.trim() ?? '';
  if (/^\d+$/.test(asked)) return Number(asked) * 1_000;
  const atMs = HTTP_DATE.test(asked) ? Date.parse(ZONE.test(asked) ? asked : `${asked} GMT`) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
};

/** One attempt as undici reports it; settles once. */
class Attempt implements Dispatcher.DispatchHandler {
  readonly #clock: Clock;
  readonly #resolve: (receipt: Receipt) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #ended: AttemptOutcome | null = null;
  #settled = false;
  #status: number | null = null;
  #answerBytes = 0;
  #retryAfterMs: number | null = null;

  constructor(clock: Clock, resolve: (receipt: Receipt) => void) {
    this.#clock = clock;
    this.#resolve = resolve;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It waited for a connection for as long as it may.
    if (this.#ended !== null) controller.abort(new AttemptFailure(this.#ended));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    if (status === 429 || status === 503)
      this.#retryAfterMs = parseRetryAfter([headers['retry-after']].flat()[0], this.#clock.now());
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#answerBytes += chunk.length;
    if (this.#answerBytes < MAX_ANSWER_BYTES) return;
    this.#answerBytes = MAX_ANSWER_BYTES;
    this.#settle(outcomeOfStatus(this.#status!));
    controller.abort(new Error('enough was read'));
  }

  onResponseEnd(): void {
    this.#settle(outcomeOfStatus(this.#status!));
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#settle(
      this.#status === null ? outcomeOfError(error) : this.#outcomeOfBrokenAnswer('connection-failed'),
    );
  }

  /** Ends it from outside. */
  stop(outcome: 'timeout' | 'interrupted'): void {
    this.#ended = outcome;
    const slow = outcome === 'timeout' ? 'answer-too-slow' : outcome;
    this.#settle(this.#status === null ? outcome : this.#outcomeOfBrokenAnswer(slow));
    this.#controller?.abort(new AttemptFailure(outcome));
  }

  /** A refusal is one however its text goes on; an acceptance counts when it is whole. */
  #outcomeOfBrokenAnswer(broken: AttemptOutcome): AttemptOutcome {
    const outcome = outcomeOfStatus(this.#status!);
    return outcome === 'delivered' ? broken : outcome;
  }

  #settle(outcome: AttemptOutcome): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#resolve({
      outcome,
      status: this.#status,
      answerBytes: this.#answerBytes,
      retryAfterMs: this.#retryAfterMs,
    });
  }
}

/** Callbacks whose parts are remembered. */
const REMEMBERED = 10_000;

interface Target {
  readonly origin: string;
  readonly path: string;
}

const createTargets = (): ((callbackUrl: string) => Target) => {
  const known = new BoundedMap<string, Target>(REMEMBERED);
  return (callbackUrl) => {
    const remembered = known.get(callbackUrl);
    if (remembered) return remembered;
    const { origin, pathname, search } = new URL(callbackUrl);
    const target = { origin, path: pathname + search };
    known.set(callbackUrl, target);
    return target;
  };
};

/** Sends by `dispatcher`, which checks where it connects to. */
export const createSendAttempt = (dispatcher: Dispatcher, clock: Clock): SendAttempt => {
  const targetOf = createTargets();
  const interruptible = new WeakMap<AbortSignal, Set<Attempt>>();
  /** One listener for all attempts of a signal: a listener for each costs as much as the signature. */
  const attemptsOf = (signal: AbortSignal): Set<Attempt> => {
    const known = interruptible.get(signal);
    if (known) return known;
    const attempts = new Set<Attempt>();
    interruptible.set(signal, attempts);
    signal.addEventListener(
      'abort',
      () => {
        for (const attempt of [...attempts]) attempt.stop('interrupted');
      },
      { once: true },
    );
    return attempts;
  };
  return ({ callbackUrl, headers, body }, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) {
        resolve({ outcome: 'interrupted', status: null, answerBytes: 0, retryAfterMs: null });
        return;
      }
      const { origin, path } = targetOf(callbackUrl);
      const attempts = attemptsOf(signal);
      const settled = new AbortController();
      const attempt = new Attempt(clock, (receipt) => {
        attempts.delete(attempt);
        settled.abort();
        resolve(receipt);
      });
      attempts.add(attempt);
      clock.sleep(ATTEMPT_TIMEOUT_MS, settled.signal).then(
        () => attempt.stop('timeout'),
        () => undefined,
      );
      dispatcher.dispatch({ origin, path, method: 'POST', headers, body }, attempt);
    });
};
