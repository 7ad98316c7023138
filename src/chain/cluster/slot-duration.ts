// Measures the slot duration from the cluster's samples, or by observation where there are none.
import { isAppError } from '../../kernel/app-error.ts';
import type { Clock } from '../../kernel/clock.ts';
import { blockHeightCall } from '../rpc/rpc-calls.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { RpcPool } from '../rpc/rpc-pool.ts';
import { performanceSamplesSchema } from '../rpc/rpc-schemas.ts';

/** Mean, shortest and longest slot of the last minutes, ms. */
export interface SlotTime {
  readonly slotDurationMs: number;
  readonly fastestSlotMs: number;
  readonly slowestSlotMs: number;
}

/** Ten samples are ten minutes on Agave, which takes one a minute: asking oftener shows nothing new. */
const SAMPLES = 10;
/** A sample of fewer slots says nothing: its period is rounded to whole seconds. */
const LEAST_SLOTS = 10;
const FRESH_MS = 60_000;
/** Own measurement: enough blocks for a rate within some percent. */
const LEAST_MEASURED_MS = 1_000;
const MARK_AGE_MS = 60_000;

/** Creates the measurer; `signal` ends refreshes under way. */
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
  let mark: { height: bigint; atMs: number } | undefined;
  let measured: SlotTime | undefined;
  let refreshing: Promise<SlotTime> | undefined;

  /** Learns from a height somebody read anyway. Heights, unlike slot numbers, do not jump where a local runtime travels in time. */
  const note = (height: bigint, atMs: number): void => {
    // A clock that was set back measures nothing: it begins anew.
    if (mark === undefined || height < mark.height || atMs < mark.atMs) mark = { height, atMs };
    const blocks = Number(height - mark.height);
    const elapsedMs = atMs - mark.atMs;
    if (elapsedMs < LEAST_MEASURED_MS || blocks < 1) return;
    const blockMs = elapsedMs / blocks;
    measured = {
      slotDurationMs: blockMs,
      fastestSlotMs: Math.min(blockMs, measured?.fastestSlotMs ?? blockMs),
      slowestSlotMs: Math.max(blockMs, measured?.slowestSlotMs ?? blockMs),
    };
    if (elapsedMs > MARK_AGE_MS) {
      mark = { height, atMs };
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
        if (!isMissing && cached === undefined && measured === undefined && mark === undefined) throw error;
        return [];
      });
    const usable = samples.filter((s) => s.numSlots >= LEAST_SLOTS && s.samplePeriodSecs > 0);
    if (usable.length === 0) return undefined;
    const each = usable.map((s) => (s.samplePeriodSecs * 1000) / s.numSlots);
    const slots = usable.reduce((sum, s) => sum + s.numSlots, 0);
    const seconds = usable.reduce((sum, s) => sum + s.samplePeriodSecs, 0);
    return {
      slotDurationMs: (seconds * 1000) / slots,
      fastestSlotMs: Math.min(...each),
      slowestSlotMs: Math.max(...each),
    };
  };

  /** Two heights a second apart; only before anything else is known. */
  const byWatching = async (signal: AbortSignal): Promise<SlotTime> => {
    while (measured === undefined) {
      note(await pool.call(blockHeightCall('processed'), { signal }), clock.now());
      if (measured === undefined) await clock.sleep(LEAST_MEASURED_MS, signal);
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
    /** The cached measurement, renewed in the background when it is older than a minute; waits only for the very first. */
    get: async (signal: AbortSignal): Promise<SlotTime> => {
      signal.throwIfAborted();
      if (cached === undefined) return refresh(closing);
      if (clock.steadyNow() - cached.atMs > FRESH_MS) refresh(closing).catch(() => undefined);
      return cached.time;
    },
  };
};
