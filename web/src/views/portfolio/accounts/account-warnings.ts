// Builds warnings about stake accounts that other addresses can control.
import type { Notice } from '../../../../../client/generated/shared-types.ts';
import type { StakeAccount } from '../../../../../client/generated/stake-operations.ts';
import { shortAddress } from '../../../../../src/domain/short-address.ts';
import { unixDateText } from '../../../text/format-figures.ts';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioAccountsEnglish } from '../../../words/en/portfolio/accounts.ts';

const { say } = defineWords('portfolioAccounts', portfolioAccountsEnglish);

export type WarnedAccount = Pick<
  StakeAccount,
  'role' | 'stakeAuthority' | 'withdrawAuthority' | 'lockup' | 'state'
>;

const lockupWords = ({ unixTimestamp, epoch, custodian }: NonNullable<StakeAccount['lockup']>): string => {
  const by = { custodian: shortAddress(custodian) };
  if (unixTimestamp <= 0) return say('lockedUntil', { end: say('oneEpoch', { epoch }), ...by });
  const date = unixDateText(unixTimestamp);
  return epoch > 0
    ? say('lockedUntilBoth', { date, epoch, ...by })
    : say('lockedUntil', { end: date, ...by });
};

/**
 * Builds the sentences; empty if only the wallet controls the account. A warning that the alert `above` the
 * view already gives is omitted.
 */
export const accountWarnings = (
  account: WarnedAccount,
  walletAddress: string,
  above: Notice['code'] | null = null,
): readonly string[] => [
  ...(account.role === 'staker'
    ? [say('ownedBy', { owner: shortAddress(account.withdrawAuthority) })]
    : account.stakeAuthority === walletAddress || above === 'FOREIGN_STAKE_AUTHORITY'
      ? []
      : [say('foreignAuthority', { authority: shortAddress(account.stakeAuthority) })]),
  ...(account.lockup === null ? [] : [lockupWords(account.lockup)]),
];
