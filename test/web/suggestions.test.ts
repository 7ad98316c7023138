// Checks that the suggestions above the accounts show the figures of the plans to sign: idle SOL withdrawn or
// staked, and accounts merged.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import { shortAddress } from '../../src/domain/short-address.ts';
import { solShort } from '../../web/src/text/format-figures.ts';
import { browserSkip, sharedBrowser } from '../support/browser.ts';
import { authorize } from '../support/index-fixture.ts';
import { looksRight } from '../support/looks-right.ts';
import { sharedPageService } from '../support/page-fixture.ts';
import { stakeAccountsOf, stepIs } from '../support/page-steps.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import { newWallet, type TestWallet } from '../support/wallets.ts';
import { inState, openPortfolio, signInWallet, walletWith } from './portfolio-steps.ts';

const service = sharedPageService({ before, after }, { skip: browserSkip });
const openBrowser = sharedBrowser({ before, after });

/** Creates a wallet with stakes of 2 and 3 SOL, and this much idle SOL. */
const walletWithIdle = async (...idle: number[]): Promise<TestWallet> => {
  const wallet = await walletWith(service(), [2, 3]);
  const accounts = await stakeAccountsOf(service(), wallet.walletAddress);
  for (const [index, amountSol] of idle.entries())
    await service().client.post('/sandbox/airdrop', { walletAddress: accounts[index]!.address, amountSol });
  return wallet;
};

/**
 * Gives the stake authority over an account, by default the wallet's first, to `authority`. Returns the
 * account.
 */
const giveStakeAuthority = async (
  wallet: TestWallet,
  authority: string,
  stakeAccountAddress?: string,
): Promise<string> => {
  const account = stakeAccountAddress ?? (await stakeAccountsOf(service(), wallet.walletAddress))[0]!.address;
  const { rpcUrl } = await service().client.get('/sandbox');
  const staker = await SandboxStaker.of(
    { rpcUrl, nextBlock: async () => undefined } as unknown as Sandbox,
    wallet,
  );
  await staker.send([authorize(staker, String(account), authority, 'Staker')]);
  return String(account);
};

