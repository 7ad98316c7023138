// Checks that more than five accounts are shown in a table: sorted by any column, opened individually, and
// changed together with one signature.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { browserSkip, screenshot, sharedBrowser } from '../support/browser.ts';
import { looksRight } from '../support/looks-right.ts';
import { mockWallet } from '../support/mock-wallet.ts';
import { sharedPageService } from '../support/page-fixture.ts';
import { endEpochs, stakeAccountsOf, stepIs } from '../support/page-steps.ts';
import { inState, openPortfolio, signInWallet, unstakeNow, walletWith } from './portfolio-steps.ts';

const service = sharedPageService({ before, after }, { skip: browserSkip });
const openBrowser = sharedBrowser({ before, after });

const rows = (page: Page) => page.locator('tr[data-account]');
const addressesOf = (page: Page) =>
  rows(page).evaluateAll((found) =>
    (found as unknown as { dataset: { account: string } }[]).map(({ dataset }) => dataset.account),
  );
const tick = async (page: Page, addresses: readonly unknown[]): Promise<void> => {
  for (const address of addresses)
    await page.locator(`tr[data-account="${address}"] input[type="checkbox"]`).check();
};
const done = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Done' }).click();

describe('many accounts on the page', { skip: browserSkip }, () => {
  it('are sorted by every column, opened for their buttons, and changed together', async (t) => {
    const wallet = await walletWith(service(), [2, 3, 4, 5, 6, 7, 8]);
    const { walletAddress } = wallet;
    const made = (await stakeAccountsOf(service(), walletAddress)).toSorted(
      (a, b) => Number(a.sol) - Number(b.sol),
    );
    for (const { address } of made.slice(0, 2)) await unstakeNow(service(), wallet, address as string);
    await endEpochs(service());
    await unstakeNow(service(), wallet, made[2]!.address as string);
    const { page, offences } = await openPortfolio(t, openBrowser, service(), wallet);
    const bar = page.getByRole('region', { name: 'Selected accounts' });
    const act = (goal: string) => bar.locator(`[data-selection="${goal}"]`);
    await rows(page).nth(6).waitFor();
    assert.equal(await page.locator('li[data-account]').count(), 0);

    const [, , cooling] = made.map(({ address }) => address);
    assert.equal((await addressesOf(page))[2], cooling, 'accounts that need attention come first');
    const sorted = page.getByRole('button', { name: 'SOL', exact: true });
    await sorted.press('Enter');
    const ascending = made.map(({ address }) => address);
    assert.deepEqual(await addressesOf(page), ascending);
    await sorted.press('Enter');
    assert.deepEqual(await addressesOf(page), ascending.toReversed());
    assert.equal(await page.locator('th[aria-sort="descending"]').innerText(), 'SOL');

    const [ready] = made;
    await page.locator(`tr[data-account="${ready!.address}"] button[aria-expanded]`).press('Enter');
    await page.getByRole('button', { name: 'Stake again' }).waitFor();
    assert.equal(await bar.count(), 0);
    await tick(page, ascending.slice(0, 6));
    assert.deepEqual(
      (await bar.getByRole('button').allInnerTexts()).map((text) => text.replaceAll(/[\d.]+/g, 'N')),
      [
        ...[
          'Withdraw N (N SOL)',
          'Stake N again',
          'Undo unstake of N',
          'Unstake N (N SOL)',
          'Merge N into one',
        ],
        'Clear',
      ],
    );
    await looksRight(page, 'accounts-table');

    await act('withdraw-all').press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Checked in your browser').waitFor();
    assert.equal(await dialog.locator('tbody tr').count(), 2);
    await signInWallet(page);
    await stepIs(page, 'confirmed', 'done');
    await bar.waitFor({ state: 'detached' });
    await done(page);

    // Five accounts are left, so they are shown as a list. Only more are shown as a table.
    await page.locator('li[data-account]').nth(4).waitFor();
    assert.equal((await mockWallet(page).state()).signed, 1);
    assert.deepEqual(offences(), []);
  });

  it('unstaking, keeping and merging change only the ticked accounts', async (t) => {
    const wallet = await walletWith(service(), [2, 3, 4, 5, 6, 7, 8, 9]);
    const { walletAddress } = wallet;
    const states = async () =>
      Object.fromEntries(
        (await stakeAccountsOf(service(), walletAddress)).map(({ address, state }) => [address, state]),
      );
    const all = Object.keys(await states());
    const [one, two, three, four] = all;
    const { page, offences } = await openPortfolio(t, openBrowser, service(), wallet);
    const act = async (goal: string): Promise<void> => {
      await page.locator(`[data-selection="${goal}"]`).press('Enter');
      await page.getByRole('dialog').getByText('Checked in your browser').waitFor();
      await screenshot(page, `accounts-table-${goal}`, false);
      await signInWallet(page);
      await stepIs(page, 'confirmed', 'done');
      await done(page);
    };
    await rows(page).nth(7).waitFor();
    await tick(page, [one, two, three]);
    await act('unstake');
    await inState(page, 'deactivating').nth(2).waitFor();
    const stateOf = (...cooling: readonly (string | undefined)[]) =>
      Object.fromEntries(all.map((each) => [each, cooling.includes(each) ? 'deactivating' : 'active']));
    assert.deepEqual(await states(), stateOf(one, two, three));
    await tick(page, [two, three, four]);
    await act('undo');
    assert.deepEqual(await states(), stateOf(one));
    await tick(page, [two, three, four]);
    await act('tidy');
    const left = Object.keys(await states());
    assert.equal(left.length, 6);
    assert.deepEqual(
      all.filter((each) => !left.includes(each)).every((each) => [two, three, four].includes(each)),
      true,
    );
    assert.deepEqual(offences(), []);
  });
});
