// Checks whether the Stake program would accept a withdrawal. If not, returns the reason and the fix.

import type { Address } from '@solana/kit';
import { AppError, validationError } from '../../kernel/app-error.ts';
import { type Guidance, guidance, step, wording } from '../../kernel/guidance.ts';
import { formatSol, solNumber } from '../lamports.ts';
import { refuseDuringEpochRewards } from '../rewards-freeze.ts';
import { type StakeAccount, shownLockup } from './stake-account.ts';
import { limitsWithoutLockup, type StakeAssessment, type StakeChainFacts } from './stake-state.ts';
import { WITHDRAW_READY } from './unstake-rules.ts';

/** A requested withdrawal. */
interface WithdrawRequest {
  /** The withdrawing wallet. It signs, also as custodian if needed. */
  readonly wallet: Address;
  /** Lamports, or null for the full balance, which closes the account. */
  readonly requestedLamports: bigint | null;
  /** The facts that the assessment is based on. */
  readonly chain: StakeChainFacts;
  /**
   * True if the caller's key signs in the same call: refusals then suggest one-shot calls, by default
   * transaction builders.
   */
  readonly isOneShot?: boolean | undefined;
  /** Included in `STAKE_NOT_WITHDRAWABLE` if available. */
  readonly epochTiming?: unknown;
}

/** A withdrawal that the chain accepts as long as the account does not change. */
interface AcceptedWithdraw {
  readonly lamports: bigint;
  /** True if a lockup is in force and the wallet is its custodian, which the instruction must name. */
  readonly custodianNeeded: boolean;
}

const sol = (lamports: bigint): string => `${formatSol(lamports)} SOL`;

/**
 * Returns the withdrawal, or throws `AppError` with `AUTHORITY_MISMATCH` (the wallet is not the withdraw
 * authority), `EPOCH_REWARDS_ACTIVE`, `STAKE_LOCKED`, `STAKE_NOT_WITHDRAWABLE` (more than the free part of a
 * staked account), `INSUFFICIENT_STAKE_BALANCE`, `WITHDRAW_LEAVES_BELOW_RENT`, in this order;
 * `VALIDATION_ERROR` if the amount is zero.
 */
export const checkWithdraw = (
  account: StakeAccount,
  assessment: StakeAssessment,
  { wallet, requestedLamports, chain, epochTiming, isOneShot = false }: WithdrawRequest,
): AcceptedWithdraw => {
  if (requestedLamports !== null && requestedLamports <= 0n) {
    throw validationError([{ path: 'amountSol', code: 'too_small', message: 'must be greater than 0' }]);
  }
  refuseForeignWallet(account, wallet);
  refuseDuringEpochRewards(chain.epochRewardsActive);
  const custodianNeeded = assessment.lockupInForce;
  if (custodianNeeded && account.lockup.custodian !== wallet) throw locked(account, assessment);

  const limits = limitsWithoutLockup(account, chain);
  const lamports = requestedLamports ?? account.lamports;
  if (limits.stakedLamports > 0n) {
    if (lamports > limits.partialWithdrawMaxLamports) {
      throw notWithdrawable(account, assessment, { wallet, lamports, limits, epochTiming, isOneShot });
    }
    return { lamports, custodianNeeded };
  }
  if (lamports > account.lamports) throw aboveBalance(account, lamports);
  if (lamports < account.lamports && lamports > limits.partialWithdrawMaxLamports) {
    throw belowRent(account, lamports, chain.stakeRentLamports, limits.partialWithdrawMaxLamports);
  }
  return { lamports, custodianNeeded };
};

const refuseForeignWallet = (account: StakeAccount, wallet: Address): void => {
  if (account.withdrawAuthority === wallet) return;
  throw new AppError(
    'AUTHORITY_MISMATCH',
    `Only the withdraw authority ${account.withdrawAuthority} can withdraw from stake account ${account.address}; ${wallet} is not it.`,
    { suggestedAction: 'Withdraw with the wallet that is the withdraw authority of this stake account.' },
  );
};

