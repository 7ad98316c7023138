// A recent blockhash without a round trip: refreshed in the background while asked for, never handed out after a third of its life.
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import { steadyClock } from '../../kernel/steady-clock.ts';
import type { RecentBlockhash } from '../ports.ts';
import { blockHeightCall, latestBlockhashCall } from '../rpc/rpc-calls.ts';
import { asUnavailable, type RpcPool } from '../rpc/rpc-pool.ts';

/** Refreshed after this many blocks; its life is 150, so a third is 50. */
const REFRESH_BLOCKS = 10;
/** Refreshing stops when nobody has asked for a blockhash this long, ms: an idle service costs its provider nothing. */
const IDLE_AFTER_MS = 60_000;
/** Kept for `lastValidBlockHeightOf`: at one blockhash per 10 blocks this covers thirteen lives. */
const REMEMBERED = 200;
const SHORTEST_PAUSE_MS = 150;
const LONGEST_PAUSE_MS = 4_000;
/** Until measured, blocks are taken to be as quick as the quickest cluster: the error is then on the side of reading more often. */
const ASSUMED_BLOCK_MS = 200;

/** The blockhash keeper. Its loop runs only while blockhashes are in demand. */
export interface BlockhashKeeper {
  /** Throws `AppError('UPSTREAM_UNAVAILABLE')` when the one at hand is too old and no node gives a new one. */
  readonly get: (signal: AbortSignal) => Promise<RecentBlockhash>;
  readonly lastValidBlockHeightOf: (blockhash: string) => bigint | undefined;
}

interface Held extends Omit<RecentBlockhash, 'estimatedExpiresAtMs'> {
  readonly readAtMs: number;
  /** When a third of its life is over, by the quickest block rate measured, ms; of the steady clock. */
  readonly staleAtMs: number;
}

/** Creates the keeper; `signal` ends its loop. */
export const createBlockhashKeeper = (deps: {
  pool: RpcPool;
  clock: Clock;
  logger: Logger;
  signal: AbortSignal;
}): BlockhashKeeper => {
  const { pool, clock, logger, signal: closing } = deps;
  const steady = steadyClock(clock);
  const remembered = new Map<string, bigint>();
  let held: Held | undefined;
  let lifeBlocks: number | undefined;
  let blockMs = ASSUMED_BLOCK_MS;
  let askedAtMs = 0;
  let looping = false;

  const remember = ({ blockhash, lastValidBlockHeight }: Held) => {
    remembered.delete(blockhash);
    remembered.set(blockhash, lastValidBlockHeight);
    for (const oldest of remembered.keys()) {
      if (remembered.size <= REMEMBERED) break;
      remembered.delete(oldest);
    }
  };

  /** Block rate from two readings at least half a second and four blocks apart; jumps of the slot number do not disturb it. */
  let mark: { height: bigint; atMs: number } | undefined;
  const measure = (lastValidBlockHeight: bigint, atMs: number) => {
    if (mark === undefined || lastValidBlockHeight < mark.height)
      mark = { height: lastValidBlockHeight, atMs };
    const blocks = Number(lastValidBlockHeight - mark.height);
    const elapsedMs = atMs - mark.atMs;
    if (blocks < 4 || elapsedMs < 500) return;
    blockMs = Math.max(1, elapsedMs / blocks);
    if (elapsedMs > 10_000) mark = { height: lastValidBlockHeight, atMs };
  };

  const read = async (signal: AbortSignal): Promise<Held> => {
    try {
      const readAtMs = clock.now();
      const startedAtMs = steady.now();
      const [{ context, value }, height] = await Promise.all([
        pool.call(latestBlockhashCall('confirmed'), { signal }),
        lifeBlocks === undefined ? pool.call(blockHeightCall('confirmed'), { signal }) : undefined,
      ]);
      if (height !== undefined) lifeBlocks = Math.max(1, Number(value.lastValidBlockHeight - height));
      measure(value.lastValidBlockHeight, startedAtMs);
      const fresh: Held = {
        ...value,
        slot: context.slot,
        readAtMs,
        staleAtMs: startedAtMs + ((lifeBlocks ?? 150) / 3) * blockMs,
      };
      remember(fresh);
      // A node a little behind may answer after one ahead: the blockhash that lives longer stays, while it is young enough.
      if (
        held === undefined ||
        held.lastValidBlockHeight <= fresh.lastValidBlockHeight ||
        steady.now() >= held.staleAtMs
      )
        held = fresh;
      return held;
    } catch (error) {
      throw asUnavailable(error);
    }
  };

  const loop = async (): Promise<void> => {
    looping = true;
    try {
      while (!closing.aborted && steady.now() - askedAtMs < IDLE_AFTER_MS) {
        await clock.sleep(
          Math.min(Math.max(blockMs * REFRESH_BLOCKS, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS),
          closing,
        );
        await read(closing).catch((error: unknown) => {
          if (!closing.aborted) logger.debug({ err: error }, 'blockhash refresh failed');
        });
      }
    } catch (error) {
      if (!closing.aborted) throw error;
    } finally {
      looping = false;
    }
  };

  return {
    get: async (signal) => {
      signal.throwIfAborted();
      askedAtMs = steady.now();
      const now = held;
      const answer = now !== undefined && askedAtMs < now.staleAtMs ? now : await read(signal);
      if (!looping && !closing.aborted) void loop();
      const { blockhash, lastValidBlockHeight, slot, readAtMs } = answer;
      return {
        blockhash,
        lastValidBlockHeight,
        slot,
        estimatedExpiresAtMs: Math.round(readAtMs + (lifeBlocks ?? 150) * blockMs),
      };
    },
    lastValidBlockHeightOf: (blockhash) => remembered.get(blockhash),
  };
};
