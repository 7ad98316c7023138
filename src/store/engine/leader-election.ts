// Leader election: one process at a time runs a named piece of work, and another one takes over when that
// process fails.
import { pause } from '../../kernel/abort.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log/logger.ts';

/** Elects one process per name. */
export interface LeaderElection {
  /**
   * Waits until this process leads under `name`, then runs `work` until `signal` is aborted. The signal
   * passed to `work` is also aborted when leadership may be lost; `work` must then end within 2 s, and runs
   * again when this process leads again.
   *
   * Another process leads no earlier than 2 s after that abort, unless this whole process was suspended
   * (SIGSTOP, a frozen virtual machine). The writes of `work` must therefore be safe to repeat.
   *
   * Resolves once `work` has ended, either normally or after `signal` was aborted. Never rejects: if `work`
   * throws, the error is logged and `work` runs again.
   */
  readonly lead: (name: string, work: LeaderWork, signal: AbortSignal) => Promise<void>;
  /**
   * Lists the names for which this process campaigns but no process leads. Rejects with
   * `AppError('STORE_UNAVAILABLE')` if this cannot be determined.
   */
  readonly unheld: () => Promise<readonly string[]>;
}

/** The leader's work. It must end soon after its signal is aborted. */
export type LeaderWork = (signal: AbortSignal) => Promise<void>;

/** Reason why a term ended. `again`: leadership was lost, or the work failed. */
export type TermEnd = 'done' | 'again';

/**
 * Pause between two terms of one process, in ms: short compared with a takeover, but long enough to slow down
 * repeated failures.
 */
const PAUSE_MS = 1_000;

/** Runs terms until the work is done or `signal` is aborted. */
export const runTerms = async (
  turn: () => Promise<TermEnd>,
  clock: Pick<Clock, 'sleep'>,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    if ((await turn()) === 'done') return;
    await pause(clock, PAUSE_MS, signal);
  }
};

/** Runs `work` once. Never rejects. */
export const runTurn = async (
  name: string,
  work: LeaderWork,
  signal: AbortSignal,
  logger: Logger,
): Promise<TermEnd> => {
  try {
    await work(signal);
    return signal.aborted ? 'again' : 'done';
  } catch (error) {
    if (!signal.aborted) logger.error({ err: error, role: name }, 'elected work failed; restarting it');
    return 'again';
  }
};

/** Creates the election for a store with a single process, which always leads. */
export const createSoleLeaderElection = (clock: Pick<Clock, 'sleep'>, logger: Logger): LeaderElection => ({
  lead: (name, work, signal) => runTerms(() => runTurn(name, work, signal, logger), clock, signal),
  unheld: async () => [],
});