const locked = (account: StakeAccount, assessment: StakeAssessment): AppError =>
  new AppError(
    'STAKE_LOCKED',
    `Stake account ${account.address} cannot be withdrawn from. ${assessment.stateDescription}`,
    {
      suggestedAction: `Wait until the lockup ends, or withdraw together with its custodian ${account.lockup.custodian}.`,
      body: { stateDescription: assessment.stateDescription, lockup: shownLockup(account.lockup) },
    },
  );

interface Refusal {
  readonly wallet: Address;
  readonly lamports: bigint;
  readonly limits: { readonly partialWithdrawMaxLamports: bigint; readonly stakedLamports: bigint };
  readonly epochTiming: unknown;
  readonly isOneShot: boolean;
}

const notWithdrawable = (account: StakeAccount, assessment: StakeAssessment, refusal: Refusal): AppError => {
  const { wallet, lamports, limits, epochTiming, isOneShot } = refusal;
  const free = limits.partialWithdrawMaxLamports;
  const reserved = account.lamports - limits.stakedLamports - free;
  return new AppError(
    'STAKE_NOT_WITHDRAWABLE',
    `${sol(lamports)} cannot be withdrawn now, ${sol(lamports - free)} more than is free. The account holds ${sol(account.lamports)}: ` +
      `${sol(limits.stakedLamports)} staked, ${sol(reserved)} rent reserve while it is open, ${sol(free)} free. ${assessment.stateDescription}`,
    {
      suggestedAction: guidance`${nextStepOf(account, assessment, { wallet, isOneShot })}${free > 0n ? ` Up to ${sol(free)} can be withdrawn already now.` : ''}`,
      body: {
        currentState: 'delegated',
        stateDescription: assessment.stateDescription,
        withdrawableSol: solNumber(free),
        ...(epochTiming === undefined ? {} : { epochTiming }),
      },
    },
  );
};

const NAMED_ACCOUNT = wording('stakeAccountAddress', 'stake account');
const THE_AMOUNT = wording('amountSol', 'the amount');

const nextStepOf = (
  account: StakeAccount,
  assessment: StakeAssessment,
  { wallet, isOneShot }: Pick<Refusal, 'wallet' | 'isOneShot'>,
): Guidance => {
  const poll = guidance`poll ${step('withdrawReadiness', { walletAddress: wallet })} until ${WITHDRAW_READY}`;
  if (assessment.state === 'deactivating') return guidance`The stake is deactivating: ${poll}.`;
  if (account.stakeAuthority !== wallet) {
    return guidance`Its stake authority ${account.stakeAuthority} has to deactivate it first; then ${poll}.`;
  }
  if (isOneShot)
    return guidance`Unstake first: ${step('unstake')} with ${NAMED_ACCOUNT} ${account.address}, then ${poll}.`;
  return guidance`Unstake first: build it with ${step('createUnstakeTransaction')} (${NAMED_ACCOUNT} ${account.address}), sign it with ${wallet}, submit it with ${step('submitTransaction')}, then ${poll}.`;
};

const aboveBalance = (account: StakeAccount, lamports: bigint): AppError =>
  new AppError(
    'INSUFFICIENT_STAKE_BALANCE',
    `Stake account ${account.address} holds ${sol(account.lamports)}, ${sol(lamports - account.lamports)} less than the ${sol(lamports)} asked for.`,
    {
      suggestedAction: guidance`Withdraw at most ${sol(account.lamports)}, or leave ${THE_AMOUNT} out to withdraw the full balance.`,
      body: { balanceSol: solNumber(account.lamports) },
    },
  );

const belowRent = (
  account: StakeAccount,
  lamports: bigint,
  rentLamports: bigint,
  partialMax: bigint,
): AppError => {
  const left = account.lamports - lamports;
  const leave =
    partialMax > 0n ? `Withdraw at most ${sol(partialMax)} to keep the account open, or leave` : 'Leave';
  return new AppError(
    'WITHDRAW_LEAVES_BELOW_RENT',
    `Withdrawing ${sol(lamports)} would leave ${sol(left)} in stake account ${account.address}, ${sol(rentLamports - left)} less than its rent of ${sol(rentLamports)}.`,
    {
      suggestedAction: guidance`${leave} ${THE_AMOUNT} out to withdraw the full ${sol(account.lamports)} and close it.`,
      body: { partialWithdrawMaxSol: solNumber(partialMax), balanceSol: solNumber(account.lamports) },
    },
  );
};
