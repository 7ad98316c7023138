// Describes when a confirmed stake begins to earn, and how early it can be unstaked.
import type { StakeAccount } from '../../../../client/generated/stake-operations.ts';
import { shortAddress } from '../../../../src/domain/short-address.ts';
import { boundaryTime, boundedTime, type EpochBoundary } from '../../text/epoch-boundary.ts';
import { atTimeText, durationText } from '../../text/format-figures.ts';
import { defineWords } from '../../words/define-words.ts';
import { outcomeEnglish } from '../../words/en/flow/outcome.ts';

const { say } = defineWords('outcome', outcomeEnglish);

/** Null while unknown. */
interface StakedFacts {
  /** True once the stake is active. */
  readonly isEarning: boolean;
  readonly account: Pick<
    StakeAccount,
    'state' | 'activeSol' | 'ifUnstakedNow' | 'stakeAuthority' | 'withdrawAuthority'
  > | null;
  readonly boundary: EpochBoundary | null;
}

/** `earning` says when the stake begins to earn. `unstaking` is null while unknown. */
export const stakedWords = (
  { isEarning, account, boundary }: StakedFacts,
  nowMs: number,
): { readonly earning: string; readonly unstaking: string | null } => {
  const now = account?.ifUnstakedNow;
  return {
    earning: isEarning
      ? say('earnsNow')
      : boundary === null || Date.parse(boundary.estimatedEpochEnd) - nowMs < 1_000
        ? say('withNextEpoch')
        : say('inAbout', {
            time: atTimeText(boundary.estimatedEpochEnd, nowMs, boundaryTime(boundary, nowMs)),
            duration: durationText((Date.parse(boundary.estimatedEpochEnd) - nowMs) / 1000),
          }),
    unstaking:
      !account || !now
        ? null
        : account.stakeAuthority !== account.withdrawAuthority
          ? say('byStakeAuthority', { authority: shortAddress(account.stakeAuthority) })
          : account.state === 'activating' && account.activeSol === 0
            ? say('freeUntilActive')
            : say('readyIfUnstakedNow', { time: boundedTime(now.at, [now.earliest, now.latest], nowMs) }),
  };
};

/**
 * Screen readers announce it once after the confirmation and once when the stake earns, so it contains no
 * countdown.
 */
export const stakedAnnouncement = (title: string, isEarning: boolean): string =>
  say(isEarning ? 'announcedEarning' : 'announced', { title });
