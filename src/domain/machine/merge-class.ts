// Rules for merging stake accounts: an account's class, and the properties that two accounts must share.
import { EPOCH_ABSENT, lockupInForce, type StakeAccount } from '../stake/stake-account.ts';
import { activationOf, type StakeChainFacts } from '../stake/stake-state.ts';
import { type RefusalCode, STAKE_ERROR } from './stake-machine-state.ts';

/** Class of an account's stake. `transient`: partly effective or deactivating. */
export type MergeClass = 'inactive' | 'activating' | 'active' | 'transient';

/** Determines an account's class from its effective, activating and deactivating stake. */
export const mergeClassOf = (
  account: StakeAccount,
  chain: Pick<StakeChainFacts, 'epoch' | 'history'>,
): MergeClass => {
  const { effectiveLamports, activatingLamports, deactivatingLamports } = activationOf(account, chain);
  if (effectiveLamports === 0n)
    return activatingLamports === 0n && deactivatingLamports === 0n ? 'inactive' : 'activating';
  return activatingLamports === 0n && deactivatingLamports === 0n ? 'active' : 'transient';
};

/** Returns true if both accounts have the same authorities, and either the same lockup or none in force. */
export const sameOwnership = (one: StakeAccount, other: StakeAccount, chain: StakeChainFacts): boolean => {
  if (one.stakeAuthority !== other.stakeAuthority || one.withdrawAuthority !== other.withdrawAuthority)
    return false;
  const [a, b] = [one.lockup, other.lockup];
  if (a.epoch === b.epoch && a.unixTimestamp === b.unixTimestamp && a.custodian === b.custodian) return true;
  return [a, b].every((lockup) => !lockupInForce(lockup, chain.epoch, chain.unixTimestamp));
};

/** Returns the reason why two accounts cannot be merged, or null if they can. Neither may be transient. */
export const mergeMismatch = (
  target: StakeAccount,
  source: StakeAccount,
  chain: StakeChainFacts,
): RefusalCode | null => {
  if (!sameOwnership(target, source, chain)) return STAKE_ERROR.MergeMismatch;
  const [into, from] = [mergeClassOf(target, chain), mergeClassOf(source, chain)];
  if (into !== 'inactive' && from !== 'inactive') {
    const [one, other] = [target.delegation!, source.delegation!];
    if (one.voteAccount !== other.voteAccount) return STAKE_ERROR.MergeMismatch;
    if (one.deactivationEpoch !== EPOCH_ABSENT || other.deactivationEpoch !== EPOCH_ABSENT)
      return STAKE_ERROR.MergeMismatch;
  }
  if (into === 'active' || from === 'active') return into === from ? null : STAKE_ERROR.MergeMismatch;
  return null;
};

/** Computes the credits observed of two merged stakes: the average, weighted by lamports and rounded up. */
export const weightedCredits = (
  one: { readonly stakeLamports: bigint; readonly creditsObserved: bigint },
  otherLamports: bigint,
  otherCredits: bigint,
): bigint => {
  if (one.creditsObserved === otherCredits) return otherCredits;
  const sum = one.stakeLamports + otherLamports;
  return (one.creditsObserved * one.stakeLamports + otherCredits * otherLamports + sum - 1n) / sum;
};
