// Compares an account with its recorded state. Rewards alone are not a change.
import type { DelegatorAccount } from '../../store/delegators.ts';
import type { DelegatorChangeKind } from '../../store/schema.ts';

export type DelegatedStake = Pick<
  DelegatorAccount,
  'wallet' | 'staker' | 'stakeLamports' | 'credits' | 'activationEpoch' | 'deactivationEpoch'
>;

/** A change and the affected stake; for `stake_changed`, the difference in stake. */
interface Change {
  readonly kind: DelegatorChangeKind;
  readonly lamports: bigint;
}

/** True if rewards explain a difference in stake: the credits grew and the stake did not shrink. */
const isReward = (before: DelegatedStake, after: DelegatedStake): boolean =>
  after.stakeLamports >= before.stakeLamports && after.credits > before.credits;

/**
 * Lists the changes between two states; empty if only rewards changed. A state is `null` if the account is
 * not delegated to the validator.
 */
export const delegatorChanges = (
  before: DelegatedStake | null,
  after: DelegatedStake | null,
): readonly Change[] => {
  if (after === null) return before === null ? [] : [{ kind: 'left', lamports: before.stakeLamports }];
  const lamports = after.stakeLamports;
  if (before === null)
    return [
      { kind: 'joined', lamports },
      ...(after.deactivationEpoch === null ? [] : [{ kind: 'leaving', lamports } as const]),
    ];
  const kinds: DelegatorChangeKind[] = [];
  if (after.wallet !== before.wallet) kinds.push('withdrawer_changed');
  if (after.staker !== before.staker) kinds.push('staker_changed');
  if (after.activationEpoch !== before.activationEpoch) kinds.push('delegated');
  else if (before.deactivationEpoch !== null && after.deactivationEpoch === null) kinds.push('stayed');
  if (after.deactivationEpoch !== null && after.deactivationEpoch !== before.deactivationEpoch)
    kinds.push('leaving');
  const changes = kinds.map((kind): Change => ({ kind, lamports }));
  return after.stakeLamports === before.stakeLamports || isReward(before, after)
    ? changes
    : [...changes, { kind: 'stake_changed', lamports: after.stakeLamports - before.stakeLamports }];
};
