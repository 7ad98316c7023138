// Leader election: one process does a named piece of work, and another takes over when it is gone.
import { pause } from '../../kernel/abort.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';

/** Elects, for each name, the one process that works. */
export interface LeaderElection {
  /**
   * Waits until this process leads under `name`, then runs `work` until `signal` aborts. The signal given to `work` also aborts
   * when the lead may be lost; `work` must then end within 2 s, and is run anew when this process leads again.
   *
   * Another process leads no earlier than 2 s after that abort, unless this one was stopped as a whole (SIGSTOP, a frozen virtual
   * machine): what `work` writes must bear being written twice.
   *
   * Resolves when `work` ended by itself or after `signal` aborted, always after `work` has ended. Never rejects: `work` that throws
   * is logged and run again.
   */
  readonly lead: (name: string, work: LedWork, signal: AbortSignal) => Promise<void>;
}

/** What a leader does; it ends soon after its signal aborts. */
export type LedWork = (signal: AbortSignal) => Promise<void>;

/** How one turn of leading ended. `again`: the lead was lost, or the work failed. */
export type TurnEnd = 'done' | 'again';

/** Between two turns of one process: short against any takeover, long against a loop of failures. */
const PAUSE_MS = 1_000;

/** Takes turns until the work is done or `signal` aborts. */
export const takeTurns = async (
  turn: () => Promise<TurnEnd>,
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
  work: LedWork,
  signal: AbortSignal,
  logger: Logger,
): Promise<TurnEnd> => {
  try {
    await work(signal);
    return signal.aborted ? 'again' : 'done';
  } catch (error) {
    if (!signal.aborted) logger.error({ err: error, role: name }, 'elected work failed, and is begun again');
    return 'again';
  }
};

/** For a store that only one process serves: it always leads. */
export const createSoleLeaderElection = (clock: Pick<Clock, 'sleep'>, logger: Logger): LeaderElection => ({
  lead: (name, work, signal) => takeTurns(() => runTurn(name, work, signal, logger), clock, signal),
});
