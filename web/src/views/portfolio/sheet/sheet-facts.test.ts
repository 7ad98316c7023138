// Tests that the page's sheet has the same content as the command line's, account by account.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SHEET_WORDS, type SheetAccount, stakeSheet } from '../../../../../client/stake-sheet.ts';
import { dateText } from '../../../text/format-figures.ts';
import { portfolioAlertsEnglish } from '../../../words/en/portfolio/alerts.ts';
import { sheetFacts } from './sheet-facts.ts';

const account: SheetAccount = {
  address: 'A',
  sol: 12.5,
  state: 'active',
  stakeAuthority: 'W',
  withdrawAuthority: 'X',
  voteAccount: null,
  lockup: null,
};
const accounts: readonly SheetAccount[] = [
  ...['initialized', 'activating', 'active', 'deactivating', 'inactive'].map((state) => ({
    ...account,
    state,
  })),
  { ...account, voteAccount: 'V', lockup: { custodian: 'C', unixTimestamp: 1_900_000_000, epoch: 9 } },
  // Locked forever.
  { ...account, lockup: { custodian: 'C', unixTimestamp: Number.MAX_SAFE_INTEGER, epoch: 9 } },
];
/** Converts dates to the page's format, because the command line prints ISO 8601. */
const inPageDates = (text: string): string => text.replaceAll(/\+?\d{4,6}-\d\d-\d\dT[\d:.]+Z/g, dateText);

it('the values and the text on the page equal those of the sheet that the command line prints', () => {
  assert.deepEqual(
    accounts.map((one) => sheetFacts(one, 'W')),
    stakeSheet('W', accounts).map(({ facts }) => facts.map(([name, value]) => [name, inPageDates(value)])),
  );
  assert.equal(portfolioAlertsEnglish.sheetText, SHEET_WORDS);
});
