// Runs background work in the one process that is elected for it.
import {
  type BackgroundWork,
  type Pause,
  type RunnerOptions,
  repeatUntilAborted,
  WakeUps,
} from './run-repeatedly.ts';

/** The part of leader election that the runner uses. */
interface Election {
  readonly lead: (
    name: string,
    work: (signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ) => Promise<void>;
}

/**
 * Runs work in the process elected for `name`. `begin` starts a term and returns the work with the state of
 * that term. The work must release that state when its signal is aborted.
 */
export const runElected = (
  name: string,
  every: Pause,
  begin: (signal: AbortSignal) => () => Promise<void>,
  { leadership, ...options }: RunnerOptions & { readonly leadership: Election },
): BackgroundWork => {
  const wakeUps = new WakeUps();
  const term = (signal: AbortSignal): Promise<void> =>
    repeatUntilAborted(name, every, begin(signal), wakeUps, { ...options, signal });
  return { wake: wakeUps.wake, ended: leadership.lead(name, term, options.signal) };
};
