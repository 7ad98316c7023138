// Shared steps for tests of stake changes on the page: creating wallets with stakes, opening and connecting
// their portfolio, and signing.
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import type { sharedBrowser, TestPageOptions } from '../support/browser.ts';
import { mockWalletScript } from '../support/mock-wallet.ts';
import { connectWallet, endEpochs } from '../support/page-steps.ts';
import { stakeNow } from '../support/service-calls.ts';
import type { RunningService } from '../support/service-fixture.ts';
import { newWallet, type TestWallet } from '../support/wallets.ts';

const AT_ONCE = 10;

/**
 * Creates a wallet with 100 SOL for fees and stakes of these amounts. With `isActive`, an epoch has ended
 * since.
 */
export const walletWith = async (
  service: RunningService,
  amounts: readonly number[],
  isActive = true,
): Promise<TestWallet> => {
  const wallet = newWallet();
  const { walletAddress } = wallet;
  const amountSol = 100 + Math.ceil(amounts.reduce((sum, amount) => sum + amount, 0));
  await service.client.post('/sandbox/airdrop', { walletAddress, amountSol });
  for (let at = 0; at < amounts.length; at += AT_ONCE)
    await Promise.all(amounts.slice(at, at + AT_ONCE).map((amount) => stakeNow(service, wallet, amount)));
  if (isActive) await endEpochs(service);
  return wallet;
};

/** Unstakes one account with a one-shot call. */
export const unstakeNow = (service: RunningService, wallet: TestWallet, stakeAccountAddress: string) =>
  service.client.post('/api/v1/unstake', {
    walletAddress: wallet.walletAddress,
    secretKey: wallet.secretKey,
    stakeAccountAddress,
  });

/** Opens the portfolio with this wallet connected and its accounts shown. */
export const openPortfolio = async (
  t: TestContext,
  openBrowser: ReturnType<typeof sharedBrowser>,
  service: RunningService,
  { jwk }: TestWallet,
  more: Partial<TestPageOptions> = {},
) => {
  const opened = await openBrowser(t, {
    url: service.url,
    path: '/portfolio',
    initScript: mockWalletScript({ key: jwk }),
    ...more,
  });
  await connectWallet(opened.page, 'Test wallet');
  await opened.page.locator('[data-account]').first().waitFor();
  return opened;
};

export const signInWallet = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Sign in wallet' }).click();

/** Returns the items or table rows of the accounts in this state. */
export const inState = (page: Page, state: string) => page.locator(`[data-account][data-state="${state}"]`);
