// Checks that stake from other validators is moved to this one with two signatures, that the one lost epoch is
// announced, and that SOL can be added to an activating stake.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { browserSkip, sharedBrowser } from '../support/browser.ts';
import { authorize } from '../support/index-fixture.ts';
import { looksRight } from '../support/looks-right.ts';
import { mockWallet } from '../support/mock-wallet.ts';
import { stakeAccountsOf, stepIs } from '../support/page-steps.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import { stakeNow } from '../support/service-calls.ts';
import { fundedWallet, newWallet } from '../support/wallets.ts';
import { sharedPortfolios } from './portfolio-states.ts';
import { inState, openPortfolio, signInWallet } from './portfolio-steps.ts';

const SOL = 1_000_000_000n;
const venue = sharedPortfolios({ before, after }, { skip: browserSkip });
const openBrowser = sharedBrowser({ before, after });

describe('stake from another validator', { skip: browserSkip }, () => {
  it('is unstaked there, staked here once it is inactive, and loses exactly the announced epoch', async (t) => {
    const { sandbox, service } = venue();
    const wallet = await fundedWallet(sandbox, 50);
    const staker = await SandboxStaker.of(sandbox, wallet);
    const vote = sandbox.otherVoteAccount;
    const active = await staker.stake(5n * SOL, { vote });
    await stakeNow(service, wallet, 2);
    const other = newWallet().walletAddress;
    await staker.send([authorize(staker, active, other, 'Staker')]);
    const epoch = await sandbox.advanceEpochs(1);
    const activating = await staker.stake(3n * SOL, { vote });
    const { page, offences } = await openPortfolio(t, openBrowser, service, wallet);
    const everywhere = page.getByRole('checkbox', { name: 'Include undelegated stake and other validators' });
    await everywhere.check();
    const card = page.getByRole('dialog', { name: 'Move your stake here' });
    const open = page.getByRole('button', { name: 'Move your stake here' });
    await open.press('Enter');
    const item = (address: string) => card.locator(`[data-elsewhere="${address}"]`);
    await item(active)
      .getByText(`It earns nothing in epoch ${epoch + 1} and earns here from epoch ${epoch + 2}.`)
      .waitFor();
    await item(activating)
      .getByText(`earns from epoch ${epoch + 1}. You lose no rewards.`)
      .waitFor();
    await card.getByText(/^You can stake .* SOL from /).waitFor();
    await card.getByText(/Rewards lost for the epoch in between/).waitFor();
    await looksRight(page, 'bring-stake');

    await card.getByRole('button', { name: 'Move 8 SOL' }).press('Enter');
    const review = page.getByRole('dialog', { name: 'Review the move' });
    await review.getByText('Checked in your browser').waitFor();
    const short = (address: string) => `${address.slice(0, 4)}…${address.slice(-4)}`;
    const taken = `Your wallet controls ${short(active)} again; ${short(other)} can no longer unstake it.`;
    await review.getByText(taken).waitFor();
    await looksRight(page, 'bring-stake-review', false);
    await signInWallet(page);
    await stepIs(page, 'confirmed', 'done');
    await open.press('Enter');
    await item(activating).waitFor({ state: 'detached' });
    await item(active)
      .getByText(/^Deactivating\. You can stake it here from /)
      .waitFor();
    assert.equal(await card.getByRole('button', { name: /^Move \d/ }).count(), 0, 'nothing to sign yet');
    await page.keyboard.press('Escape');
    const row = page.locator(`[data-account="${active}"]`);
    await row.getByRole('button', { name: /^Details of/ }).click();
    await row.getByText(/earns nothing until you choose Stake here/).waitFor();

    await sandbox.advanceEpochs(1);
    await page.reload();
    const next = page.getByRole('region', { name: 'Next step' });
    await next.getByRole('heading', { name: /^[45][.\d]* SOL is ready$/ }).waitFor();
    await row.getByRole('button', { name: 'Stake here', exact: true }).waitFor();
    assert.ok(await everywhere.isChecked(), 'kept in this tab');
    await next.getByRole('button', { name: 'Stake it here' }).press('Enter');
    await review.getByText('Checked in your browser').waitFor();
    await review.getByText(/SOL staked here, active from/).waitFor();
    await signInWallet(page);
    await stepIs(page, 'confirmed', 'done');
    await page.getByText('Stake moved here').waitFor();
    await open.waitFor({ state: 'detached' });
    const here = await stakeAccountsOf(service, wallet.walletAddress);
    const found = here.find(({ address }) => address === active);
    assert.deepEqual([found?.state, found?.activationEpoch], ['activating', epoch + 1]);
    assert.deepEqual(offences(), []);
  });

  it('SOL cannot be added to a stake that is active by now, and the main button makes a new stake instead', async (t) => {
    const { sandbox, service } = venue();
    const wallet = await fundedWallet(sandbox, 50);
    await stakeNow(service, wallet, 2);
    const { page } = await openPortfolio(t, openBrowser, service, wallet);
    // Enter works before the balance is known: the service checks it again.
    await page.route('**/balance/**', () => {});
    await inState(page, 'activating').getByRole('button', { name: 'Add SOL' }).press('Enter');
    const field = page.getByRole('dialog', { name: 'Add stake' }).getByLabel('Add', { exact: true });
    await field.fill('1.5');
    await sandbox.advanceEpochs(1);
    await field.press('Enter');
    await page.getByText('Not sent: Stake not activating').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
    await page.locator('main').getByRole('button', { name: 'Stake', exact: true }).click();
    assert.equal(await page.getByRole('textbox', { name: 'Stake SOL' }).inputValue(), '1.5');
  });

  it('0.3 SOL is added to an activating stake and become active with it', async (t) => {
    const { sandbox, service } = venue();
    const wallet = await fundedWallet(sandbox, 50);
    const account = await stakeNow(service, wallet, 2);
    const { page, offences } = await openPortfolio(t, openBrowser, service, wallet);
    await inState(page, 'activating').getByRole('button', { name: 'Add SOL' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add stake' });
    const field = dialog.getByLabel('Add', { exact: true });
    await field.fill('60');
    await dialog.getByText(/^You can stake up to .* SOL from your wallet/).waitFor();
    await field.fill('0.3');
    await dialog.getByText('2.3 SOL').waitFor();
    await looksRight(page, 'top-up', false);
    await field.press('Enter');
    const review = page.getByRole('dialog', { name: 'Review adding stake' });
    await review.getByText('Checked in your browser').waitFor();
    await looksRight(page, 'top-up-review', false);
    await signInWallet(page);
    await stepIs(page, 'confirmed', 'done');
    assert.equal((await mockWallet(page).state()).signed, 1);
    await sandbox.advanceEpochs(1);
    const [grown, opened, ...others] = await stakeAccountsOf(service, wallet.walletAddress);
    assert.deepEqual([grown!.address, grown!.state, others], [account, 'active', []]);
    assert.ok(Number(grown!.activeSol) >= 2.3 - 0.0017 && Number(grown!.sol) >= 2.3, JSON.stringify(grown));
    // The account that held the stake in between keeps its rent-exempt minimum, which can be withdrawn.
    assert.deepEqual([opened!.withdrawReady, Number(opened!.withdrawableSol)], [true, Number(opened!.sol)]);
    assert.deepEqual(offences(), []);
  });
});
