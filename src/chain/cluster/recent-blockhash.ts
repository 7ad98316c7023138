// Provides a recent blockhash, cached under load but never older than a third of its lifetime.
import { AppError } from '../../kernel/app-error.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { RecentBlockhash } from '../ports.ts';
import { latestBlockhashCall } from '../rpc/rpc-calls.ts';
import { asUnavailable, type RpcPool } from '../rpc/rpc-pool.ts';

/**
 * Age in blocks from which a request triggers a refresh in the background. Signing by hand takes time, so
 * callers need young blockhashes.
 */
const RENEW_BLOCKS = 10;
/**
 * Age in blocks beyond which a blockhash is not handed out if a newer one can be read. Reading one takes no
 * longer than reading the accounts for the same request.
 */
const YOUNG_BLOCKS = 20;
/**
 * Number of blockhashes kept for `lastValidBlockHeightOf`. At one blockhash per 10 blocks, they cover
 * thirteen lifetimes.
 */
const REMEMBERED = 200;
/** Lifetime of a blockhash in blocks. */
const LIFE_BLOCKS = 150;
/**
 * Block time, in ms, assumed for estimating a blockhash's expiry until the real one has been measured: the
 * block time of the fastest cluster.
 */
const ASSUMED_BLOCK_MS = 200;
/**
 * Block time, in ms, assumed when deciding whether to refresh: the block time of the fastest sandbox. At 20
 * ms per block, a blockhash is valid for 3 s, and an unnecessary read costs less than a refused transaction.
 */
const QUICKEST_BLOCK_MS = 20;

/** Pause in ms between reads while the wallet has already used every available blockhash. */
const NEXT_BLOCK_PAUSE_MS = 100;
/** Maximum total wait in ms for a new blockhash: 50 blocks of 200 ms. */
const MAX_WAIT_MS = 10_000;

/** Provides blockhashes. Reads them only on demand, so an unused provider costs nothing. */
export interface BlockhashKeeper {
  /**
   * With `signer`, returns a blockhash that this process has not yet used for that wallet, and waits for the
   * next block if necessary. With a used blockhash, a repeated change would be the same transaction, and its
   * second submission would return the outcome of the first. Throws `AppError('UPSTREAM_UNAVAILABLE')` if the
   * cached blockhash is too old or used, and no node returns a new one.
   */
  readonly get: (signal: AbortSignal, signer?: string) => Promise<RecentBlockhash>;
  /** Records that `signer` sends a transaction with this blockhash. */
  readonly use: (blockhash: string, signer: string) => void;
  readonly lastValidBlockHeightOf: (blockhash: string) => bigint | undefined;
  /**
   * Returns the mean time between blocks in ms, on which `estimatedExpiresAtMs` is based. Jumps in the slot
   * number have no effect.
   */
  readonly blockDurationMs: () => number;
  /**
   * Reads a blockhash newer than `blockhash`, which later callers then get. Throws
   * `AppError('UPSTREAM_UNAVAILABLE')` if no node returns one.
   */
  readonly renew: (blockhash: string, signal: AbortSignal) => Promise<void>;
}

interface Remembered {
  readonly lastValidBlockHeight: bigint;
  /** Wallets that sent a transaction with this blockhash. */
  readonly usedBy: Set<string>;
}

interface Held extends Omit<RecentBlockhash, 'estimatedExpiresAtMs' | 'blockHeight'> {
  readonly readAtMs: number;
  /** Time of the steady clock, in ms. */
  readonly startedAtMs: number;
}

/**
 * Creates the provider. `signal` ends background reads. `onHeight` receives block heights, from which the
 * slot duration can be measured.
 */
