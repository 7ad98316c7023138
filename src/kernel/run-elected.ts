// Runs background work repeatedly, in one elected process or in every process. Handles pause, wake-up, failure logging and stop.
import { pause } from './abort.ts';
import type { Clock } from './clock.ts';
import type { Logger } from './log/logger.ts';
import { createOutageLog } from './log/outage-log.ts';

/** Time between two runs, in ms: constant, or computed from the duration of the last run. */
type Pause = number | ((tookMs: number) => number);

/** Dependencies of background work. */
export interface RunnerOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Stops the work permanently. */
  readonly signal: AbortSignal;
}

/** The part of a leader election that the runner uses. */
interface Election {
  readonly lead: (
    name: string,
    work: (signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ) => Promise<void>;
}

/** Work in progress. */
export interface BackgroundWork {
  /** Ends the pause, but not before `MIN_PAUSE_MS`. A wake-up during a run causes another run after it. */
  readonly wake: () => void;
  /** Resolves once the signal is aborted and the last run has ended. Never rejects. */
  readonly ended: Promise<void>;
}

/**
 * Minimum pause after each run, no matter how often the work is woken. Shorter configured pauses are kept.
 */
const MIN_PAUSE_MS = 1_000;

/** Pending wake-up, shared by all terms of a process. */
class Alarm {
  #pause = new AbortController();

  readonly ring = (): void => this.#pause.abort();

  /** Returns a signal that aborts at the next wake-up. */
  set(): AbortSignal {
    this.#pause = new AbortController();
    return this.#pause.signal;
  }
}

const repeat = async (
  name: string,
  every: Pause,
  run: () => Promise<void>,
  alarm: Alarm,
  { clock, logger, signal }: RunnerOptions,
): Promise<void> => {
  const outage = createOutageLog({ clock, logger, context: { role: name }, subject: 'background work' });
  while (!signal.aborted) {
    const startedMs = clock.steadyNow();
    const woken = alarm.set();
    try {
      await run();
      outage.succeeded();
    } catch (error) {
      if (signal.aborted) return;
      outage.failed(error);
    }
    const endedMs = clock.steadyNow();
    const pauseMs = typeof every === 'number' ? every : every(endedMs - startedMs);
    await pause(clock, Math.min(MIN_PAUSE_MS, pauseMs), signal);
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
  const alarm = new Alarm();
  return { wake: alarm.ring, ended: repeat(name, every, () => run(options.signal), alarm, options) };
};

/**
 * Runs work in the process elected for `name`. `begin` starts a term and returns the work with that term's state, which it must release
 * when its signal is aborted.
 */
export const runElected = (
  name: string,
  every: Pause,
  begin: (signal: AbortSignal) => () => Promise<void>,
  { leadership, ...options }: RunnerOptions & { readonly leadership: Election },
): BackgroundWork => {
  const alarm = new Alarm();
  const term = (signal: AbortSignal): Promise<void> =>
    repeat(name, every, begin(signal), alarm, { ...options, signal });
  return { wake: alarm.ring, ended: leadership.lead(name, term, options.signal) };
};
