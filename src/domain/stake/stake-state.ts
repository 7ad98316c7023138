// Computes a stake account's state and its exact withdrawable amount.
import type { Sentence } from '../../kernel/sentence.ts';
import { EPOCH_ABSENT, lockupInForce, type StakeAccount } from './stake-account.ts';
import { type StakeActivation, stakeActivation } from './stake-activation.ts';
import type { StakeHistory } from './stake-history.ts';
import { describeStake } from './stake-state-description.ts';
import { predictCooledEpoch } from './stake-state-prediction.ts';

/** Properties of the cluster that determine the state of a stake account. */
export interface StakeChainFacts {
  readonly epoch: bigint;
  readonly history: StakeHistory;
  /** The cluster's current rent-exempt minimum for 200 bytes, not the rent reserve stored in the account. */
  readonly stakeRentLamports: bigint;
  /** Time of the Clock sysvar in seconds; lockups are compared with it. */
  readonly unixTimestamp: bigint;
  /** True while rewards are being distributed and the Stake program refuses every instruction. */
  readonly epochRewardsActive: boolean;
}

/** States of an account. `initialized`: never delegated, or all its stake has been moved away. */
type StakeState = 'initialized' | 'activating' | 'active' | 'deactivating' | 'inactive';

/** Maximum amounts of a withdrawal. */
interface WithdrawLimits {
  /** Maximum amount that the program accepts. */
  readonly withdrawableLamports: bigint;
  /** Maximum amount that leaves the account open. */
  readonly partialWithdrawMaxLamports: bigint;
}

/** An evaluation of a stake account at one point in time. Amounts are in lamports. */
export interface StakeAssessment extends WithdrawLimits {
  readonly state: StakeState;
  /** The tag on chain, which stays `delegated` after the cooldown. */
  readonly rawState: 'initialized' | 'delegated';
  /**
   * Describes the state in one or two sentences. This is a function because most callers do not need it, and
   * a getter would make every result a slow object.
   */
  readonly stateSentences: () => readonly Sentence[];
  readonly activeLamports: bigint;
  readonly activatingLamports: bigint;
  readonly deactivatingLamports: bigint;
  /**
   * Lamports beyond stake and rent-exempt minimum in an account that holds stake, even under a lockup or
   * while rewards are being distributed.
   */
  readonly excessLamports: bigint;
  readonly lockupInForce: boolean;
  /** True while the chain distributes rewards and accepts no stake instruction. */
  readonly epochRewardsActive: boolean;
  /** True if the withdraw authority alone can withdraw the whole balance now. */
  readonly withdrawReady: boolean;
  /**
   * First epoch in which the whole balance can be withdrawn, if that is certain. Null for a delegated account
   * without a deactivation, for an account that is ready, and for an endless lockup. Ignores the lockup's
   * date (see `estimateWithdrawable`).
   */
  readonly withdrawableAtEpoch: bigint | null;
  /**
   * Predicts `withdrawReady` and `withdrawableAtEpoch` after a deactivation in this epoch. Returns null if
   * there is no delegation that can be deactivated.
   */
  readonly ifUnstakedNow: () => Pick<StakeAssessment, 'withdrawReady' | 'withdrawableAtEpoch'> | null;
}

const clampedAtZero = (lamports: bigint): bigint => (lamports > 0n ? lamports : 0n);

/**
 * Computes the lamports that the Stake program holds back as staked. Without a deactivation this is the whole
 * delegation, effective or not, because rewards of an unfinished warm-up may still depend on it.
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

type ActivationFacts = Pick<StakeChainFacts, 'epoch' | 'history'>;

/**
 * Caches the last result per delegation. A plan for 1,000 stakes needs results 90,000 times, which would take
 * a third of its time without this cache.
 */
const lastActivation = new WeakMap<object, ActivationFacts & { readonly activation: StakeActivation }>();

/** Computes an account's effective, activating and deactivating stake. */
export const activationOf = (
  { delegation }: StakeAccount,
  { epoch, history }: ActivationFacts,
): StakeActivation => {
  if (delegation === null) return NO_ACTIVATION;
  const last = lastActivation.get(delegation);
  if (last !== undefined && last.epoch === epoch && last.history === history) return last.activation;
  const activation = stakeActivation(delegation, epoch, history);
  lastActivation.set(delegation, { epoch, history, activation });
  return activation;
};

/**
 * Returns the lamports that the Stake program holds back as staked, no matter who signs. It holds back the
 * rent-exempt minimum in addition.
 */
export const heldBackLamports = (account: StakeAccount, chain: StakeChainFacts): bigint =>
  stakedLamports(account, chain.epoch, activationOf(account, chain));

/**
 * Computes limits that ignore lockups and the distribution of rewards, for withdrawals that the custodian
 * also signs or that are made later. `stakedLamports` is held back in addition to the rent-exempt minimum.
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

/**
 * Evaluates `account` the way the Stake program would, given the state of the chain. Pure. The history must
 * reach back to the epoch before `chain.epoch`.
 */
export const assessStake = (account: StakeAccount, chain: StakeChainFacts): StakeAssessment => {
  const activation = activationOf(account, chain);
  const staked = stakedLamports(account, chain.epoch, activation);
  const state = stateOf(account, activation, staked);
  const locked = lockupInForce(account.lockup, chain.epoch, chain.unixTimestamp);
  const limits = limitsAbove(account.lamports, staked, chain.stakeRentLamports);
  const closed = locked || chain.epochRewardsActive;
  const released = state === 'initialized' || state === 'inactive';
  const assessment: StakeAssessment = {
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
    stateSentences: () => describeStake(account, chain, assessment),
    ifUnstakedNow: () => ifUnstakedNow(account, chain),
  };
  return assessment;
};

const ifUnstakedNow = (
  account: StakeAccount,
  chain: StakeChainFacts,
): ReturnType<StakeAssessment['ifUnstakedNow']> => {
  const { delegation } = account;
  if (delegation === null || delegation.deactivationEpoch !== EPOCH_ABSENT) return null;
  const unstaked = { ...account, delegation: { ...delegation, deactivationEpoch: chain.epoch } };
  const closed = lockupInForce(account.lockup, chain.epoch, chain.unixTimestamp) || chain.epochRewardsActive;
  // In the epoch of its deactivation, all of the effective stake is still effective.
  const state = activationOf(account, chain).effectiveLamports > 0n ? 'deactivating' : 'inactive';
  return {
    withdrawReady: state === 'inactive' && !closed,
    withdrawableAtEpoch: withdrawableAtEpoch(unstaked, chain, state, closed),
  };
};

// Anyone can write a lockup of any length into an account. A lockup until an epoch beyond all JSON integers
// counts as endless.
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
