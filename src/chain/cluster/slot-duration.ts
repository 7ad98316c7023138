// Measures the slot duration from the cluster's performance samples, or from block heights if there are none.
import { type SlotTime, slotTimeOf } from '../../domain/epoch-clock.ts';
import { isAppError } from '../../kernel/app-error.ts';
import type { Clock } from '../../kernel/clock.ts';
import { blockHeightCall } from '../rpc/rpc-calls.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { RpcPool } from '../rpc/rpc-pool.ts';
import { performanceSamplesSchema } from '../rpc/rpc-schemas.ts';

/**
 * Number of samples to request. Ten samples cover ten minutes on Agave, which takes one per minute. More
 * frequent requests return nothing new.
 */
const SAMPLES = 10;
const FRESH_MS = 60_000;
/** Minimum duration of our own measurement: enough blocks for an accuracy of a few percent. */
const MIN_MEASURED_MS = 1_000;
const MARK_AGE_MS = 60_000;

/** Creates a slot timer. `signal` ends refreshes in progress. */
export const createSlotTimer = ({
  pool,
  clock,
  signal: closing,
}: {
  pool: RpcPool;
  clock: Clock;
  signal: AbortSignal;
}) => {
  let cached: { time: SlotTime; atMs: number } | undefined;
  let start: { height: bigint; atMs: number } | undefined;
  let measured: SlotTime | undefined;
  let refreshing: Promise<SlotTime> | undefined;

  /**
   * Measures the slot duration from block heights that other reads returned. Unlike slot numbers, heights do
   * not jump when a local runtime travels in time.
   */
  const note = (height: bigint, atMs: number): void => {
    // Restarts the measurement if the clock was set back.
    if (start === undefined || height < start.height || atMs < start.atMs) start = { height, atMs };
    const blocks = Number(height - start.height);
    const elapsedMs = atMs - start.atMs;
    if (elapsedMs < MIN_MEASURED_MS || blocks < 1) return;
    const blockMs = elapsedMs / blocks;
    measured = {
      slotDurationMs: blockMs,
      fastestSlotMs: Math.min(blockMs, measured?.fastestSlotMs ?? blockMs),
      slowestSlotMs: Math.max(blockMs, measured?.slowestSlotMs ?? blockMs),
    };
    if (elapsedMs > MARK_AGE_MS) {
      start = { height, atMs };
      measured = { slotDurationMs: blockMs, fastestSlotMs: blockMs, slowestSlotMs: blockMs };
    }
  };

  const fromSamples = async (signal: AbortSignal): Promise<SlotTime | undefined> => {
    const samples = await pool
      .call(
        { method: 'getRecentPerformanceSamples', params: [SAMPLES], schema: performanceSamplesSchema },
        { signal },
      )
      .catch((error: unknown) => {
        signal.throwIfAborted();
        const cause = isAppError(error, 'UPSTREAM_UNAVAILABLE') ? error.cause : undefined;
        const isMissing = cause instanceof RpcError && cause.lasting;
        // A node that failed once may have stalled, and block heights read in the meantime would suggest slots
        // that last minutes.
        if (!isMissing && cached !== undefined) return 'unchanged';
        if (!isMissing && measured === undefined && start === undefined) throw error;
        return [];
      });
    if (samples === 'unchanged') return cached?.time;
    return slotTimeOf(samples);
  };

  /** Reads two heights a second apart. Used only if nothing has been measured yet. */
  const byWatching = async (signal: AbortSignal): Promise<SlotTime> => {
    while (measured === undefined) {
      note(await pool.call(blockHeightCall('processed'), { signal }), clock.now());
      if (measured === undefined) await clock.sleep(MIN_MEASURED_MS, signal);
    }
    return measured;
  };

  const refresh = (signal: AbortSignal): Promise<SlotTime> => {
    refreshing ??= (async () => {
      const time = (await fromSamples(signal)) ?? measured ?? cached?.time ?? (await byWatching(signal));
      cached = { time, atMs: clock.steadyNow() };
      return time;
    })().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  };

  return {
    note,
    /**
     * Returns the cached measurement and refreshes it in the background after a minute. Only waits for the
     * first one.
     */
    get: async (signal: AbortSignal): Promise<SlotTime> => {
      signal.throwIfAborted();
      if (cached === undefined) return refresh(closing);
      if (clock.steadyNow() - cached.atMs > FRESH_MS) refresh(closing).catch(() => undefined);
      return cached.time;
    },
  };
};
