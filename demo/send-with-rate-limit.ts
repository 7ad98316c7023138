// Sends requests, and waits for Retry-After if the rate limit is reached.
import { setTimeout as sleep } from 'node:timers/promises';

export type Send = (url: URL, init: RequestInit) => Promise<Response>;

export type Wait = (seconds: number) => Promise<void>;

/**
 * Maximum number of waits. Other processes on this machine may use up the limit of the next minutes as well,
 * but a fourth wait in a row means that something else is wrong.
 */
export const MAX_WAITS = 3;

/** Sends a request with a timeout of 90 seconds, longer than any submission can take. */
export const sendOnce: Send = (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(90_000) });

/**
 * Wraps `send` and repeats requests after a 429. That is safe, because a rate-limited request has had no
 * effect.
 */
export const patientSend =
  (wait: Wait, send: Send = sendOnce): Send =>
  async (url, init) => {
    for (let waits = 0; ; waits += 1) {
      const response = await send(url, init);
      const seconds = Number(response.headers.get('retry-after'));
      if (response.status !== 429 || !(seconds > 0) || waits === MAX_WAITS) return response;
      await response.body?.cancel();
      await wait(seconds);
    }
  };

/** Prints the duration of the wait, then waits. */
export const announcedWait =
  (tell: (line: string) => void): Wait =>
  async (seconds) => {
    tell(`…      rate limit reached; continuing in ${seconds} s (Retry-After)`);
    await sleep(seconds * 1_000);
  };
