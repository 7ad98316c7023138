// Elects a leader through a PostgreSQL lock. A leader stops its work before the server could give the lock to
// another process.
import { pause } from '../../kernel/abort.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log/logger.ts';
import { type LeaderElection, type LeaderWork, runTerms, runTurn, type TermEnd } from './leader-election.ts';
import { LEASE_TIMES, type LeaseTimes, type LockSession, openLockSession } from './postgres-lock-session.ts';

interface PostgresLeaderElectionOptions {
  /**
   * `postgres://…`; a secret. Must not point to a pooler in transaction mode, with which no process would lead
   * for long.
   */
  readonly url: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly times?: LeaseTimes;
}

/** An election, with the names for which this process leads or campaigns. */
interface PostgresLeaderElection extends Pick<LeaderElection, 'lead'> {
  readonly names: () => readonly string[];
}

/** Creates an election, which opens one connection per name for which this process leads or campaigns. */
export const createPostgresLeaderElection = ({
  url,
  clock,
  logger,
  times = LEASE_TIMES,
}: PostgresLeaderElectionOptions): PostgresLeaderElection => {
  const campaigns = new Set<string>();

  /** Waits for the lock. Returns false if `signal` is aborted first. Rejects if the session is lost. */
  const acquire = async (
    session: LockSession,
    signal: AbortSignal,
    onAsked: () => void,
  ): Promise<boolean> => {
    while (!signal.aborted) {
      const acquired = await session.tryAcquire();
      onAsked();
      if (acquired) return true;
      await pause(clock, times.tryEveryMs, signal);
    }
    return false;
  };

  /** Resolves once the lock may be lost, or when `ended` is aborted. */
  const watch = async (session: LockSession, ended: AbortSignal): Promise<void> => {
    for (;;) {
      await pause(clock, times.askEveryMs, ended);
      if (ended.aborted) return;
      const held = await Promise.race([
        session.holds().catch(() => false),
        clock.sleep(times.responseWithinMs, ended).catch(() => false),
      ]);
      if (held !== true) return;
    }
  };

  /** Runs `work` until it ends or the lock may be lost. Holds the lock until the work has ended. */
  const workWhileHeld = async (
    session: LockSession,
    name: string,
    work: LeaderWork,
    signal: AbortSignal,
  ): Promise<TermEnd> => {
    const lost = new AbortController();
    const ended = new AbortController();
    const watching = watch(session, ended.signal).then(() => {
      if (ended.signal.aborted) return;
      if (!signal.aborted) logger.warn({ role: name }, 'leadership may be lost; another process takes over');
      lost.abort(new Error('leadership may be lost'));
    });
    logger.info({ role: name }, 'this process leads');
    const end = await runTurn(name, work, AbortSignal.any([signal, lost.signal]), logger);
    ended.abort();
    await watching;
    return end;
  };

  /** Runs one term. Calls `asked` if the server responded, and `refused` if it did not. */
  const turn = async (
    name: string,
    work: LeaderWork,
    signal: AbortSignal,
    report: { readonly asked: () => void; readonly refused: (error: unknown) => void },
  ): Promise<TermEnd> => {
    let session: LockSession | null = null;
    try {
      session = await openLockSession(url, name, times, clock);
      const leads = await acquire(session, signal, report.asked);
      return leads ? await workWhileHeld(session, name, work, signal) : 'again';
    } catch (error) {
      if (!signal.aborted) report.refused(error);
      return 'again';
    } finally {
      await session?.end();
    }
  };

  return {
    names: () => [...campaigns],
    lead: async (name, work, signal) => {
      campaigns.add(name);
      let away = false;
      const report = {
        asked: () => {
          away = false;
        },
        // Logged once per outage and with the error's code only, because server messages contain users and
        // hosts.
        refused: (error: unknown) => {
          const { code, message = '' } = error as { code?: string; message?: string };
          const reason = code ?? (/timeout/i.test(message) ? 'no response' : 'unknown reason');
          if (!away)
            logger.warn({ role: name, reason }, 'could not read the leader from PostgreSQL; retrying');
          away = true;
        },
      };
      await runTerms(() => turn(name, work, signal, report), clock, signal);
      campaigns.delete(name);
    },
  };
};
