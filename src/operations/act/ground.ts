// The facts every builder stands on, read in one round trip: limits, epoch, blockhash and the accounts the transaction touches.
import type { Address } from '@solana/kit';
import type { ChainAccount, ClusterLimits, EpochPosition, RecentBlockhash } from '../../chain/ports.ts';
import { formatSol, solNumber } from '../../domain/lamports.ts';
import type { StakeHistory } from '../../domain/stake/stake-history.ts';
import { SYSTEM_PROGRAM } from '../../domain/transaction/instruction-programs.ts';
import { AppError, isAppError } from '../../kernel/app-error.ts';
import type { Context } from '../context.ts';

/** What is true now, as far as a builder needs it. */
export interface Ground {
  readonly limits: ClusterLimits;
  readonly position: EpochPosition;
  readonly blockhash: RecentBlockhash;
  /** In the order asked; null when the accounts could not be read (only where the caller allows that). */
  readonly accounts: readonly (ChainAccount | null)[] | null;
}

/** How many blocks before the boundary builders begin to warn: a signed transaction may then land in the next epoch. */
export const BOUNDARY_WARNING_SLOTS = 150n;

/**
 * Reads the ground. With `accountsOptional` a failed account read gives `accounts: null` instead of an error; limits, epoch and
 * blockhash are never optional. Throws `UPSTREAM_UNAVAILABLE`.
 */
export const readGround = async (
  ctx: Context,
  addresses: readonly Address[],
  signal: AbortSignal,
  options: { accountsOptional?: boolean } = {},
): Promise<Ground> => {
  const accounts = ctx.reads.accounts(addresses, { signal }).then(
    (read) => read.accounts,
    (error: unknown) => {
      if (options.accountsOptional && isAppError(error, 'UPSTREAM_UNAVAILABLE')) return null;
      throw error;
    },
  );
  const [limits, position, blockhash, read] = await Promise.all([
    ctx.cluster.limits(signal),
    ctx.cluster.epochPosition(signal),
    ctx.cluster.blockhash(signal),
    accounts,
  ]);
  return { limits, position, blockhash, accounts: read };
};

/** The chain facts by which a stake account is judged. */
export const stakeFacts = async (
  ctx: Context,
  ground: Pick<Ground, 'limits' | 'position'>,
  signal: AbortSignal,
): Promise<{
  epoch: bigint;
  history: StakeHistory;
  stakeRentLamports: bigint;
  unixTimestamp: bigint;
  epochRewardsActive: boolean;
}> => ({
  epoch: ground.position.epoch,
  history: await ctx.cluster.stakeHistory(ground.position.epoch, signal),
  stakeRentLamports: ground.limits.stakeRentLamports,
  unixTimestamp: ground.position.unixTimestamp,
  epochRewardsActive: ground.position.epochRewardsActive,
});

/** Warnings that concern every builder. */
export const groundWarnings = (position: EpochPosition): string[] => {
  const slotsRemaining = position.slotsInEpoch - position.slotIndex;
  return slotsRemaining <= BOUNDARY_WARNING_SLOTS
    ? [
        `The epoch ends in about ${slotsRemaining} slots. A transaction that lands after the boundary counts for the next epoch, and is refused while rewards are distributed.`,
      ]
    : [];
};

/** What a payer must be able to do. */
export interface PayerDemand {
  readonly wallet: Address;
  readonly account: ChainAccount | null;
  /** Lamports that leave the wallet besides the fee. */
  readonly spendLamports: bigint;
  /** Lamports that the transaction itself brings in; default none. They pay no fee: that is taken before. */
  readonly incomeLamports?: bigint;
  readonly feeLamports: bigint;
  /** What must remain besides; for a stake the fee reserve, else 0. */
  readonly reserveLamports: bigint;
  readonly walletRentLamports: bigint;
}

/**
 * Whether the runtime lets a plain account go over from one balance to another: to nothing, to the rent-exempt minimum or more; and one
 * that is below that already, as all may be after rent has risen, may go lower still.
 */
const mayBecome = (from: bigint, to: bigint, rentLamports: bigint): boolean =>
  to === 0n || to >= rentLamports || (to > 0n && to <= from && from < rentLamports);

/**
 * Throws `WALLET_CANNOT_PAY` for accounts that cannot pay fees, `INSUFFICIENT_BALANCE` with the shortfall when the wallet would end
 * with less than the reserve, or with something between nothing and the rent-exempt minimum (the runtime refuses that).
 */
export const checkPayer = (demand: PayerDemand): void => {
  const { account, wallet, spendLamports, feeLamports, reserveLamports, walletRentLamports } = demand;
  if (account && (account.owner !== SYSTEM_PROGRAM || account.data.length > 0)) {
    throw new AppError(
      'WALLET_CANNOT_PAY',
      `${wallet} is not a plain System account, so it cannot pay fees or fund a stake.`,
      {
        suggestedAction: 'Use the address of the wallet itself, not of an account that a program owns.',
      },
    );
  }
  const balance = account?.lamports ?? 0n;
  const required = spendLamports + (reserveLamports > feeLamports ? reserveLamports : feeLamports);
  // The runtime judges twice: once the fee is taken, and at the end.
  const afterFee = balance - feeLamports;
  const left = afterFee - spendLamports + (demand.incomeLamports ?? 0n);
  if (
    balance >= required &&
    mayBecome(balance, afterFee, walletRentLamports) &&
    mayBecome(afterFee, left, walletRentLamports)
  )
    return;
  const emptied = spendLamports + feeLamports;
  // Neither before nor after can a wallet hold something between nothing and the rent-exempt minimum: no such transfer would reach it.
  const leastBalance =
    balance < required &&
    required >= walletRentLamports &&
    ((required === emptied && spendLamports >= walletRentLamports) ||
      required - emptied >= walletRentLamports)
      ? required
      : emptied + walletRentLamports;
  const shortfall = leastBalance - balance;
  const parts = [
    spendLamports > 0n ? `${formatSol(spendLamports)} SOL to move` : '',
    reserveLamports > feeLamports && leastBalance === required
      ? `${formatSol(reserveLamports)} SOL fee reserve`
      : `${formatSol(feeLamports)} SOL network fee`,
    leastBalance === required
      ? ''
      : `${formatSol(walletRentLamports)} SOL rent-exempt minimum that a non-empty wallet must keep`,
  ].filter(Boolean);
  throw new AppError(
    'INSUFFICIENT_BALANCE',
    `The wallet holds ${formatSol(balance)} SOL, which does not cover ${parts.join(' plus ')}: ${formatSol(shortfall)} SOL short.`,
    {
      suggestedAction: `Fund ${wallet} with at least ${formatSol(shortfall)} more SOL, then try again.`,
      body: { shortfallSol: solNumber(shortfall), balanceSol: solNumber(balance) },
    },
  );
};

/** The warning that goes with a build whose balance could not be checked. */
export const BALANCE_UNCHECKED =
  'The wallet balance could not be read, so it was not checked: the transaction fails on chain if the balance is too low.';
