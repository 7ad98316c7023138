// Lists the values of one stake account on a sheet, by name, in the page's language.
import type { SheetAccount } from '../../../../../client/stake-sheet.ts';
import { lamportsOf, solText, unixDateText } from '../../../text/format-figures.ts';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioAlertsEnglish } from '../../../words/en/portfolio/alerts.ts';

const { say } = defineWords('portfolioAlerts', portfolioAlertsEnglish);

const lockupText = ({ lockup }: SheetAccount): string =>
  lockup === null
    ? say('sheetNone')
    : say('sheetLockedUntil', {
        epoch: lockup.epoch,
        time: unixDateText(lockup.unixTimestamp),
        custodian: lockup.custodian,
      });

/** Returns the same values as the command line prints, in the same order. */
export const sheetFacts = (
  account: SheetAccount,
  walletAddress: string,
): readonly (readonly [name: string, value: string])[] => {
  const { sol, state, stakeAuthority, withdrawAuthority, voteAccount } = account;
  const whose = (authority: string): string =>
    say(authority === walletAddress ? 'sheetThisWallet' : 'sheetOtherWallet', { authority });
  return [
    [say('sheetHolds'), say('sheetAmount', { amount: solText(lamportsOf(sol)), state })],
    [say('sheetValidator'), voteAccount ?? say('sheetNone')],
    [say('sheetMayUnstake'), whose(stakeAuthority)],
    [say('sheetMayWithdraw'), whose(withdrawAuthority)],
    [say('sheetLockup'), lockupText(account)],
  ];
};
