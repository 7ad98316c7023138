// What the Stake program would accept from this wallet now, and in words what happens next or stands in the way.
import type { StakeAccount } from '../../../../client/generated/stake-operations.ts';
import { type RequestKind, requestKinds } from '../../../../client/staking/staking-request.ts';

/** The parts of an account that decide. */
export type ActedAccount = Pick<
  StakeAccount,
  'role' | 'state' | 'suggestedActions' | 'withdrawReady' | 'lockup' | 'activeSol'
>;

/** What may be done, and a sentence about it. */
export interface PossibleActions {
  /** In the order of the kinds. */
  readonly kinds: readonly RequestKind[];
  readonly hint: string | null;
}

const hintOf = (account: ActedAccount, mayUnstake: boolean, untilBoundary: string | null): string | null => {
  const { role, state, withdrawReady, lockup, activeSol } = account;
  const boundary =
    untilBoundary === null
      ? 'when this epoch ends, at the earliest'
      : `when this epoch ends, in about ${untilBoundary}, at the earliest`;
  if (mayUnstake)
    return state === 'activating' && activeSol === 0
      ? 'Nothing is effective yet: unstaked now, it can be withdrawn at once.'
      : `Unstaked now, it earns to the end of this epoch and can be withdrawn ${boundary}.`;
  if (withdrawReady) return role === 'owner' ? 'All of it, or a part; it arrives at once.' : null;
  if (state === 'deactivating') return `It can be withdrawn ${boundary}. Nothing is left for you to do.`;
  if (state === 'inactive' && lockup !== null) return 'It has cooled down; the lockup holds it.';
  return state === 'active' || state === 'activating' ? 'Only its stake authority can unstake it.' : null;
};

/** The service's suggestions decide; without one for it, nothing is offered. */
export const possibleActions = (
  account: ActedAccount,
  { rewardsActive, untilBoundary }: { rewardsActive: boolean; untilBoundary: string | null },
): PossibleActions => {
  if (rewardsActive)
    return {
      kinds: [],
      hint: 'The rewards of the last epoch are being paid out: the Stake program takes no instruction until that is over, usually within minutes.',
    };
  const suggested = account.suggestedActions.map(({ action }) => action);
  const kinds = requestKinds.filter((kind) => suggested.includes(kind));
  return { kinds, hint: hintOf(account, kinds.includes('unstake'), untilBoundary) };
};
