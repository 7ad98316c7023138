// Provides a recent blockhash: cached under load, never older than a third of its lifetime.
import { AppError } from '../../kernel/app-error.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { RecentBlockhash } from '../ports.ts';
import { latestBlockhashCall } from '../rpc/rpc-calls.ts';
import { asUnavailable, type RpcPool } from '../rpc/rpc-pool.ts';

/** From this age on the next who asks has a younger one read in the background: whoever signs by hand needs the time. */
const RENEW_BLOCKS = 10;
/** Nothing older is handed out where a younger one can be had: reading it takes no longer than reading the accounts beside it. */
const YOUNG_BLOCKS = 20;
/** Remembered for `lastValidBlockHeightOf`: at one blockhash per 10 blocks this covers thirteen lives. */
const REMEMBERED = 200;
/** The runtime takes a blockhash for so many blocks. */
const LIFE_BLOCKS = 150;
/** Until measured, blocks are taken to be as quick as the quickest cluster where it is said when a blockhash expires … */
const ASSUMED_BLOCK_MS = 200;
/** … and as the quickest sandbox where it is asked whether a younger one is wanted: at 20 ms a blockhash lives 3 s, and one read too many costs less than one refusal. */
const QUICKEST_BLOCK_MS = 20;

/** Between two reads while the chain has no blockhash that a wallet has not used, ms … */
const NEXT_BLOCK_PAUSE_MS = 100;
/** … and for how long, ms: 50 blocks of 200 ms. */
const MOST_WAIT_MS = 10_000;

/** The blockhash keeper. It reads only when it is asked: nobody who does not ask costs anything. */
export interface BlockhashKeeper {
  /**
   * With `signer` one under which that wallet has sent nothing from here: the same change, asked for again, must not become the very same
   * transaction, whose second submission would be answered with the outcome of the first. Waits for the next block where it must. Throws
   * `AppError('UPSTREAM_UNAVAILABLE')` when the one at hand is too old, or used, and no node gives a new one.
   */
  readonly get: (signal: AbortSignal, signer?: string) => Promise<RecentBlockhash>;
  /** Notes that `signer` sends a transaction under this blockhash. */
  readonly use: (blockhash: string, signer: string) => void;
  readonly lastValidBlockHeightOf: (blockhash: string) => bigint | undefined;
}

interface Remembered {
  readonly lastValidBlockHeight: bigint;
  /** Wallets that sent something under it. */
  readonly usedBy: Set<string>;
}

interface Held extends Omit<RecentBlockhash, 'estimatedExpiresAtMs' | 'blockHeight'> {
  readonly readAtMs: number;
  /** Of the steady clock, ms. */
  readonly startedAtMs: number;
}

/** Creates the keeper; `signal` ends reads in the background. `onHeight` hears of heights by which slots can be timed. */
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

  /** Block rate from two readings at least half a second and four blocks apart; jumps of the slot number do not disturb it. */
  let mark: { height: bigint; atMs: number } | undefined;
  const measure = (lastValidBlockHeight: bigint, atMs: number) => {
    if (mark === undefined || lastValidBlockHeight < mark.height)
      mark = { height: lastValidBlockHeight, atMs };
    const blocks = Number(lastValidBlockHeight - mark.height);
    const elapsedMs = atMs - mark.atMs;
    if (blocks < 4 || elapsedMs < 500) return;
    measuredMs = Math.max(1, elapsedMs / blocks);
    if (elapsedMs > 10_000) mark = { height: lastValidBlockHeight, atMs };
  };

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
      // A node a little behind may answer after one ahead: the blockhash that lives longer stays, while it is young enough.
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
      if (clock.steadyNow() - startedAtMs > MOST_WAIT_MS) throw noNewerBlockhash();
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
        estimatedExpiresAtMs: Math.round(readAtMs + LIFE_BLOCKS * (measuredMs ?? ASSUMED_BLOCK_MS)),
      };
    },
    use: (blockhash, signer) => void remembered.get(blockhash)?.usedBy.add(signer),
    lastValidBlockHeightOf: (blockhash) => remembered.get(blockhash)?.lastValidBlockHeight,
  };
};

const noNewerBlockhash = (): AppError =>
  new AppError(
    'UPSTREAM_UNAVAILABLE',
    'The RPC has had no new blockhash since the last transaction of this wallet. Nothing was built.',
    { suggestedAction: 'Try again in a few seconds.', retryAfterSeconds: 5 },
  );
