// Computes a stake account's state and its exact withdrawable amount.
import { EPOCH_ABSENT, lockupInForce, type StakeAccount } from './stake-account.ts';
import { type StakeActivation, stakeActivation } from './stake-activation.ts';
import type { StakeHistory } from './stake-history.ts';
import { describeStake } from './stake-state-description.ts';
import { predictCooledEpoch } from './stake-state-prediction.ts';

/** The cluster as far as it decides about a stake account. */
export interface StakeChainFacts {
  readonly epoch: bigint;
  readonly history: StakeHistory;
  /** The cluster's current rent for 200 bytes, not the reserve written in the account. */
  readonly stakeRentLamports: bigint;
  /** The Clock sysvar's time, seconds; lockups are compared with it. */
  readonly unixTimestamp: bigint;
  /** True while rewards are being distributed: the Stake program refuses every instruction. */
  readonly epochRewardsActive: boolean;
}

/** The states an account passes through; `initialized` was never delegated or gave all its stake away. */
type StakeState = 'initialized' | 'activating' | 'active' | 'deactivating' | 'inactive';

/** The most that can leave an account by withdrawal. */
interface WithdrawLimits {
  /** The most accepted at all. */
  readonly withdrawableLamports: bigint;
  /** The most accepted that keeps the account open. */
  readonly partialWithdrawMaxLamports: bigint;
}

/** A stake account evaluated at one time. Amounts in lamports. */
export interface StakeAssessment extends WithdrawLimits {
  readonly state: StakeState;
  /** The tag on chain, which stays `delegated` after the cool-down. */
  readonly rawState: 'initialized' | 'delegated';
  /** One or two sentences for people. */
  readonly stateDescription: string;
  readonly activeLamports: bigint;
  readonly activatingLamports: bigint;
  readonly deactivatingLamports: bigint;
  /** Beyond what is staked and the rent, while something is staked; a fact that holds under a lockup and a rewards freeze too. */
  readonly excessLamports: bigint;
  readonly lockupInForce: boolean;
  /** As on chain: while true, no stake instruction is accepted. */
  readonly epochRewardsActive: boolean;
  /** The whole balance can be withdrawn by the withdraw authority alone, now. */
  readonly withdrawReady: boolean;
  /**
   * The first epoch in which the whole balance can be withdrawn, as far as that is fixed: null while no deactivation is set on a
   * delegated account, when ready, and for a lockup without end. A lockup's date does not count here (see `estimateWithdrawable`).
   */
  readonly withdrawableAtEpoch: bigint | null;
}

const clampedAtZero = (lamports: bigint): bigint => (lamports > 0n ? lamports : 0n);

/**
 * What the Stake program holds back as staked. Without a deactivation that is the whole delegation, effective or not,
 * because rewards of a warm-up not yet over might still count on it.
 */
const stakedLamports = (account: StakeAccount, epoch: bigint, activation: StakeActivation): bigint => {
  const { delegation } = account;
  if (delegation === null) return 0n;
  return epoch >= delegation.deactivationEpoch ? activation.effectiveLamports : delegation.stakeLamports;
};

const limitsAbove = (lamports: bigint, staked: bigint, stakeRentLamports: bigint): WithdrawLimits => {
  const partialWithdrawMaxLamports = clampedAtZero(lamports - staked - stakeRentLamports);
  return {
    withdrawableLamports: staked > 0n ? partialWithdrawMaxLamports : lamports,
    partialWithdrawMaxLamports,
  };
};

const NOTHING: WithdrawLimits = { withdrawableLamports: 0n, partialWithdrawMaxLamports: 0n };
const NO_ACTIVATION: StakeActivation = {
  effectiveLamports: 0n,
  activatingLamports: 0n,
  deactivatingLamports: 0n,
};

const activationOf = ({ delegation }: StakeAccount, chain: StakeChainFacts): StakeActivation =>
  delegation ? stakeActivation(delegation, chain.epoch, chain.history) : NO_ACTIVATION;

/** The amount that the Stake program holds back as staked from every signer. The rent is added to it. */
export const heldBackLamports = (account: StakeAccount, chain: StakeChainFacts): bigint =>
  stakedLamports(account, chain.epoch, activationOf(account, chain));

/**
 * The limits without a lockup or a rewards freeze: what a custodian who signs can withdraw, and what the
 * others can later. `stakedLamports` is what the program holds back besides the rent.
 */
export const limitsWithoutLockup = (
  account: StakeAccount,
  chain: StakeChainFacts,
): WithdrawLimits & { readonly stakedLamports: bigint } => {
  const staked = heldBackLamports(account, chain);
  return { ...limitsAbove(account.lamports, staked, chain.stakeRentLamports), stakedLamports: staked };
};

const stateOf = (account: StakeAccount, activation: StakeActivation, staked: bigint): StakeState => {
  if (account.delegation === null) return 'initialized';
  if (account.delegation.deactivationEpoch !== EPOCH_ABSENT) return staked > 0n ? 'deactivating' : 'inactive';
  return activation.activatingLamports > 0n ? 'activating' : 'active';
};

/** Evaluates `account` as the Stake program would at `chain`. Pure; the history must reach back to `chain.epoch - 1`. */
export const assessStake = (account: StakeAccount, chain: StakeChainFacts): StakeAssessment => {
  const activation = activationOf(account, chain);
  const staked = stakedLamports(account, chain.epoch, activation);
  const state = stateOf(account, activation, staked);
  const locked = lockupInForce(account.lockup, chain.epoch, chain.unixTimestamp);
  const limits = limitsAbove(account.lamports, staked, chain.stakeRentLamports);
  const closed = locked || chain.epochRewardsActive;
  const released = state === 'initialized' || state === 'inactive';
  const assessment = {
    state,
    rawState: account.kind,
    activeLamports: activation.effectiveLamports,
    activatingLamports: activation.activatingLamports,
    deactivatingLamports: activation.deactivatingLamports,
    ...(closed ? NOTHING : limits),
    excessLamports: released ? 0n : limits.partialWithdrawMaxLamports,
    lockupInForce: locked,
    epochRewardsActive: chain.epochRewardsActive,
    withdrawReady: released && !closed,
    withdrawableAtEpoch: withdrawableAtEpoch(account, chain, state, closed),
  };
  return { ...assessment, stateDescription: describeStake(account, chain, assessment) };
};

// Anybody can write a lockup of any size into an account; what no JSON integer can hold never comes.
const LAST_EPOCH = BigInt(Number.MAX_SAFE_INTEGER);

const withdrawableAtEpoch = (
  account: StakeAccount,
  chain: StakeChainFacts,
  state: StakeState,
  closed: boolean,
): bigint | null => {
  if (state === 'active' || state === 'activating') return null;
  if (state !== 'deactivating' && !closed) return null;
  const { epoch } = account.lockup;
  if (epoch > LAST_EPOCH) return null;
  const released =
    state === 'deactivating'
      ? predictCooledEpoch(account.delegation!, chain.epoch, chain.history)
      : chain.epoch;
  return epoch > released ? epoch : released;
};