export const createBlockhashKeeper = (deps: {
  pool: RpcPool;
  clock: Clock;
  signal: AbortSignal;
  onHeight?: (height: bigint, atMs: number) => void;
}): BlockhashKeeper => {
  const { pool, clock, signal: closing, onHeight } = deps;
  const remembered = new Map<string, Remembered>();
  let held: Held | undefined;
  let measuredMs: number | undefined;

  const remember = ({ blockhash, lastValidBlockHeight }: Held) => {
    const usedBy = remembered.get(blockhash)?.usedBy ?? new Set();
    remembered.delete(blockhash);
    remembered.set(blockhash, { lastValidBlockHeight, usedBy });
    for (const oldest of remembered.keys()) {
      if (remembered.size <= REMEMBERED) break;
      remembered.delete(oldest);
    }
  };

  let start: { height: bigint; atMs: number } | undefined;
  /**
   * Measures the block rate from two readings at least half a second and four blocks apart. Jumps in the slot
   * number have no effect.
   */
  const measure = (lastValidBlockHeight: bigint, atMs: number) => {
    if (start === undefined || lastValidBlockHeight < start.height)
      start = { height: lastValidBlockHeight, atMs };
    const blocks = Number(lastValidBlockHeight - start.height);
    const elapsedMs = atMs - start.atMs;
    if (blocks < 4 || elapsedMs < 500) return;
    measuredMs = Math.max(1, elapsedMs / blocks);
    if (elapsedMs > 10_000) start = { height: lastValidBlockHeight, atMs };
  };

  const blockDurationMs = () => measuredMs ?? ASSUMED_BLOCK_MS;
  const ageBlocks = ({ startedAtMs }: Held, unmeasuredMs: number): number =>
    (clock.steadyNow() - startedAtMs) / (measuredMs ?? unmeasuredMs);
  const isOld = (one: Held): boolean => ageBlocks(one, ASSUMED_BLOCK_MS) >= LIFE_BLOCKS / 3;

  const read = async (signal: AbortSignal): Promise<Held> => {
    try {
      const readAtMs = clock.now();
      const startedAtMs = clock.steadyNow();
      const { context, value } = await pool.call(latestBlockhashCall('confirmed'), { signal });
      measure(value.lastValidBlockHeight, startedAtMs);
      onHeight?.(value.lastValidBlockHeight, readAtMs);
      const fresh: Held = { ...value, slot: context.slot, readAtMs, startedAtMs };
      remember(fresh);
      // The responses of two nodes can arrive out of order. The blockhash that expires later is kept, unless it
      // is too old.
      if (held === undefined || held.lastValidBlockHeight <= fresh.lastValidBlockHeight || isOld(held))
        held = fresh;
      return held;
    } catch (error) {
      throw asUnavailable(error);
    }
  };

  const youngest = async (signal: AbortSignal): Promise<Held> => {
    const now = held;
    if (now === undefined) return read(signal);
    const age = ageBlocks(now, QUICKEST_BLOCK_MS);
    if (age < YOUNG_BLOCKS) {
      if (age >= RENEW_BLOCKS) read(closing).catch(() => undefined);
      return now;
    }
    try {
      return await read(signal);
    } catch (error) {
      signal.throwIfAborted();
      if (isOld(now)) throw error;
      return now;
    }
  };

  const unusedBy = async (signer: string, signal: AbortSignal): Promise<Held> => {
    const isUsed = ({ blockhash }: Held) => remembered.get(blockhash)?.usedBy.has(signer) === true;
    const startedAtMs = clock.steadyNow();
    let one = await youngest(signal);
    if (isUsed(one)) one = await read(signal);
    while (isUsed(one)) {
      if (clock.steadyNow() - startedAtMs > MAX_WAIT_MS) throw noNewerBlockhash();
      await clock.sleep(NEXT_BLOCK_PAUSE_MS, signal);
      one = await read(signal);
    }
    return one;
  };

  return {
    get: async (signal, signer) => {
      signal.throwIfAborted();
      const { blockhash, lastValidBlockHeight, slot, readAtMs } = await (signer === undefined
        ? youngest(signal)
        : unusedBy(signer, signal));
      return {
        blockhash,
        lastValidBlockHeight,
        blockHeight: lastValidBlockHeight - BigInt(LIFE_BLOCKS),
        slot,
        estimatedExpiresAtMs: Math.round(readAtMs + LIFE_BLOCKS * blockDurationMs()),
      };
    },
    use: (blockhash, signer) => void remembered.get(blockhash)?.usedBy.add(signer),
    lastValidBlockHeightOf: (blockhash) => remembered.get(blockhash)?.lastValidBlockHeight,
    blockDurationMs,
    renew: async (blockhash, signal) => {
      if ((await read(signal)).blockhash === blockhash) throw noNewerBlockhash();
    },
  };
};

const noNewerBlockhash = (): AppError =>
  new AppError(
    'UPSTREAM_UNAVAILABLE',
    'The RPC has not provided a new blockhash since this wallet’s last transaction. Nothing was built.',
    { reason: 'NO_NEW_BLOCKHASH', suggestedAction: 'Try again in a few seconds.', retryAfterSeconds: 5 },
  );
