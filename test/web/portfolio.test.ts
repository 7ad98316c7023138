// Completes the second half of a stake's lifecycle on the page alone: the stake is watched, unstaked,
// deactivated, and withdrawn in part and in full, with its rewards.
import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import type { EpochReward, StakingRewardsAnswer } from '../../client/generated/stake-operations.ts';
import { exactSol, lamportsOf, solShort } from '../../web/src/text/format-figures.ts';
import { seriousFaults } from '../support/axe.ts';
import { browserSkip, screenshot, sharedBrowser, type TestPageOptions } from '../support/browser.ts';
import { looksRight } from '../support/looks-right.ts';
import { sharedPageService } from '../support/page-fixture.ts';
import {
  connectFunded,
  endEpochs,
  reviewStake,
  stakeAccountsOf,
  stepIs,
  walletAddressOf,
} from '../support/page-steps.ts';
import { openPortfolio, walletWith } from './portfolio-steps.ts';

const service = sharedPageService({ before, after }, { skip: browserSkip });
const openBrowser = sharedBrowser({ before, after });
const open = (t: TestContext, more: Partial<TestPageOptions> = {}) =>
  openBrowser(t, { url: service().url, path: '/portfolio', ...more });

const recommended = (page: Page, action: string): Promise<void> =>
  page.locator(`[data-recommended="${action}"]`).waitFor();
const sign = (page: Page): Promise<void> => page.getByRole('button', { name: 'Sign in wallet' }).click();
const endEpoch = (page: Page): Promise<void> => page.getByRole('button', { name: 'End epoch' }).click();
const done = (page: Page): Promise<void> =>
  page.getByRole('main').getByRole('button', { name: 'Done' }).click();
const accounts = (page: Page) => page.locator('li[data-account]');
const inState = (page: Page, state: string): Promise<void> =>
  page.locator(`li[data-account][data-state="${state}"]`).waitFor();

/** Opens a page whose wallet has one stake of this size, active since the last epoch. */
const withActiveStake = async (t: TestContext, amountSol: string): Promise<Page> => {
  const { page } = await open(t, { path: '/' });
  await connectFunded(page);
  await reviewStake(page, amountSol);
  await sign(page);
  await stepIs(page, 'confirmed', 'done');
  await endEpoch(page);
  await page.getByRole('link', { name: 'Portfolio', exact: true }).first().click();
  await inState(page, 'active');
  await done(page);
  return page;
};

