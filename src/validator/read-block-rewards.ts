// Adds up the fees that the validator received for its blocks, epoch by epoch, a few leader slots at a time.
import type { Address } from '@solana/kit';
import type { EpochPosition } from '../chain/ports.ts';
import { AppError } from '../kernel/app-error.ts';
import type { EpochSample } from '../store/validator-samples.ts';
import { createChainCache } from './chain-cache.ts';
import { nullIfUnavailable } from './null-if-unavailable.ts';
import type { ValidatorSources } from './validator-sources.ts';

/** Number of leader slots per poll. With a poll every 20 s, this suffices for a tenth of all leader slots. */
const SLOTS_AT_ONCE = 16;
/** Number of slots after which a block counts as final. */
const FINAL_AFTER_SLOTS = 64n;
/** Pause after a failed attempt to read a block. */
const RETRY_MS = 15 * 60_000;

/** Number of slots in a row that one leader produces or skips. */
const LEADER_SLOTS = 4n;

type BlockRewardSources = Pick<ValidatorSources, 'chain' | 'rewards' | 'samples' | 'clock'>;

/**
 * Sums the fees of these leader slots. Returns null if a block cannot be read, or if no block pays anything,
 * because the node then does not report rewards. A missing block counts as skipped only if the cluster counts
 * it as skipped, because nodes can also lose blocks.
 */
const feesOf = async (
  { chain, rewards }: BlockRewardSources,
  identity: Address,
  slots: readonly bigint[],
  signal: AbortSignal,
): Promise<bigint | null> => {
  let sum = 0n;
  let found = 0;
  for (const slot of slots) {
    const lamports = await rewards.blockRewardLamports(slot, { signal });
    if (lamports === null) return null;
    if (lamports === 'missing') continue;
    sum += lamports;
    found += 1;
  }
  if (found > 0 && sum === 0n) return null;
  if (found === slots.length) return sum;
  const produced = await chain.blocksBetween(identity, slots[0]!, slots.at(-1)!, { signal });
  return produced === found ? sum : null;
};

/**
 * Starts a term of reading. Each call reads at most `SLOTS_AT_ONCE` blocks, from the previous epoch while its
 * last slots are unread, and from the current one afterwards. Progress is stored with the sums.
 */
export const beginReadingBlockRewards = (
  sources: BlockRewardSources,
): ((identity: Address, position: EpochPosition, signal: AbortSignal) => Promise<void>) => {
  const { chain, samples, clock } = sources;
  const retryAtMs = new Map<bigint, number>();

  /** Returns false if there is currently nothing to read in this epoch. */
  const readNext = async (
    identity: Address,
    row: EpochSample,
    { firstSlot, finalSlot }: { readonly firstSlot: bigint; readonly finalSlot: bigint },
    signal: AbortSignal,
  ): Promise<boolean> => {
    const { epoch, blockRewardsSlot, blockRewardsLamports, leaderSlotsUnread } = row;
    if (leaderSlotsUnread === 0 || clock.now() < (retryAtMs.get(epoch) ?? 0)) return false;
    const all = await nullIfUnavailable(chain.leaderSlots(identity, firstSlot, { signal }));
    if (all === null) return false;
    const unread = blockRewardsSlot === null ? all : all.filter((slot) => slot > blockRewardsSlot);
    const slots = unread.filter((slot) => slot <= finalSlot).slice(0, SLOTS_AT_ONCE);
    if (slots.length === 0 && all.length > 0) return false;
    const fees = slots.length === 0 ? 0n : await nullIfUnavailable(feesOf(sources, identity, slots, signal));
    if (fees === null) {
      retryAtMs.set(epoch, clock.now() + RETRY_MS);
      return false;
    }
    await samples.recordEpochs([
      {
        epoch,
        blockRewardsLamports: (blockRewardsLamports ?? 0n) + fees,
        blockRewardsSlot: slots.at(-1) ?? null,
        leaderSlotsUnread: unread.length - slots.length,
      },
    ]);
    return true;
  };

  return async (identity, { epoch, absoluteSlot, slotIndex, slotsInEpoch }, signal) => {
    const firstSlot = absoluteSlot - slotIndex;
    const finalSlot = absoluteSlot - FINAL_AFTER_SLOTS;
    const rows = await samples.epochs(2);
    // Skipped slots of an ended epoch cannot be verified, so an epoch is only completed if reading had
    // already begun.
    const previous = rows.find((row) => row.epoch === epoch - 1n && row.leaderSlotsUnread !== null);
    const current = rows.find((row) => row.epoch === epoch);
    if (
      previous &&
      (await readNext(identity, previous, { firstSlot: firstSlot - slotsInEpoch, finalSlot }, signal))
    )
      return;
    if (current) await readNext(identity, current, { firstSlot, finalSlot }, signal);
  };
};

/**
 * Returns false if the node serves blocks without their rewards. Throws `AppError('UPSTREAM_UNAVAILABLE')`
 * while this is unknown.
 */
export type ReadBlockRewardsServed = (signal: AbortSignal) => Promise<boolean>;

/** Creates a check of one recent final block by any leader, because every block pays fees to its leader. */
export const createBlockRewardsCheck = ({
  cluster,
  rewards,
  clock,
  lifetime,
}: Pick<ValidatorSources, 'cluster' | 'rewards' | 'clock' | 'lifetime'>): ReadBlockRewardsServed => {
  const served = createChainCache({
    freshMs: RETRY_MS,
    clock,
    lifetime,
    load: async (signal) => {
      const { absoluteSlot } = await cluster.recentEpochPosition(signal);
      const final = absoluteSlot - FINAL_AFTER_SLOTS;
      for (let slot = final; slot >= 0n && slot > final - 2n * LEADER_SLOTS; slot -= 1n) {
        const lamports = await rewards.blockRewardLamports(slot, { signal });
        if (lamports !== null && lamports !== 'missing') return lamports > 0n;
      }
      throw new AppError('UPSTREAM_UNAVAILABLE', 'No RPC node has one of the newest final blocks.', {
        reason: 'NO_FINAL_BLOCK',
      });
    },
  });
  return (signal) => served.read(signal);
};
