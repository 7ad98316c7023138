// Describes the effects of moving a stake from another validator, per account: the next step, the epoch without
// rewards, and when it earns here.
import type { EpochTiming, StakePlan } from '../../../../../client/generated/shared-types.ts';
import type { StakeAccount } from '../../../../../client/generated/stake-operations.ts';
import { boundaryTime } from '../../../text/epoch-boundary.ts';
import { lamportsOf, timeText } from '../../../text/format-figures.ts';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioChangesEnglish } from '../../../words/en/portfolio/changes.ts';

const { say } = defineWords('portfolioChanges', portfolioChangesEnglish);

/** Minimum delegation of Solana's mainnet. The plan refuses less. */
const MINIMUM_LAMPORTS = 1_000_000_000n;

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

/** Lists the wallet's own stakes with other validators, including inactive ones. */
export const stakesElsewhere = <Account extends ElsewhereAccount>(
  accounts: readonly Account[],
  validatorVoteAccount: string,
): readonly Account[] =>
  accounts.filter(
    ({ role, voteAccount }) =>
      role === 'owner' && voteAccount !== null && voteAccount !== validatorVoteAccount,
  );

/** Finds the inactive stakes of other validators that reach the minimum, and their sum without rent. */
export const readyElsewhere = (
  accounts: readonly (ElsewhereAccount & Pick<StakeAccount, 'rentReserveSol'>)[],
  validatorVoteAccount: string,
): { readonly accounts: readonly string[]; readonly lamports: bigint } => {
  const stakes = stakesElsewhere(accounts, validatorVoteAccount)
    .filter(({ state }) => state === 'inactive')
    .map(({ address, lamports, rentReserveSol }) => ({
      address,
      lamports: BigInt(lamports) - lamportsOf(rentReserveSol),
    }))
    .filter(({ lamports }) => lamports >= MINIMUM_LAMPORTS);
  return {
    accounts: stakes.map(({ address }) => address),
    lamports: stakes.reduce((sum, { lamports }) => sum + lamports, 0n),
  };
};

interface BringStep {
  readonly words: string;
  /** True if there is something to sign now. */
  readonly isNow: boolean;
}

type Timing = Pick<
  EpochTiming,
  'currentEpoch' | 'estimatedEpochEnd' | 'earliestEpochEnd' | 'latestEpochEnd' | 'epochRewardsActive'
>;

const startOf = (epoch: number, account: ElsewhereAccount, timing: Timing, nowMs: number): string => {
  if (epoch === timing.currentEpoch + 1) return boundaryTime(timing, nowMs);
  const at = account.estimatedWithdrawableAt;
  return at === null || account.withdrawableAtEpoch !== epoch
    ? say('epochNumber', { epoch })
    : timeText(at, nowMs);
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
  if (blocked !== undefined) return { words: say(blocked.reason), isNow: false };
  if (timing.epochRewardsActive) return { words: say('rewardsTryAgain'), isNow: false };
  const { currentEpoch } = timing;
  if (state === 'inactive' || state === 'activating')
    return {
      words: say(state === 'inactive' ? 'stakeNowInactive' : 'stakeNowActivating', {
        epoch: currentEpoch + 1,
      }),
      isNow: plan !== null,
    };
  const later = plan?.laterSteps.find(({ stakeAccountAddress }) => stakeAccountAddress === address)?.epoch;
  const epoch = later ?? account.withdrawableAtEpoch ?? currentEpoch + 1;
  const start = startOf(epoch, account, timing, nowMs);
  const times = { start, epoch, next: epoch + 1 };
  return state === 'deactivating'
    ? { words: say('deactivates', times), isNow: false }
    : { words: say('deactivatesFirst', { ...times, current: currentEpoch }), isNow: plan !== null };
};
