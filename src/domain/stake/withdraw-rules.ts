// Checks whether the Stake program would accept a withdrawal. If not, returns the reason and the fix.

import type { Address } from '@solana/kit';
import { AppError, validationError } from '../../kernel/app-error.ts';
import { type Guidance, guidance, step, wording } from '../../kernel/guidance.ts';
import { sentenceMembers, textOf } from '../../kernel/sentence.ts';
import { solFigure, solNumber } from '../lamports.ts';
import { refuseDuringEpochRewards } from '../rewards-freeze.ts';
import { type StakeAccount, shownLockup } from './stake-account.ts';
import { limitsWithoutLockup, type StakeAssessment, type StakeChainFacts } from './stake-state.ts';
import { WITHDRAW_READY } from './unstake-rules.ts';

interface WithdrawRequest {
  /** The withdrawing wallet. It signs, also as custodian if necessary. */
  readonly wallet: Address;
  /** Amount in lamports, or null for the full balance, which closes the account. */
  readonly requestedLamports: bigint | null;
  /** The state of the chain on which the assessment is based. */
  readonly chain: StakeChainFacts;
  /**
   * True if the caller's key signs in the same call. Refusals then suggest one-shot calls instead of
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

/**
 * Returns the withdrawal, or throws `AppError` with `AUTHORITY_MISMATCH` (the wallet is not the withdraw
 * authority), `EPOCH_REWARDS_ACTIVE`, `STAKE_LOCKED`, `STAKE_NOT_WITHDRAWABLE` (more than the free part of a
 * staked account), `INSUFFICIENT_STAKE_BALANCE`, or `WITHDRAW_LEAVES_BELOW_RENT`, in this order. Before all of
 * them, throws `VALIDATION_ERROR` if the amount is not positive.
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
    'Only the withdraw authority {withdrawAuthority} can withdraw from stake account {address}, not {wallet}.',
    {
      reason: 'WITHDRAW',
      params: { withdrawAuthority: account.withdrawAuthority, address: account.address, wallet },
      suggestedAction: 'Withdraw with the wallet that is the withdraw authority of this stake account.',
    },
  );
};

const locked = (account: StakeAccount, assessment: StakeAssessment): AppError =>
  new AppError(
    'STAKE_LOCKED',
    `Stake account {address} cannot be withdrawn from. ${textOf(assessment.stateSentences())}`,
    {
      reason: 'WITHDRAW',
      params: { address: account.address, custodian: account.lockup.custodian },
      suggestedAction:
        'Wait until the lockup ends, or have its custodian {custodian} sign the withdrawal too.',
      body: {
        ...sentenceMembers('stateDescription', assessment.stateSentences()),
        lockup: shownLockup(account.lockup),
      },
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
    '{amountSol} SOL cannot be withdrawn now. The account holds {balanceSol} SOL: ' +
      `{stakedSol} staked, {reservedSol} for rent, {freeSol} available. ${textOf(assessment.stateSentences())}`,
    {
      reason: whyNotWithdrawable(account, assessment, wallet),
      params: {
        address: account.address,
        stakeAuthority: account.stakeAuthority,
        wallet,
        amountSol: solFigure(lamports),
        excessSol: solFigure(lamports - free),
        balanceSol: solFigure(account.lamports),
        stakedSol: solFigure(limits.stakedLamports),
        reservedSol: solFigure(reserved),
        freeSol: solFigure(free),
      },
      suggestedAction: guidance`${nextStepOf(account, assessment, { wallet, isOneShot })}${free > 0n ? ' Up to {freeSol} SOL can be withdrawn now.' : ''}`,
      body: {
        currentState: 'delegated',
        ...sentenceMembers('stateDescription', assessment.stateSentences()),
        withdrawableSol: solNumber(free),
        ...(epochTiming === undefined ? {} : { epochTiming }),
      },
    },
  );
};

const NAMED_ACCOUNT = wording('stakeAccountAddress', 'stake account');
const THE_AMOUNT = wording('amountSol', 'the amount');

const whyNotWithdrawable = (
  { stakeAuthority }: StakeAccount,
  { state }: StakeAssessment,
  wallet: Address,
): 'DEACTIVATING' | 'STAKED_BY_OTHER' | 'STAKED' =>
  state === 'deactivating' ? 'DEACTIVATING' : stakeAuthority === wallet ? 'STAKED' : 'STAKED_BY_OTHER';

const nextStepOf = (
  account: StakeAccount,
  assessment: StakeAssessment,
  { wallet, isOneShot }: Pick<Refusal, 'wallet' | 'isOneShot'>,
): Guidance => {
  const poll = guidance`poll ${step('withdrawReadiness', { walletAddress: wallet })} until ${WITHDRAW_READY}`;
  const why = whyNotWithdrawable(account, assessment, wallet);
  if (why === 'DEACTIVATING') return guidance`The stake is deactivating: ${poll}.`;
  if (why === 'STAKED_BY_OTHER')
    return guidance`Its stake authority {stakeAuthority} has to deactivate it first; then ${poll}.`;
  if (isOneShot) return guidance`Call ${step('unstake')} with ${NAMED_ACCOUNT} {address}, then ${poll}.`;
  return guidance`Call ${step('createUnstakeTransaction')} with ${NAMED_ACCOUNT} {address}, then ${poll}.`;
};

const aboveBalance = (account: StakeAccount, lamports: bigint): AppError =>
  new AppError(
    'INSUFFICIENT_STAKE_BALANCE',
    'Stake account {address} holds {balanceSol} SOL, which is {shortfallSol} SOL less than the requested {amountSol} SOL.',
    {
      reason: 'WITHDRAW',
      params: {
        address: account.address,
        balanceSol: solFigure(account.lamports),
        shortfallSol: solFigure(lamports - account.lamports),
        amountSol: solFigure(lamports),
      },
      suggestedAction: guidance`Withdraw at most {balanceSol} SOL, or leave ${THE_AMOUNT} out to withdraw the full balance.`,
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
    partialMax > 0n
      ? 'Withdraw at most {partialWithdrawMaxSol} SOL to keep the account open, or leave'
      : 'Leave';
  return new AppError(
    'WITHDRAW_LEAVES_BELOW_RENT',
    'Withdrawing {amountSol} SOL would leave {leftSol} SOL in stake account {address}, which is {shortfallSol} SOL less than its rent-exempt minimum of {rentSol} SOL.',
    {
      params: {
        address: account.address,
        amountSol: solFigure(lamports),
        leftSol: solFigure(left),
        shortfallSol: solFigure(rentLamports - left),
        rentSol: solFigure(rentLamports),
        partialWithdrawMaxSol: solFigure(partialMax),
        balanceSol: solFigure(account.lamports),
      },
      suggestedAction: guidance`${leave} ${THE_AMOUNT} out to withdraw the full {balanceSol} SOL and close it.`,
      body: { partialWithdrawMaxSol: solNumber(partialMax), balanceSol: solNumber(account.lamports) },
    },
  );
};
