// Reads everything that a transaction is built from in one round trip: limits, epoch, blockhash and the accounts involved.
import type { Address } from '@solana/kit';
import type { ChainAccount, ClusterLimits, EpochPosition, RecentBlockhash } from '../../chain/ports.ts';
import { type Notice, notice } from '../../domain/notice.ts';
import type { StakeHistory } from '../../domain/stake/stake-history.ts';
import { isAppError } from '../../kernel/app-error.ts';
import type { Context } from '../context.ts';
import { type ChosenPrice, choosePrice, type Priority } from './priority.ts';
import { unusedBlockhash } from './unused-blockhash.ts';

/** Chain facts that a builder needs. */
export interface BuildFacts {
  readonly limits: ClusterLimits;
  readonly position: EpochPosition;
  readonly blockhash: RecentBlockhash;
  /** Accounts in the requested order. Null if they could not be read and the caller allows that. */
  readonly accounts: readonly (ChainAccount | null)[] | null;
  /** Price per compute unit for transactions that write these accounts. */
  readonly price: ChosenPrice;
}

/** Number of blocks before the epoch boundary from which builders warn that a signed transaction may land in the next epoch. */
export const BOUNDARY_WARNING_SLOTS = 150n;

/**
 * Reads one snapshot, and a blockhash if none is cached. With `accountsOptional`, a failed read of the accounts gives `accounts: null`
 * instead of an error; limits, epoch and blockhash are always required. Estimates the price of `priority`; default: no fee. Throws `UPSTREAM_UNAVAILABLE`.
 * The returned blockhash is one under which `signer` has sent nothing. Omit `signer` only if every request produces different bytes,
 * as a stake does.
 */
export const readBuildFacts = async (
  ctx: Context,
  addresses: readonly Address[],
  signal: AbortSignal,
  options: { accountsOptional?: boolean; signer?: Address; priority?: Priority } = {},
): Promise<BuildFacts> => {
  const {
    chain: { cluster },
  } = ctx;
  const read = cluster.readChainSnapshot(addresses, { signal }).then(
    (snapshot) => ({ snapshot, accounts: snapshot.accounts }),
    async (error: unknown) => {
      if (!options.accountsOptional || !isAppError(error, 'UPSTREAM_UNAVAILABLE')) throw error;
      return { snapshot: await cluster.readChainSnapshot([], { signal }), accounts: null };
    },
  );
  const [{ snapshot, accounts }, blockhash, price] = await Promise.all([
    read,
    options.signer === undefined ? cluster.blockhash(signal) : unusedBlockhash(ctx, options.signer, signal),
    choosePrice(ctx, options.priority, addresses, signal),
  ]);
  const limits = await cluster.limits(signal, snapshot);
  return { limits, position: snapshot.position, blockhash, accounts, price };
};

/** Chain facts that determine a stake account's state. */
export const stakeFacts = async (
  ctx: Context,
  facts: Pick<BuildFacts, 'limits' | 'position'>,
  signal: AbortSignal,
): Promise<{
  epoch: bigint;
  history: StakeHistory;
  stakeRentLamports: bigint;
  unixTimestamp: bigint;
  epochRewardsActive: boolean;
}> => ({
  epoch: facts.position.epoch,
  history: await ctx.chain.cluster.stakeHistory(facts.position.epoch, signal),
  stakeRentLamports: facts.limits.stakeRentLamports,
  unixTimestamp: facts.position.unixTimestamp,
  epochRewardsActive: facts.position.epochRewardsActive,
});

/** Collects the notices common to all builders. */
export const boundaryNotices = (position: EpochPosition): Notice[] => {
  const slotsRemaining = position.slotsInEpoch - position.slotIndex;
  return slotsRemaining <= BOUNDARY_WARNING_SLOTS
    ? [
        notice(
          'EPOCH_ENDS_SOON',
          'The epoch ends in about {slotsRemaining} slots. A transaction that lands after the boundary counts for the next epoch, and is refused while rewards are distributed.',
          { slotsRemaining: Number(slotsRemaining) },
        ),
      ]
    : [];
};
