// The effects of moving a stake from another validator, per account: the next step, the epoch without
// rewards, and when it earns here.
import type { EpochTiming, StakePlan } from '../../../../../client/generated/shared-types.ts';
import type { StakeAccount } from '../../../../../client/generated/stake-operations.ts';
import { boundaryTime, timeText } from '../../../text/format-figures.ts';

/** The account fields needed. */
export type ElsewhereAccount = Pick<
  StakeAccount,
  | 'address'
  | 'role'
  | 'state'
  | 'lamports'
  | 'voteAccount'
  | 'withdrawableAtEpoch'
  | 'estimatedWithdrawableAt'
>;

/** The wallet's own stakes with other validators, including inactive ones. */
export const stakesElsewhere = <Account extends ElsewhereAccount>(
  accounts: readonly Account[],
  validatorVoteAccount: string,
): readonly Account[] =>
  accounts.filter(
    ({ role, voteAccount }) =>
      role === 'owner' && voteAccount !== null && voteAccount !== validatorVoteAccount,
  );

/** One account and its next step. */
interface BringStep {
  readonly words: string;
  /** True if there is something to sign for it now. */
  readonly isNow: boolean;
}

type Timing = Pick<
  EpochTiming,
  'currentEpoch' | 'estimatedEpochEnd' | 'earliestEpochEnd' | 'latestEpochEnd' | 'epochRewardsActive'
>;

const REASONS: Readonly<Record<string, string>> = {
  'below the minimum': 'It is below the minimum stake, so it cannot be delegated again.',
  lockup: 'It is locked.',
};

const startOf = (epoch: number, account: ElsewhereAccount, timing: Timing, nowMs: number): string => {
  if (epoch === timing.currentEpoch + 1) return boundaryTime(timing, nowMs);
  const at = account.estimatedWithdrawableAt;
  return at === null || account.withdrawableAtEpoch !== epoch ? `epoch ${epoch}` : timeText(at, nowMs);
};

/** `plan` moves these stakes; null if nothing can be signed now. */
export const bringStep = (
  account: ElsewhereAccount,
  plan: Pick<StakePlan, 'laterSteps' | 'blocked'> | null,
  timing: Timing,
  nowMs: number,
): BringStep => {
  const { address, state } = account;
  const blocked = plan?.blocked.find(({ stakeAccountAddress }) => stakeAccountAddress === address);
  if (blocked !== undefined)
    return { words: REASONS[blocked.reason] ?? `Not possible now: ${blocked.reason}.`, isNow: false };
  if (timing.epochRewardsActive)
    return { words: 'Rewards are being paid out. Try again in a few minutes.', isNow: false };
  const { currentEpoch } = timing;
  if (state === 'inactive' || state === 'activating')
    return {
      words: `Can be staked here now and earns from epoch ${currentEpoch + 1}. ${state === 'inactive' ? 'It is inactive.' : 'Nothing is lost.'}`,
      isNow: plan !== null,
    };
  const later = plan?.laterSteps.find(({ stakeAccountAddress }) => stakeAccountAddress === address)?.epoch;
  const epoch = later ?? account.withdrawableAtEpoch ?? currentEpoch + 1;
  const start = startOf(epoch, account, timing, nowMs);
  const loses = `Epoch ${epoch} earns nothing, from epoch ${epoch + 1} it earns here.`;
  return state === 'deactivating'
    ? { words: `Deactivates. Stake it here from ${start}. ${loses}`, isNow: false }
    : {
        words: `Deactivates first and earns there until epoch ${currentEpoch} ends. Stake it here from ${start}. ${loses}`,
        isNow: plan !== null,
      };
};
