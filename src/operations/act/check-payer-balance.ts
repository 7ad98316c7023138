// Checks that a wallet can pay for a transaction: the amount, the fee, and the balance that must remain.
import type { Address } from '@solana/kit';
import type { ChainAccount } from '../../chain/ports.ts';
import { SYSTEM_PROGRAM } from '../../domain/instruction-programs.ts';
import { lamportsNumber, solFigure, solNumber } from '../../domain/lamports.ts';
import { notice } from '../../domain/notice.ts';
import { AppError } from '../../kernel/app-error.ts';
import type { BuildFacts } from './read-build-facts.ts';

export interface PayerDemand {
  readonly wallet: Address;
  readonly account: ChainAccount | null;
  /** Lamports that leave the wallet in addition to the fee. */
  readonly spendLamports: bigint;
  /**
   * Lamports that the transaction brings into the wallet. They cannot pay the fee, which is charged first.
   * Default: 0.
   */
  readonly incomeLamports?: bigint;
  readonly feeLamports: bigint;
  /** Lamports that the wallet must hold beyond the spend, including the fee: the fee reserve for a stake, otherwise 0. */
  readonly reserveLamports: bigint;
  readonly walletRentLamports: bigint;
  /** The smallest amount that the chain accepts; set only if the caller may lower the amount. */
  readonly minimumSpendLamports?: bigint;
}

/**
 * Returns the highest amount that can leave the wallet. It keeps the reserve, from which the fee is paid, and at
 * least the fee and the rent-exempt minimum. Without a reserve, as with a fee payer, it may be emptied. Negative
 * if the balance is lower.
 */
export const mostSpendLamports = (
  balance: bigint,
  {
    feeLamports,
    reserveLamports,
    walletRentLamports,
  }: Pick<PayerDemand, 'feeLamports' | 'reserveLamports' | 'walletRentLamports'>,
): bigint => {
  if (reserveLamports <= feeLamports) return balance - feeLamports;
  const keptLamports = feeLamports + walletRentLamports;
  return balance - (reserveLamports > keptLamports ? reserveLamports : keptLamports);
};

/**
 * True if the runtime accepts this change of a plain account's balance. The new balance must be zero or at
 * least the rent-exempt minimum, except that an account already below the minimum (which happens when rent
 * rises) may decrease further.
 */
const mayBecome = (from: bigint, to: bigint, rentLamports: bigint): boolean =>
  to === 0n || to >= rentLamports || (to > 0n && to <= from && from < rentLamports);

/** Creates the error for an account that cannot pay fees. */
export const cannotPay = (wallet: Address): AppError =>
  new AppError(
    'WALLET_CANNOT_PAY',
    '{wallet} is not a plain System account, so it cannot pay fees or fund a stake.',
    {
      reason: 'NOT_PLAIN',
      params: { wallet },
      suggestedAction: 'Use the address of the wallet itself, not of an account owned by a program.',
    },
  );

/** Throws `AppError('WALLET_CANNOT_PAY')` if the account contains data or is owned by a program. */
export const requirePlainWallet = (wallet: Address, account: ChainAccount | null): void => {
  if (account && (account.owner !== SYSTEM_PROGRAM || account.data.length > 0)) throw cannotPay(wallet);
};

/**
 * Like `checkPayer`, but charges the fee to another account if the request specifies one. The wallet then
 * needs no reserve for fees, and the other account must keep its rent-exempt minimum.
 */
export const checkPayers = (
  demand: Omit<PayerDemand, 'walletRentLamports'>,
  { payer, limits: { walletRentLamports } }: Pick<BuildFacts, 'payer' | 'limits'>,
): void => {
  const isSponsored = payer !== undefined;
  checkPayer({
    ...demand,
    ...(isSponsored && { feeLamports: 0n, reserveLamports: 0n }),
    walletRentLamports,
  });
  if (!isSponsored) return;
  checkPayer({
    wallet: payer.address,
    account: payer.account,
    spendLamports: 0n,
    feeLamports: demand.feeLamports,
    reserveLamports: 0n,
    walletRentLamports,
  });
};

