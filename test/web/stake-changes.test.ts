// Changes stake on the page, each time with one signature: an undo, an amount from several accounts, and a
// withdrawal of all inactive stake.
import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { browserSkip, screenshot, sharedBrowser } from '../support/browser.ts';
import { looksRight } from '../support/looks-right.ts';
import { mockWallet } from '../support/mock-wallet.ts';
import { sharedPageService } from '../support/page-fixture.ts';
import { endEpochs, stakeAccountsOf, stepIs } from '../support/page-steps.ts';
import type { TestWallet } from '../support/wallets.ts';
import {
  inState,
  openPortfolio as opened,
  signInWallet,
  walletWith as stakesOf,
  unstakeNow,
} from './portfolio-steps.ts';

const service = sharedPageService({ before, after }, { skip: browserSkip });
const openBrowser = sharedBrowser({ before, after });

const walletWith = (...amounts: number[]): Promise<TestWallet> => stakesOf(service(), amounts);
const openPortfolio = (t: TestContext, wallet: TestWallet) => opened(t, openBrowser, service(), wallet);
const unstake = (wallet: TestWallet, account: string) => unstakeNow(service(), wallet, account);

describe('changes of stake on the page', { skip: browserSkip }, () => {
  it('an unstake of this epoch is undone by keyboard with one signature, and after the boundary an undo is not offered', async (t) => {
    const wallet = await walletWith(2, 3);
    const [first] = await stakeAccountsOf(service(), wallet.walletAddress);
    await unstake(wallet, first!.address as string);
    const { page, offences } = await openPortfolio(t, wallet);
    const keep = page.getByRole('button', { name: 'Undo unstake' });
    await inState(page, 'deactivating')
      .getByRole('button', { name: /^Details of/ })
      .press('Enter');
    await inState(page, 'deactivating')
      .getByText(/^Costs nothing until this epoch ends, in about .*, at \d\d:\d\d\./)
      .waitFor();
    assert.equal(await keep.count(), 1, 'only on the deactivating account');
    await looksRight(page, 'undo');
    await keep.press('Enter');
    const review = page.getByRole('dialog', { name: 'Review undoing the unstake' });
    await review.getByText(/^Your [\d.]+ SOL stays staked and misses no rewards\.$/).waitFor();
    await review.getByText('How it works: 2 steps').click();
    await review.getByText('Undo unstake', { exact: true }).waitFor();
    await review.getByText('Checked in your browser').waitFor();
    await looksRight(page, 'undo-review', false);
    await signInWallet(page);
    await stepIs(page, 'confirmed', 'done');
    await page.getByText('Your SOL stays staked and keeps earning.').waitFor();
    await inState(page, 'active').nth(1).waitFor();
    assert.equal((await mockWallet(page).state()).signed, 1);
    assert.deepEqual(
      (await stakeAccountsOf(service(), wallet.walletAddress)).map(({ state }) => state),
      ['active', 'active'],
    );
    assert.equal(await keep.count(), 0);
    await screenshot(page, 'undo-done');

    await unstake(wallet, first!.address as string);
    await endEpochs(service());
    await page.reload();
    await inState(page, 'inactive').waitFor();
    assert.equal(await keep.count(), 0, 'inactive stake is staked again instead');
    assert.deepEqual(offences(), []);
  });

  it('part of an unstake is undone: the named amount stays staked, and the rest deactivates in another account', async (t) => {
    const wallet = await walletWith(6);
    const [only] = await stakeAccountsOf(service(), wallet.walletAddress);
    await unstake(wallet, only!.address as string);
    const { page, offences } = await openPortfolio(t, wallet);
    await inState(page, 'deactivating').getByRole('button', { name: 'Undo a part' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Undo a part of the unstake' });
    const field = dialog.getByLabel('Stays staked', { exact: true });
    await field.fill('7');
    await dialog.getByText(/^Only [\d.]+ SOL is deactivating\.$/).waitFor();
    assert.ok(await dialog.getByRole('button', { name: 'Review' }).isDisabled());
    await field.fill('2.5');
    await looksRight(page, 'undo-part');
    await field.press('Enter');
    const review = page.getByRole('dialog', { name: 'Review undoing the unstake' });
    await review.getByText('Your 2.5 SOL stays staked and misses no rewards.').waitFor();
    await review.getByText('Checked in your browser').waitFor();
    await signInWallet(page);
    await stepIs(page, 'confirmed', 'done');
    await inState(page, 'active').waitFor();
    const after = await stakeAccountsOf(service(), wallet.walletAddress);
    const stakeIn = (state: string) => after.find((account) => account.state === state)!;
    assert.equal(stakeIn('active').address, only!.address);
    assert.equal(stakeIn('active').activeSol, 2.5);
    assert.notEqual(stakeIn('deactivating').address, only!.address);
    assert.deepEqual(offences(), []);
  });

  it('exactly 5 SOL is unstaked from 2 + 2 + 10, and an unreachable amount gets the nearest ones as suggestions', async (t) => {
    const wallet = await walletWith(2, 2, 10);
    const { page, offences } = await openPortfolio(t, wallet);
    const opener = page.getByRole('button', { name: 'Unstake an amount' });
    const card = page.getByRole('dialog', { name: 'Unstake an amount' });
    await opener.press('Enter');
    const field = card.getByLabel('Unstake', { exact: true });
    const table = card.getByRole('table', { name: 'Balances of your stake accounts, with their rent' });
    await field.fill('0');
    await card.getByText('Enter more than 0.').waitFor();
    await field.fill('13.5');
    await card.getByText(/^This exact amount is not possible/).waitFor();
    assert.equal(await card.getByRole('button', { name: 'Review unstaking' }).isDisabled(), true);
    const nearby = card.getByRole('button', { name: / SOL$/ });
    assert.equal(await nearby.count(), 2);
    await looksRight(page, 'unstake-not-reachable');
    assert.equal(await card.locator('[data-reachable]').count(), 2, 'up to 13 less rent, and everything');
    const [below, above] = (await nearby.allInnerTexts()).map((text) => text.replace(' SOL', ''));
    await nearby.first().press('Enter');
    await table.waitFor();
    const slider = card.getByRole('slider', { name: 'Amount to unstake' });
    await slider.press('ArrowRight');
    assert.equal(await field.inputValue(), above, 'the slider skips impossible amounts');
    await slider.press('ArrowLeft');
    assert.equal(await field.inputValue(), below);
    await field.fill('1000');
    await card.getByText('That is more than you have staked.').waitFor();
    await card.getByRole('button', { name: 'Max' }).press('Enter');
    await card.getByText(/^Up to 14(\.\d+)? SOL$/).waitFor();
    assert.equal(await field.inputValue(), '14', 'everything is what the accounts hold, with their rent');
    await card.getByText(/^You can withdraw 14 SOL from/).waitFor();
    const balances = await table.locator('td strong').allInnerTexts();
    assert.deepEqual(balances.toSorted(), ['10 SOL', '10 SOL', '2 SOL', '2 SOL', '2 SOL', '2 SOL']);

    // If the amount is submitted before its plan has arrived, the review opens once it has.
    const review = page.getByRole('dialog', { name: 'Review unstaking' });
    await field.fill('5');
    await field.press('Enter');
    await review.getByRole('button', { name: 'Sign in wallet' }).waitFor();
    await page.keyboard.press('Escape');
    await review.waitFor({ state: 'detached' });
    await opener.press('Enter');
    await table.waitFor();
    await card.getByText(/^You can withdraw .* SOL from .*\d\d:\d\d \(.*\)\.$/).waitFor();
    await card.getByText('Network fee').waitFor();
    const planned = await table.locator('tbody tr').allInnerTexts();
    await looksRight(page, 'unstake-amount');
    await field.press('Enter');
    await review.getByText('Checked in your browser').waitFor();
    assert.deepEqual(await review.locator('tbody tr').allInnerTexts(), planned, 'the review shows the same');
    // Two accounts are deactivated as a whole or after a move. The transaction alone does not show their
    // amount, so an RPC node or the user must confirm it.
    await review.getByText('These details depend on your accounts, not on the transaction').waitFor();
    await review
      .getByText(/All of its stake is deactivated\./)
      .first()
      .waitFor();
    await looksRight(page, 'unstake-review', false);
    await signInWallet(page);
    await stepIs(page, 'confirmed', 'done');
    assert.equal((await mockWallet(page).state()).signed, 1);
    const accounts = await stakeAccountsOf(service(), wallet.walletAddress);
    const cooling = accounts.reduce((sum, { deactivatingSol }) => sum + Number(deactivatingSol), 0);
    assert.ok(Math.abs(cooling - 5) < 0.01, `${cooling} SOL are deactivating`);
    await opener.press('Enter');
    assert.equal(await field.inputValue(), '', 'nothing is left to be signed twice');
    await screenshot(page, 'unstake-done');

    // Stake that is already deactivating has its own line, and the requested amount is in addition to it.
    await card.getByText('Already deactivating').waitFor();
    await field.fill('2');
    await card.getByRole('button', { name: 'Review unstaking' }).click();
    await review.getByText('Checked in your browser').waitFor();
    await signInWallet(page);
    await stepIs(page, 'confirmed', 'done');
    const later = await stakeAccountsOf(service(), wallet.walletAddress);
    const more = later.reduce((sum, { deactivatingSol }) => sum + Number(deactivatingSol), 0);
    assert.ok(Math.abs(more - cooling - 2) < 1e-6, `${more} SOL are deactivating`);
    assert.deepEqual(offences(), []);
  });

  it('a review that is open when the epoch ends is built again and says so, and one that is in the wallet advises to reject it', async (t) => {
    const wallet = await walletWith(3);
    const { page, requests, offences } = await openPortfolio(t, wallet);
    const builds = () => requests.filter((one) => one.endsWith('/api/v1/unstake/transaction')).length;
    await inState(page, 'active').getByRole('button', { name: 'Unstake' }).click();
    const review = page.getByRole('dialog', { name: 'Review unstaking' });
    await review.getByText('Checked in your browser').waitFor();
    assert.equal(builds(), 1);
    const isHeld = Promise.withResolvers<void>();
    await page.route('**/api/v1/unstake/transaction', async (route) => {
      await isHeld.promise;
      await route.continue();
    });
    await endEpochs(service());
    await review.getByText('The epoch ended').waitFor();
    await review.getByText(/^The transaction is being built again for epoch \d+\.$/).waitFor();
    isHeld.resolve();
    await review.getByText(/^The transaction was built again for epoch \d+\./).waitFor();
    await review.getByText('Checked in your browser').waitFor();
    assert.deepEqual([builds(), (await mockWallet(page).state()).asked], [2, 0]);
    await looksRight(page, 'epoch-ended-review', false);

    await mockWallet(page).setMode('hold');
    await signInWallet(page);
    await mockWallet(page).asked(1);
    const signing = builds();
    await endEpochs(service());
    await review.getByText(/reject this one in your wallet\.$/).waitFor();
    assert.equal(builds(), signing, 'the wallet still has the reviewed transaction');
    await mockWallet(page).release();
    await stepIs(page, 'confirmed', 'done');
    assert.deepEqual(offences(), []);
  });

  it('an undo that is open when the epoch ends fails without offering to try it again', async (t) => {
    const wallet = await walletWith(3);
    const [staked] = await stakeAccountsOf(service(), wallet.walletAddress);
    await endEpochs(service());
    await unstake(wallet, staked!.address as string);
    const { page, offences } = await openPortfolio(t, wallet);
    await inState(page, 'deactivating').getByRole('button', { name: 'Undo unstake' }).click();
    await page.getByText('Checked in your browser').waitFor();
    await endEpochs(service());
    await page.getByText('Not sent: Undo too late').waitFor();
    await page.getByText('the Stake again button of the account on the Portfolio page').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
    await page.getByRole('button', { name: 'Dismiss', exact: true }).click();
    await inState(page, 'inactive').getByRole('button', { name: 'Stake again' }).waitFor();
    assert.deepEqual(offences(), []);
  });

  it('everything inactive is withdrawn with one signature', async (t) => {
    const wallet = await walletWith(2, 3, 4);
    const [first, second] = await stakeAccountsOf(service(), wallet.walletAddress);
    for (const account of [first, second]) await unstake(wallet, account!.address as string);
    await endEpochs(service());
    const { page, offences } = await openPortfolio(t, wallet);
    await inState(page, 'inactive').nth(1).waitFor();
    const line = page.locator('[data-suggested="withdraw-all"]');
    await line.getByText('2 accounts are inactive. One signature is enough for all of them.').waitFor();
    const next = page.getByRole('region', { name: 'Next step' }).getByRole('button');
    assert.equal(await next.innerText(), await line.getByRole('button').innerText(), 'one sum of all');
    await looksRight(page, 'withdraw-all');
    await line.getByRole('button', { name: /^Withdraw all .* SOL$/ }).press('Enter');
    const review = page.getByRole('dialog', { name: 'Review your withdrawal' });
    await review.getByText(/^You get .* SOL now\.$/).waitFor();
    await looksRight(page, 'withdraw-all-review', false);
    await signInWallet(page);
    await stepIs(page, 'confirmed', 'done');
    assert.equal((await mockWallet(page).state()).signed, 1);
    assert.equal((await stakeAccountsOf(service(), wallet.walletAddress)).length, 1);
    await line.waitFor({ state: 'detached' });
    assert.deepEqual(offences(), []);
  });

  it('an amount from twenty-five accounts takes two transactions in one review, each signed separately', async (t) => {
    const wallet = await stakesOf(
      service(),
      Array.from({ length: 25 }, () => 1.5),
      false,
    );
    const { page, offences } = await openPortfolio(t, wallet);
    await page.getByRole('button', { name: 'Unstake an amount' }).click();
    const card = page.getByRole('dialog', { name: 'Unstake an amount' });
    await card.getByRole('button', { name: 'Max' }).click();
    await card
      .getByText('2 transactions: your wallet will ask you to sign them one after the other.')
      .waitFor();
    await card.getByRole('button', { name: 'Review unstaking' }).click();
    const review = page.getByRole('dialog', { name: 'Review unstaking' });
    await review.getByText('Transaction 1 of 2').waitFor();
    await looksRight(page, 'unstake-several-review', false);
    await signInWallet(page);
    // The heading of the second transaction disappears once that transaction is confirmed. On a busy machine,
    // the test would miss it.
    while ((await mockWallet(page).state()).signed < 2) await page.waitForTimeout(100);
    await stepIs(page, 'confirmed', 'done');
    await looksRight(page, 'unstake-several-done');
    assert.equal((await mockWallet(page).state()).signed, 2);
    const states = (await stakeAccountsOf(service(), wallet.walletAddress)).map(({ state }) => state);
    assert.deepEqual(
      states,
      Array(25).fill('inactive'),
      'stake that was never active is inactive immediately',
    );

    // Each change is one line of the history, with its steps.
    await endEpochs(service());
    await page.reload();
    await page.getByRole('tab', { name: 'History' }).click();
    const history = page.getByRole('tabpanel', { name: 'History' });
    await history.locator('summary', { hasText: 'steps' }).first().click();
    await history
      .getByText(/^Deactivated .* \(1\.49\d* SOL\)$/)
      .first()
      .waitFor();
    await looksRight(page, 'history-steps');
    assert.deepEqual(offences(), []);
  });
});
