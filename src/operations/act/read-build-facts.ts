// Reads everything needed to build a transaction in one round trip: limits, epoch, blockhash and the accounts
// involved.
import type { Address } from '@solana/kit';
import type { ChainAccount, ClusterLimits, EpochPosition, RecentBlockhash } from '../../chain/ports.ts';
import { type Notice, notice } from '../../domain/notice.ts';
import type { StakeHistory } from '../../domain/stake/stake-history.ts';
import { isAppError } from '../../kernel/app-error.ts';
import type { Context } from '../context.ts';
import type { BuildOptions } from './build-options.ts';
import { type ChosenPrice, choosePrice } from './choose-priority-fee.ts';
import { type Nonce, requireUsableNonce } from './require-usable-nonce.ts';
import { unusedBlockhash } from './unused-blockhash.ts';

/** Chain data that a builder needs. */
export interface BuildFacts {
  readonly limits: ClusterLimits;
  readonly position: EpochPosition;
  readonly blockhash: RecentBlockhash;
  /** Accounts in the requested order. Null if they could not be read and the caller allows that. */
  readonly accounts: readonly (ChainAccount | null)[] | null;
  /** The nonce whose value replaces the blockhash; null if the request has none. */
  readonly nonce: Nonce | null;
  /** Account of another fee payer; undefined if the wallet pays. */
  readonly payer?: { readonly address: Address; readonly account: ChainAccount | null } | undefined;
  /** Price per compute unit for transactions that write to these accounts. */
  readonly price: ChosenPrice;
}

/**
 * Number of slots before the epoch boundary at which builders begin to warn that a signed transaction may
 * land in the next epoch.
 */
export const BOUNDARY_WARNING_SLOTS = 150n;

/**
 * Reads one snapshot, and a blockhash if none is cached. The first address must be the wallet. Limits, epoch
 * and blockhash are required; with `accountsOptional`, a failed read of the accounts leads to `accounts:
 * null`. Estimates the price for `priority`; default: no fee. Returns a blockhash with which the wallet has
 * not sent anything. With `hasUniqueBytes`, the blockhash may be used already; set it only for requests that
 * always produce different bytes, such as stakes. Throws `AppError('NONCE_UNUSABLE')` if the wallet cannot
 * use `nonce`, and `AppError('UPSTREAM_UNAVAILABLE')` if no RPC node returns a usable response.
 */
export const readBuildFacts = async (
  ctx: Context,
  addresses: readonly [wallet: Address, ...others: Address[]],
  signal: AbortSignal,
  {
    accountsOptional = false,
    hasUniqueBytes = false,
    priority,
    nonce,
    feePayer,
  }: Omit<BuildOptions, 'transactionVersion'> & {
    readonly accountsOptional?: boolean;
    readonly hasUniqueBytes?: boolean;
  } = {},
): Promise<BuildFacts> => {
  const [wallet] = addresses;
  const {
    chain: { cluster },
  } = ctx;
  const read = cluster.readChainSnapshot(addresses, { signal }).then(
    (snapshot) => ({ snapshot, accounts: snapshot.accounts }),
    async (error: unknown) => {
      if (!accountsOptional || !isAppError(error, 'UPSTREAM_UNAVAILABLE')) throw error;
      return { snapshot: await cluster.readChainSnapshot([], { signal }), accounts: null };
    },
  );
  const [{ snapshot, accounts }, lifetime, price, payer] = await Promise.all([
    read,
    readLifetime(ctx, { wallet, nonce, hasUniqueBytes }, signal),
    choosePrice(ctx, priority, addresses, signal),
    feePayer === undefined || feePayer === wallet ? undefined : readPayer(ctx, feePayer, signal),
  ]);
  const limits = await cluster.limits(signal, snapshot);
  return { limits, position: snapshot.position, ...lifetime, accounts, price, payer };
};

const readPayer = async (ctx: Context, address: Address, signal: AbortSignal) => {
  const { accounts } = await ctx.chain.reads.accounts([address], { signal });
  return { address, account: accounts[0] ?? null };
};

/**
 * Reads a blockhash, and the nonce that replaces it if the request names one. Unless there is a nonce or
 * `hasUniqueBytes` is set, the wallet has not sent anything with this blockhash. Throws
 * `AppError('NONCE_UNUSABLE')` if the wallet cannot use the nonce, and `AppError('UPSTREAM_UNAVAILABLE')` if no
 * RPC node returns a usable response.
 */
export const readLifetime = async (
  ctx: Context,
  {
    wallet,
    nonce,
    hasUniqueBytes = false,
  }: { readonly wallet: Address; readonly nonce: Address | undefined; readonly hasUniqueBytes?: boolean },
  signal: AbortSignal,
): Promise<Pick<BuildFacts, 'blockhash' | 'nonce'>> => {
  const [blockhash, read] = await Promise.all([
    hasUniqueBytes || nonce !== undefined
      ? ctx.chain.cluster.blockhash(signal)
      : unusedBlockhash(ctx, wallet, signal),
    nonce === undefined ? null : requireUsableNonce(ctx, wallet, nonce, signal),
  ]);
  return { blockhash, nonce: read };
};

/** Converts the blockhash or nonce to the lifetime that builders take. */
export const lifetimeOf = ({ blockhash, nonce }: Pick<BuildFacts, 'blockhash' | 'nonce'>) =>
  nonce === null
    ? { blockhash: blockhash.blockhash }
    : { blockhash: nonce.value, nonceAccount: nonce.account };

/** Reads the chain data that determines the state of a stake account. */
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

/** Returns the notices about the epoch boundary that all builders share. */
export const boundaryNotices = (position: EpochPosition): Notice[] => {
  const slotsRemaining = position.slotsInEpoch - position.slotIndex;
  return slotsRemaining <= BOUNDARY_WARNING_SLOTS
    ? [
        notice(
          'EPOCH_ENDS_SOON',
          'The epoch ends in about {slotsRemaining} slots. A transaction that lands after the boundary counts for the next epoch, and is refused while rewards are being distributed.',
          { slotsRemaining: Number(slotsRemaining) },
        ),
      ]
    : [];
};
