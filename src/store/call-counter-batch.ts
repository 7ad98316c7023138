// Counts calls in memory and writes the counts to the store once a second.
import { pause } from '../kernel/abort.ts';
import type { Clock } from '../kernel/clock.ts';
import type { OutageLog } from '../kernel/log/outage-log.ts';
import type { Counters } from './call-counters.ts';

const FLUSH_INTERVAL_MS = 1_000;

interface CounterBatchOptions {
  readonly counters: Counters;
  readonly clock: Clock;
  /** Logs failed flushes, whose counts are written with the next one. */
  readonly outage?: OutageLog;
}

export interface CounterBatch {
  /**
   * Counts a call. Never waits and never fails. `endpoint` must come from a fixed set of names, such as `GET
   * /health`, because each name is stored permanently.
   */
  readonly count: (endpoint: string) => void;
  /** Returns the stored plus the pending counts. Rejects like `Counters.all`. */
  readonly totals: () => Promise<ReadonlyMap<string, number>>;
  /** Stops after one last flush. Never rejects. Safe to repeat. */
  readonly close: () => Promise<void>;
}

/** Creates an empty batch. No timer runs while no counts are pending. */
export const createCounterBatch = ({ counters, clock, outage }: CounterBatchOptions): CounterBatch => {
  let pending = new Map<string, number>();
  let timer: Promise<void> | null = null;
  const closing = new AbortController();

  // Writes are serialized, so a reader sees each count either in the store or as pending.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  const flush = async (): Promise<void> => {
    const flushed = pending;
    if (flushed.size === 0) return;
    pending = new Map();
    try {
      await counters.add(flushed);
      outage?.succeeded();
    } catch (error) {
      for (const [endpoint, count] of flushed) increase(pending, endpoint, count);
      outage?.failed(error);
    }
  };
  const flushWhileCounting = async (): Promise<void> => {
    while (pending.size > 0 && !closing.signal.aborted) {
      await pause(clock, FLUSH_INTERVAL_MS, closing.signal);
      await inTurn(flush);
    }
    timer = null;
  };

  return {
    count: (endpoint) => {
      increase(pending, endpoint, 1);
      if (!closing.signal.aborted) timer ??= flushWhileCounting();
    },
    totals: () =>
      inTurn(async () => {
        const totals = new Map(await counters.all());
        for (const [endpoint, count] of pending) increase(totals, endpoint, count);
        return totals;
      }),
    close: async () => {
      closing.abort();
      await timer;
      await inTurn(flush);
    },
  };
};

const increase = (counts: Map<string, number>, endpoint: string, by: number): void => {
  counts.set(endpoint, (counts.get(endpoint) ?? 0) + by);
};
