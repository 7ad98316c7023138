// Runs background work repeatedly in this process. Handles pauses, wake-ups, failure logging and stopping.
import { pause } from './abort.ts';
import type { Clock } from './clock.ts';
import type { Logger } from './log/logger.ts';
import { createOutageLog } from './log/outage-log.ts';

/** Time between two runs, in ms: constant, or computed from the duration of the last run. */
export type Pause = number | ((tookMs: number) => number);

export interface RunnerOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Stops the work permanently. */
  readonly signal: AbortSignal;
}

export interface BackgroundWork {
  /**
   * Ends the pause, but not before `MIN_PAUSE_MS` or, after failures, the growing minimum pause has passed. A
   * wake-up during a run causes another run after it.
   */
  readonly wake: () => void;
  /** Resolves once the signal is aborted and the last run has ended. Never rejects. */
  readonly ended: Promise<void>;
}

/**
 * Minimum pause after each run, no matter how often the work is woken. Does not lengthen shorter configured
 * pauses.
 */
const MIN_PAUSE_MS = 1_000;
/**
 * Upper limit of the minimum pause. The minimum doubles with each consecutive failure, because work with a short
 * pause would otherwise flood a node that returns unusable responses with three calls per run.
 */
const MAX_FAILURE_PAUSE_MS = 20_000;

/** Wake-ups of one piece of work, shared by all terms of a process. */
export class WakeUps {
  #pause = new AbortController();

  readonly wake = (): void => this.#pause.abort();

  /** Returns a signal that aborts at the next wake-up. */
  next(): AbortSignal {
    this.#pause = new AbortController();
    return this.#pause.signal;
  }
}

/** Runs work until the signal is aborted, with a pause after each run. */
export const repeatUntilAborted = async (
  name: string,
  every: Pause,
  run: () => Promise<void>,
  wakeUps: WakeUps,
  { clock, logger, signal }: RunnerOptions,
): Promise<void> => {
  const outage = createOutageLog({ clock, logger, context: { role: name }, subject: 'background work' });
  let failures = 0;
  while (!signal.aborted) {
    const startedMs = clock.steadyNow();
    const woken = wakeUps.next();
    try {
      await run();
      failures = 0;
      outage.succeeded();
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      outage.failed(error);
    }
    const endedMs = clock.steadyNow();
    const pauseMs = typeof every === 'number' ? every : every(endedMs - startedMs);
    const minPauseMs = Math.min(MIN_PAUSE_MS, pauseMs) * 2 ** Math.max(0, failures - 1);
    await pause(clock, Math.min(minPauseMs, MAX_FAILURE_PAUSE_MS), signal);
    const restMs = endedMs + pauseMs - clock.steadyNow();
    if (restMs > 0) await pause(clock, restMs, AbortSignal.any([signal, woken]));
  }
};

/** Runs work in this process. A failed run is logged and repeated. */
export const runRepeatedly = (
  name: string,
  every: Pause,
  run: (signal: AbortSignal) => Promise<void>,
  options: RunnerOptions,
): BackgroundWork => {
  const wakeUps = new WakeUps();
  return {
    wake: wakeUps.wake,
    ended: repeatUntilAborted(name, every, () => run(options.signal), wakeUps, options),
  };
};
