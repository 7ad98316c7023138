// Describes the state of a stake account in the page's language, from the members of the service's answer.
import type { EpochTiming } from '../../../../../client/generated/shared-types.ts';
import type { StakeAccount } from '../../../../../client/generated/stake-operations.ts';
import { lamportsOf, solText, unixDateText } from '../../../text/format-figures.ts';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioAccountsEnglish } from '../../../words/en/portfolio-accounts.ts';

const { say } = defineWords('portfolioAccounts', portfolioAccountsEnglish);

/** The account fields needed. */
export type DescribedAccount = Pick<
  StakeAccount,
  | 'state'
  | 'activeSol'
  | 'activatingSol'
  | 'activationEpoch'
  | 'deactivationEpoch'
  | 'withdrawableAtEpoch'
  | 'withdrawReady'
  | 'lockup'
>;

const sol = (amount: number): string => solText(lamportsOf(amount));

const stateSentence = (account: DescribedAccount): string => {
  const { state, activationEpoch, deactivationEpoch, withdrawableAtEpoch: epoch } = account;
  const [active, activating] = [sol(account.activeSol), sol(account.activatingSol)];
  const since = deactivationEpoch ?? '–';
  switch (state) {
    case 'initialized':
      return say('stateInitialized');
    case 'activating':
      return account.activeSol > 0
        ? say('statePartlyActive', { active, activating })
        : say('stateActivating', { activating });
    case 'active':
      return say('stateActive', { active });
    case 'deactivating':
      return epoch === null
        ? say('stateDeactivating', { since, active })
        : say('stateDeactivatingUntil', { since, active, epoch });
    case 'inactive':
      return say(activationEpoch === deactivationEpoch ? 'stateNeverActive' : 'stateInactive');
  }
};

const LAST_DATE_SECONDS = 8_640_000_000_000;

/** Empty after the lockup has ended. The service limits endless lockups to the largest integer of JSON. */
const lockupSentences = ({ lockup }: DescribedAccount, currentEpoch: number, nowMs: number): string[] => {
  if (lockup === null) return [];
  const { custodian, unixTimestamp: seconds, epoch } = lockup;
  const ends = [
    ...(seconds * 1_000 <= nowMs
      ? []
      : [seconds > LAST_DATE_SECONDS ? say('neverDate') : unixDateText(seconds)]),
    ...(epoch <= currentEpoch
      ? []
      : [epoch >= Number.MAX_SAFE_INTEGER ? say('neverEpoch') : say('oneEpoch', { epoch })]),
  ];
  const [end, later] = ends;
  if (end === undefined) return [];
  return [
    later === undefined
      ? say('stateLocked', { end, custodian })
      : say('stateLockedBoth', { end, later, custodian }),
  ];
};

/** The state, then other obstacles to a withdrawal. */
export const stateWords = (
  account: DescribedAccount,
  { currentEpoch, epochRewardsActive }: Pick<EpochTiming, 'currentEpoch' | 'epochRewardsActive'>,
  nowMs: number,
): string =>
  [
    stateSentence(account),
    ...lockupSentences(account, currentEpoch, nowMs),
    ...(epochRewardsActive ? [say('stateRewards')] : []),
    ...(account.withdrawReady ? [say('stateWithdrawable')] : []),
  ].join(' ');
