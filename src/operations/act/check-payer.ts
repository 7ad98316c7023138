// Whether a wallet can pay for a transaction: what it spends, the fee, and what must remain.
import type { Address } from '@solana/kit';
import type { ChainAccount } from '../../chain/ports.ts';
import { SYSTEM_PROGRAM } from '../../domain/instruction-programs.ts';
import { formatSol, solNumber } from '../../domain/lamports.ts';
import { notice } from '../../domain/notice.ts';
import { AppError } from '../../kernel/app-error.ts';

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

/** What is said where an account cannot pay fees. */
export const cannotPay = (wallet: Address): AppError =>
  new AppError(
    'WALLET_CANNOT_PAY',
    `${wallet} is not a plain System account, so it cannot pay fees or fund a stake.`,
    {
      suggestedAction: 'Use the address of the wallet itself, not of an account that a program owns.',
    },
  );

/** Throws `WALLET_CANNOT_PAY` for an account that a program owns or that has data. */
export const requirePlainWallet = (wallet: Address, account: ChainAccount | null): void => {
  if (account && (account.owner !== SYSTEM_PROGRAM || account.data.length > 0)) throw cannotPay(wallet);
};

/**
 * Throws `WALLET_CANNOT_PAY` for accounts that cannot pay fees, `INSUFFICIENT_BALANCE` with the shortfall when the wallet would end
 * with less than the reserve, or with something between nothing and the rent-exempt minimum (the runtime refuses that).
 */
export const checkPayer = (demand: PayerDemand): void => {
  const { account, wallet, spendLamports, feeLamports, reserveLamports, walletRentLamports } = demand;
  requirePlainWallet(wallet, account);
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

/** The notice of a build whose balance could not be checked. */
export const BALANCE_UNCHECKED = notice(
  'BALANCE_UNCHECKED',
  'The wallet balance could not be read, so it was not checked: the transaction fails on chain if the balance is too low.',
);
