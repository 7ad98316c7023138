// Opens the page in Chromium on a service connected to the validator. A wallet stakes, waits until the stake is
// active, unstakes and withdraws everything.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { browserSkip, sharedBrowser } from '../support/browser.ts';
import { mockWallet, mockWalletScript } from '../support/mock-wallet.ts';
import { connectWallet, reviewStake, stepIs } from '../support/page-steps.ts';
import type { Scope } from '../support/temporary-folder.ts';
import { type ClusterWorld, compareAccount } from './scenarios.ts';

const SOL = 1_000_000_000n;

const sign = async (page: Page): Promise<void> => {
  await page.getByRole('dialog').getByText('Checked in your browser').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign in wallet' }).click();
};

/** Stakes, unstakes and withdraws on the page, and compares each state with the chain. */
export const playPage = async (world: ClusterWorld, scope: Scope): Promise<void> => {
  assert.equal(browserSkip, false);
  const { chain, client, count, serviceUrl } = world;
  const ready: (() => Promise<void>)[] = [];
  const open = sharedBrowser({
    before: (run) => void ready.push(run),
    after: (run) => scope.after(run),
  });
  for (const run of ready) await run();
  const { page, offences } = await open(scope, { url: serviceUrl, initScript: mockWalletScript() });
  await connectWallet(page, 'Test wallet');
  const { address: walletAddress } = await mockWallet(page).state();
  await chain.airdrop(walletAddress, 10n * SOL);
  while (!(await page.getByText('Balance 10 SOL').isVisible()))
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");

  // Epochs last only seconds, and a transaction signed just before a boundary may land while rewards are being
  // paid. Each step therefore starts at the beginning of an epoch.
  await chain.nextEpoch();
  await reviewStake(page, '2');
  await sign(page);
  await stepIs(page, 'confirmed', 'done');
  count('actions on the page');
  const { accounts } = await client.get(`/api/v1/stake/accounts/${walletAddress}`);
  assert.equal(accounts.length, 1);
  const { address } = accounts[0];
  await compareAccount(world, walletAddress, address);
  await stepIs(page, 'turned', 'done');
  assert.equal((await compareAccount(world, walletAddress, address)).state, 'active');
  await page.getByRole('main').getByRole('button', { name: 'Done' }).click();

  await page.getByRole('link', { name: 'Portfolio', exact: true }).first().click();
  await page.locator(`li[data-account][data-state="active"]`).waitFor();
  await chain.nextEpoch();
  await page.locator('li[data-account]').getByRole('button', { name: 'Unstake' }).click();
  await sign(page);
  await stepIs(page, 'confirmed', 'done');
  count('actions on the page');
  await stepIs(page, 'turned', 'done');
  const { lamports, state } = await compareAccount(world, walletAddress, address);
  assert.equal(state, 'inactive');
  await page.getByRole('main').getByRole('button', { name: 'Done' }).click();

  const before = await chain.balance(walletAddress);
  await chain.nextEpoch();
  await page
    .getByRole('button', { name: /^Withdraw [\d.]+ SOL$/ })
    .first()
    .click();
  await sign(page);
  await stepIs(page, 'confirmed', 'done');
  count('actions on the page');
  assert.equal(await chain.balance(walletAddress), before + BigInt(lamports) - 5_000n);
  assert.deepEqual(offences(), []);
};