describe('suggestions on the page', { skip: browserSkip }, () => {
  it('accounts are merged and idle SOL is withdrawn, each with one button and the figures of its plan', async (t) => {
    const wallet = await walletWithIdle(0.4, 0.43);
    const { walletAddress } = wallet;
    /** Returns the amount that the plan sends to the wallet, without fees. */
    const planned = async (goal: string): Promise<number> => {
      const { plan } = await service().client.post('/api/v1/plan', { walletAddress, goal });
      return Math.round((plan.wallet.afterSol - plan.wallet.beforeSol + plan.cost.feesSol) * 1e9) / 1e9;
    };
    const { page, offences } = await openPortfolio(t, openBrowser, service(), wallet);
    const line = (goal: string) => page.locator(`[data-suggested="${goal}"]`);
    await line('sweep')
      .getByText(`${solShort(await planned('sweep'))} SOL in stake accounts is not staked`)
      .waitFor();
    await line('tidy')
      .getByText(`2 accounts → 1, ${solShort(await planned('tidy'))} SOL of rent returned.`)
      .waitFor();
    await line('sweep')
      .getByRole('button', { name: /^Stake it with 0\.\d+ more SOL$/ })
      .waitFor();
    await looksRight(page, 'suggestions');
    // Both places say why there is SOL to withdraw in active stakes.
    await page.getByText('Withdrawable tips', { exact: true }).waitFor();
    await page
      .getByRole('button', { name: /^Details of/ })
      .first()
      .press('Enter');
    await page.getByText('Authorities and amounts').click();
    await page
      .getByText('Withdrawable now: tips and other SOL that is not staked', { exact: true })
      .waitFor();
    await line('sweep').getByRole('button', { name: 'Withdraw it' }).press('Enter');
    await page
      .getByRole('dialog')
      .getByText(/^You get .* SOL now\.$/)
      .waitFor();
    await signInWallet(page);
    await stepIs(page, 'confirmed', 'done');
    await line('sweep').waitFor({ state: 'detached' });
    await page.getByRole('main').getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Merge accounts' }).press('Enter');
    await page
      .getByRole('dialog', { name: 'Review the merge' })
      .getByText('Merge two accounts')
      .waitFor({ state: 'attached' });
    await looksRight(page, 'tidy-review', false);
    await signInWallet(page);
    await stepIs(page, 'confirmed', 'done');
    assert.equal((await stakeAccountsOf(service(), walletAddress)).length, 1);
    await page.locator('[data-suggested]').waitFor({ state: 'detached' });
    assert.deepEqual(offences(), []);
  });

  it('idle SOL is staked together with what is missing to the minimum', async (t) => {
    const wallet = await walletWithIdle(0.83);
    const { page, offences } = await openPortfolio(t, openBrowser, service(), wallet);
    await page.getByRole('button', { name: /^Stake it with 0\.\d+ more SOL$/ }).press('Enter');
    const review = page.getByRole('dialog', { name: 'Review the transfer' });
    await review.getByText('Checked in your browser').waitFor();
    await looksRight(page, 'sweep-stake-review', false);
    await signInWallet(page);
    await stepIs(page, 'confirmed', 'done');
    await inState(page, 'activating').waitFor();
    await page.locator('[data-suggested="sweep"]').waitFor({ state: 'detached' });
    assert.deepEqual(offences(), []);
  });

  it('if another address controls every stake, unstaking an amount is not offered', async (t) => {
    const wallet = await walletWith(service(), [2]);
    const thief = await walletWith(service(), []);
    const next = newWallet().walletAddress;
    const account = await giveStakeAuthority(wallet, thief.walletAddress);
    await giveStakeAuthority(thief, next, account);
    const { page } = await openPortfolio(t, openBrowser, service(), wallet);
    await page.getByText('Another address controls one of your stakes').waitFor();
    assert.equal(await page.getByRole('button', { name: /^Unstake/ }).count(), 0);
    // The history contains both changes with their accounts, even the one signed by someone else.
    await page.getByRole('tab', { name: 'History' }).click();
    const rows = page.getByRole('tabpanel', { name: 'History' }).locator('tbody tr');
    const own = rows.filter({ hasText: `Made ${shortAddress(thief.walletAddress)} the stake authority of` });
    const foreign = rows.filter({ hasText: 'Not signed by this wallet' });
    for (const row of [own, foreign]) await row.getByTitle(account).first().waitFor();
  });

  it('a stake authority that the user gave away can be taken back in the details of the account, without an alert', async (t) => {
    const wallet = await walletWith(service(), [2, 3]);
    const account = await giveStakeAuthority(wallet, newWallet().walletAddress);
    const { page, offences } = await openPortfolio(t, openBrowser, service(), wallet);
    await page.getByRole('button', { name: 'I set this up' }).press('Enter');
    const row = page.locator(`[data-account="${account}"]`);
    await row.locator('button[aria-expanded="false"]').press('Enter');
    await row.getByRole('button', { name: 'Take back' }).press('Enter');
    const review = page.getByRole('dialog', { name: 'Review the recovery' });
    await review.getByText(/^Your wallet controls \w{4}….{4} again; /).waitFor();
    await signInWallet(page);
    await stepIs(page, 'confirmed', 'done');
    await page.getByRole('button', { name: 'Take back' }).waitFor({ state: 'detached' });
    assert.deepEqual(offences(), []);
  });

  it('a stake controlled by another wallet causes a banner with one button that takes it back', async (t) => {
    const wallet = await walletWith(service(), [2, 3]);
    const account = await giveStakeAuthority(wallet, newWallet().walletAddress);
    const { page, offences } = await openPortfolio(t, openBrowser, service(), wallet);
    const banner = page.getByRole('alert').filter({ hasText: 'Another address controls one of your stakes' });
    await banner.waitFor();
    assert.match(await page.title(), /^\(!\) Portfolio · /);
    // The banner explains the problem and the fix once. Below it, the account has only a mark.
    assert.equal(await page.getByText(/may unstake|can unstake it or delegate/).count(), 0);
    await page.locator(`[data-account="${account}"]`).getByText('Controlled by another address').waitFor();
    assert.equal(await page.getByText('Controlled by another address').count(), 1);
    await page.getByRole('button', { name: 'Unstake an amount' }).waitFor();
    await looksRight(page, 'theft-banner');
    // The banner is above every view. It does not prevent staking: anyone can create such an account for a wallet.
    const nav = page.getByRole('navigation', { name: 'Views' });
    for (const name of ['Validator', 'Stake']) {
      await nav.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: name === 'Stake' ? /^Stake with / : /./ }).waitFor();
      await banner.waitFor();
    }
    await page.getByRole('textbox', { name: 'Stake SOL' }).waitFor();
    await looksRight(page, 'theft-banner-stake');
    const top = async (part: Locator): Promise<number> => (await part.boundingBox())!.y;
    assert.ok((await top(banner)) < (await top(page.getByRole('main'))), 'the banner is above the view');
    await banner.getByRole('button', { name: 'Take back' }).press('Enter');
    const review = page.getByRole('dialog', { name: 'Review the recovery' });
    await review.getByText('Checked in your browser').waitFor();
    await review
      .getByText(/^Your wallet controls \w{4}….{4} again; \w{4}….{4} can no longer unstake it\.$/)
      .waitFor();
    await looksRight(page, 'rescue-review', false);
    await signInWallet(page);
    await stepIs(page, 'confirmed', 'done');
    await page.getByText('Another address controls one of your stakes').waitFor({ state: 'detached' });
    await page.waitForFunction("document.title.startsWith('Portfolio')");
    assert.deepEqual(offences(), []);
  });
});