/**
 * Throws `AppError('WALLET_CANNOT_PAY')` for accounts that cannot pay fees, and
 * `AppError('INSUFFICIENT_BALANCE')` with the shortfall if the wallet does not hold the amount and the reserve,
 * or would end between zero and the rent-exempt minimum (which the runtime refuses). If the amount may be
 * lowered, the error contains the highest possible amount.
 */
export const checkPayer = (demand: PayerDemand): void => {
  const { account, wallet, spendLamports, feeLamports, reserveLamports, walletRentLamports } = demand;
  requirePlainWallet(wallet, account);
  const balance = account?.lamports ?? 0n;
  const required = spendLamports + (reserveLamports > feeLamports ? reserveLamports : feeLamports);
  // The runtime checks the balance twice: after the fee and at the end.
  const afterFee = balance - feeLamports;
  const left = afterFee - spendLamports + (demand.incomeLamports ?? 0n);
  if (
    balance >= required &&
    mayBecome(balance, afterFee, walletRentLamports) &&
    mayBecome(afterFee, left, walletRentLamports)
  )
    return;
  const emptied = spendLamports + feeLamports;
  // The runtime refuses transfers that leave a wallet between zero and the rent-exempt minimum.
  const leastBalance =
    balance < required &&
    required >= walletRentLamports &&
    ((required === emptied && spendLamports >= walletRentLamports) ||
      required - emptied >= walletRentLamports)
      ? required
      : emptied + walletRentLamports;
  const shortfall = leastBalance - balance;
  const isReserved = reserveLamports > feeLamports && leastBalance === required;
  const isRentKept = leastBalance !== required;
  const parts = [
    spendLamports > 0n ? '{amountSol} SOL to move' : '',
    isReserved ? '{reserveSol} SOL fee reserve' : '{feeSol} SOL network fee',
    isRentKept ? '{rentSol} SOL rent-exempt minimum that a non-empty wallet must keep' : '',
  ].filter(Boolean);
  const message = `The wallet holds {balanceSol} SOL, which does not cover ${parts.join(' plus ')}: {shortfallSol} SOL short.`;
  // Amounts that the sentence omits are 0 in the parameters.
  const params = {
    wallet,
    balanceSol: solFigure(balance),
    shortfallSol: solFigure(shortfall),
    amountSol: solFigure(spendLamports),
    reserveSol: solFigure(isReserved ? reserveLamports : 0n),
    feeSol: solFigure(isReserved ? 0n : feeLamports),
    rentSol: solFigure(isRentKept ? walletRentLamports : 0n),
  };
  const body = { shortfallSol: solNumber(shortfall), balanceSol: solNumber(balance) };
  const most = mostSpendLamports(balance, demand);
  const { minimumSpendLamports } = demand;
  if (minimumSpendLamports === undefined)
    throw new AppError('INSUFFICIENT_BALANCE', message, {
      reason: 'WALLET_SHORT',
      params,
      suggestedAction: 'Fund {wallet} with at least {shortfallSol} more SOL, then try again.',
      body,
    });
  if (most < minimumSpendLamports)
    throw new AppError('INSUFFICIENT_BALANCE', message, {
      reason: 'WALLET_SHORT_OF_MINIMUM',
      params: {
        ...params,
        minimumSol: solFigure(minimumSpendLamports),
        neededSol: solFigure(balance - most + minimumSpendLamports),
      },
      suggestedAction:
        'Fund {wallet} with at least {shortfallSol} more SOL for this stake, then try again. The smallest possible stake, {minimumSol} SOL, needs a balance of {neededSol} SOL.',
      body: { ...body, availableToStake: 0, availableToStakeLamports: 0 },
    });
  throw new AppError('INSUFFICIENT_BALANCE', message, {
    reason: 'WALLET_SHORT_OF_AMOUNT',
    params: { ...params, availableSol: solFigure(most) },
    suggestedAction:
      'Stake at most {availableSol} SOL. Or fund {wallet} with at least {shortfallSol} more SOL, then try again.',
    body: { ...body, availableToStake: solNumber(most), availableToStakeLamports: lamportsNumber(most) },
  });
};

export const BALANCE_UNCHECKED = notice(
  'BALANCE_UNCHECKED',
  'The wallet balance could not be read or checked. If it is too low, the transaction fails on chain.',
);
