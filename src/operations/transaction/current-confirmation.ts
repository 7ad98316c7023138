// Confirms a landed transaction without sentences that a later epoch has made untrue.
import { epochTiming } from '../../domain/epoch-clock.ts';
import { actsOf, confirmationOf, type StakeActName } from '../../domain/transaction/stake-acts.ts';
import { isAppError } from '../../kernel/app-error.ts';
import type { Sentence } from '../../kernel/sentence.ts';
import type { Context } from '../context.ts';
import type { KnownEffects } from './effects-of-sent-transaction.ts';

interface CurrentConfirmation {
  readonly sentences: readonly Sentence[];
  /** Null if the transaction starts no stake, if the epoch has ended, and if the epoch cannot be read. */
  readonly estimatedActiveAt: string | null;
}

/**
 * Stake operations after which stake becomes active. An undo is not one of them, because its stake stays
 * active.
 */
const STARTS_STAKE: ReadonlySet<string> = new Set<StakeActName>(['stake', 'restake', 'topUp']);

/** Codes of the sentences about when these stake operations take effect. */
const ACTIVATES: ReadonlySet<string> = new Set(['AFTER_STAKE', 'AFTER_RESTAKE', 'AFTER_TOP_UP']);

/**
 * Returns the confirmation of effects that landed in `slot`. `isRepeated` is true if they may have landed long
 * ago: unstaked SOL may then have been withdrawn, and the stake may be active. `unstaked` replaces the general
 * sentence about unstaked SOL.
 */
export const currentConfirmation = async (
  ctx: Context,
  landed: KnownEffects,
  slot: bigint | null,
  { isRepeated, unstaked }: { readonly isRepeated: boolean; readonly unstaked?: Sentence | undefined },
): Promise<CurrentConfirmation> => {
  const startsStake = actsOf(landed).acts.some(({ act }) => STARTS_STAKE.has(act));
  const epoch = startsStake ? await epochIfReadable(ctx) : null;
  const isEarlier = epoch === null ? isRepeated && startsStake : slot !== null && slot < epoch.firstSlot;
  return {
    sentences: confirmationOf(landed, unstaked).filter(
      ({ code }) => !(isEarlier && ACTIVATES.has(code)) && !(isRepeated && code === 'AFTER_UNSTAKE'),
    ),
    estimatedActiveAt: epoch === null || isEarlier ? null : epoch.estimatedEnd,
  };
};

/** Reads the epoch timing. Never rejects, because the transaction has already landed. */
const epochIfReadable = async (
  ctx: Context,
): Promise<{ readonly firstSlot: bigint; readonly estimatedEnd: string } | null> => {
  try {
    const position = await ctx.chain.cluster.recentEpochPosition(ctx.service.lifetime);
    return {
      firstSlot: position.absoluteSlot - position.slotIndex,
      estimatedEnd: epochTiming(position, ctx.clock.now()).estimatedEpochEnd,
    };
  } catch (error) {
    if (!isAppError(error, 'UPSTREAM_UNAVAILABLE'))
      ctx.logger.warn({ err: error }, 'the time at which a landed stake becomes active could not be read');
    return null;
  }
};