describe('the portfolio of a connected wallet', { skip: browserSkip }, () => {
  it('goes from available SOL to active stake, through unstaking and the end of the epoch, to everything withdrawn', async (t) => {
    const { page, offences } = await open(t);
    await page.getByText('Choose a wallet').waitFor();
    const walletAddress = await connectFunded(page);

    await recommended(page, 'STAKE');
    await page.getByText('No stake here').waitFor();
    await page.getByRole('region', { name: 'Next step' }).getByRole('link', { name: 'Stake it' }).click();
    // The idle amount is filled in.
    assert.equal(await page.getByRole('textbox', { name: 'Stake SOL' }).inputValue(), '99.995');
    await reviewStake(page, '99.995');
    await sign(page);
    await stepIs(page, 'turning', 'current');
    await page.getByRole('link', { name: 'Portfolio', exact: true }).first().click();
    await recommended(page, 'WAIT');
    await inState(page, 'activating');
    await endEpoch(page);
    await stepIs(page, 'turned', 'done');
    await recommended(page, 'HOLD');
    // The stake is shown as the account's balance, which is the typed amount. The overview lists its rent
    // separately.
    assert.equal(await page.locator('[data-total-staked="99.995"]').innerText(), '99.995');
    assert.equal(await accounts(page).locator('[class*="amount"]').innerText(), '99.995 SOL');
    assert.equal(await page.locator('[data-part="active"] dd').innerText(), '99.9933 SOL');
    assert.equal(await page.locator('[data-part="rent"] dd').innerText(), '0.001666 SOL');
    await done(page);

    // From here on, the test uses the keyboard.
    await accounts(page).getByRole('button', { name: 'Unstake' }).press('Enter');
    const review = page.getByRole('dialog');
    await review.getByText(/^Stop delegating/).waitFor({ state: 'attached' });
    await review.getByText('Checked in your browser').waitFor();
    // The outcome comes first: the amount, its time and the cost.
    const [outcome, cost] = await review.getByRole('paragraph').allInnerTexts();
    assert.match(outcome!, /^You can withdraw [\d.]+ SOL from .*\d\d:\d\d.*\.$/);
    assert.match(cost!, /^Network fee: 0\.\d+ SOL\.$/);
    // Checks without information are not listed.
    const checks = review.getByText(/transaction checks passed$/).locator('xpath=ancestor::details');
    assert.match(await checks.innerText(), /^[1-9]/);
    for (const text of await checks.getByRole('listitem').allTextContents())
      assert.doesNotMatch(text, /none$|correct/);
    await sign(page);
    await stepIs(page, 'turning', 'current');
    await recommended(page, 'WAIT');
    await inState(page, 'deactivating');
    assert.equal(await page.getByRole('button', { name: /^(Unstake|Withdraw)/ }).count(), 0);
    await endEpoch(page);
    await stepIs(page, 'turned', 'done');
    await done(page);

    await recommended(page, 'WITHDRAW');
    const [cooled] = await stakeAccountsOf(service(), walletAddress);
    // Amounts are exact wherever a user signs.
    const amount = cooled!.sol as number;
    await page.getByRole('button', { name: `Withdraw ${solShort(amount)} SOL`, exact: true }).click();
    await review.getByText(`You get ${amount} SOL now.`).waitFor();
    await sign(page);
    await stepIs(page, 'confirmed', 'done');
    await page.getByText(`${amount} SOL is in your wallet`).waitFor();
    await page.getByText('No stake here').waitFor();
    assert.equal(await accounts(page).count(), 0);
    assert.deepEqual(await stakeAccountsOf(service(), walletAddress), []);
    const { sol } = await service().client.get(`/api/v1/wallet/balance/${walletAddress}`);
    assert.ok(sol > 100, `rewards were withdrawn with the stake: ${sol}`);

    await page.getByRole('tab', { name: 'History' }).click();
    const rows = page.getByRole('tabpanel', { name: 'History' }).getByRole('row');
    await rows.nth(3).waitFor();
    const types = await rows.locator('td:first-child').allInnerTexts();
    assert.match(types.join(', '), /^Withdraw [\d.]+ SOL, Unstake [\d.]+ SOL, Stake [\d.]+ SOL$/);
    assert.deepEqual(offences(), []);
  });

  it('inactive stake is staked again: reviewed, signed, active at the next boundary', async (t) => {
    const page = await withActiveStake(t, '5');
    await accounts(page).getByRole('button', { name: 'Unstake' }).click();
    await sign(page);
    await inState(page, 'deactivating');
    assert.equal(await page.getByRole('button', { name: 'Stake again' }).count(), 0);
    await endEpoch(page);
    await inState(page, 'inactive');
    await done(page);
    await page.getByRole('button', { name: 'Stake again' }).click();
    const review = page.getByRole('dialog', { name: 'Review staking again' });
    await review.getByText(/^Delegate .* again to/).waitFor({ state: 'attached' });
    await review.getByText('Checked in your browser').waitFor();
    await screenshot(page, 'restake-review');
    assert.deepEqual(await seriousFaults(page), []);
    await sign(page);
    await stepIs(page, 'turning', 'current');
    await inState(page, 'activating');
    await endEpoch(page);
    await inState(page, 'active');
    await stepIs(page, 'turned', 'done');
    await screenshot(page, 'restake-active');
    const [account] = await stakeAccountsOf(service(), await walletAddressOf(page));
    assert.equal(account!.state, 'active');
    await page.getByRole('tab', { name: 'History' }).click();
    const rows = page.getByRole('tabpanel', { name: 'History' }).getByRole('row');
    await rows.nth(3).waitFor();
    assert.match(
      (await rows.locator('td:first-child').allInnerTexts()).slice(0, 3).join(', '),
      /^Stake again [45]\.\d+ SOL, Unstake 4\.\d+ SOL, Stake 5 SOL$/,
    );
  });

  it('a part is withdrawn to the lamport and the account stays open, and an amount above the limits is explained', async (t) => {
    const page = await withActiveStake(t, '5');
    await accounts(page).getByRole('button', { name: 'Unstake' }).click();
    await sign(page);
    await inState(page, 'deactivating');
    await endEpoch(page);
    await inState(page, 'inactive');
    await done(page);
    const walletAddress = await walletAddressOf(page);
    const [before] = await stakeAccountsOf(service(), walletAddress);

    await accounts(page).getByRole('button', { name: 'Withdraw' }).click();
    const dialog = page.getByRole('dialog', { name: 'Withdraw' });
    await dialog.getByText('The stake account closes').waitFor();
    await dialog.getByText('A part').click();
    const amount = dialog.getByLabel('Withdraw', { exact: true });
    const review = dialog.getByRole('button', { name: 'Review withdrawal' });
    assert.equal(await review.isDisabled(), true);
    await amount.fill(String(before!.sol));
    await dialog.getByText(/SOL of rent keeps the account open/).waitFor();
    assert.equal(await review.isDisabled(), true);
    await dialog.getByRole('button', { name: 'Max' }).click();
    assert.equal(await amount.inputValue(), String(before!.partialWithdrawMaxSol));
    await amount.fill('2.000000001');
    assert.deepEqual(await seriousFaults(page), []);
    await screenshot(page, 'portfolio-withdraw-light', false);
    await amount.press('Enter');
    await page.getByText('You get 2.000000001 SOL now.').waitFor();
    await sign(page);
    await stepIs(page, 'confirmed', 'done');
    const [left, ...others] = await stakeAccountsOf(service(), walletAddress);
    assert.deepEqual(others, []);
    assert.equal(BigInt(left!.lamports as number), BigInt(before!.lamports as number) - 2_000_000_001n);
    await page.getByText(`${left!.sol}`.slice(0, 6)).first().waitFor();
  });

  it('the excess of a stake is withdrawn while the stake stays', async (t) => {
    const page = await withActiveStake(t, '4');
    const walletAddress = await walletAddressOf(page);
    const [staked] = await stakeAccountsOf(service(), walletAddress);
    await service().client.post('/sandbox/airdrop', { walletAddress: staked!.address, amountSol: 0.5 });
    await page.reload();
    const [richer] = await stakeAccountsOf(service(), walletAddress);
    await page.getByRole('button', { name: /^Withdraw .* unstaked SOL$/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Withdraw' });
    await dialog.getByText('Your stake stays active').waitFor();
    assert.equal(await dialog.getByText('Everything').count(), 0);
    const amount = dialog.getByLabel('Withdraw', { exact: true });
    assert.equal(await amount.inputValue(), String(richer!.excessSol));
    await amount.fill('1');
    await dialog.getByText(/is not staked\. Unstake to withdraw the rest/).waitFor();
    await amount.fill('0.5');
    await dialog.getByRole('button', { name: 'Review withdrawal' }).click();
    await page.getByText('You get 0.5 SOL now.').waitFor();
    await sign(page);
    await stepIs(page, 'confirmed', 'done');
    const [left] = await stakeAccountsOf(service(), walletAddress);
    assert.deepEqual(
      [left!.state, left!.activeSol, BigInt(left!.lamports as number)],
      ['active', staked!.activeSol, BigInt(richer!.lamports as number) - 500_000_000n],
    );
  });

  it('rewards are a chart by epoch, in total or of the stake alone, with exact figures by mouse, keyboard and table', async (t) => {
    const wallet = await walletWith(service(), [5, 3]);
    await endEpochs(service(), 3);
    const { page, offences } = await openPortfolio(t, openBrowser, service(), wallet);
    const { rewards, totals } = (await service().client.get(
      `/api/v1/stake/rewards/${wallet.walletAddress}`,
    )) as StakingRewardsAnswer;
    const panel = page.getByRole('tabpanel', { name: 'Rewards' });
    const choose = (name: string): Promise<void> =>
      panel.getByRole('group', { name: 'Chart' }).getByText(name, { exact: true }).click();
    const chart = panel.getByRole('application');
    const tooltip = chart.getByText(/^Epoch \d+$/).locator('..');
    /** Returns the epoch and the last figure of each table row. */
    const rows = (): Promise<string[]> => panel.locator('table tbody tr').allInnerTexts();
    const last = (rewards as readonly EpochReward[]).filter(({ epoch }) => epoch === rewards[0]!.epoch);
    const sum = (figures: readonly (number | null)[]): string =>
      exactSol(figures.reduce((total, sol) => total + lamportsOf(sol!), 0n));

    await panel.locator('canvas').waitFor();
    await looksRight(page, 'portfolio-rewards-epoch');
    await choose('Total');
    await panel.getByText('Total rewards since the first epoch shown').first().waitFor();
    const total = `${sum([totals.inflationSol, totals.tipsSol])} SOL`;
    assert.match((await rows()).at(-1)!, new RegExp(`^Epoch ${last[0]!.epoch}\\s+${total}$`));
    await looksRight(page, 'portfolio-rewards-total');

    await choose('Stake');
    const stake = `${sum(last.map(({ balanceAfterSol }) => balanceAfterSol))} SOL`;
    assert.match((await rows()).at(-1)!, new RegExp(`^Epoch ${last[0]!.epoch}\\s+${stake}$`));
    await looksRight(page, 'portfolio-rewards-stake');
    // Tab shows the newest point, and other keys move between points and leave the chart.
    await panel.getByRole('link', { name: 'CSV' }).focus();
    await page.keyboard.press('Tab');
    await chart.and(page.locator(':focus')).waitFor();
    await tooltip.getByText(stake, { exact: true }).waitFor();
    assert.equal(await tooltip.getAttribute('aria-live'), 'polite');
    await page.keyboard.press('ArrowLeft');
    await tooltip.getByText(`Epoch ${last[0]!.epoch - 1}`, { exact: true }).waitFor();
    await page.keyboard.press('End');
    await tooltip.getByText(`Epoch ${last[0]!.epoch}`, { exact: true }).waitFor();
    await screenshot(page, 'portfolio-rewards-key');
    await page.keyboard.press('Tab');
    await tooltip.waitFor({ state: 'hidden' });
    const { x, y, width, height } = (await chart.boundingBox())!;
    await page.mouse.move(x + width - 2, y + height / 2);
    await tooltip.getByText(stake, { exact: true }).waitFor();
    assert.deepEqual(offences(), []);
  });

  it('a refusal by the service is shown in its own words', async (t) => {
    const page = await withActiveStake(t, '3');
    // Unstaked elsewhere, for example in another tab, while this page still offers it.
    await page.context().route('**/api/v1/unstake/transaction', async (route) => {
      const asked = route.request().postDataJSON() as object;
      const response = await route.fetch({
        postData: { ...asked, stakeAccountAddress: await walletOf(asked) },
      });
      await route.fulfill({ response });
    });
    await accounts(page).getByRole('button', { name: 'Unstake' }).click();
    const card = page.getByRole('region', { name: 'Unstaking' });
    await card
      .getByText(/is not a stake account/i)
      .first()
      .waitFor();
    await card.getByRole('button', { name: 'Dismiss' }).click();
    assert.equal(await accounts(page).count(), 1);
  });
});

const walletOf = async (asked: object): Promise<string> => (asked as { walletAddress: string }).walletAddress;
