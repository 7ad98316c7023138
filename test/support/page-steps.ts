// A user's actions on the page, one function per step, so tests read like instructions.
import type { Page } from 'playwright-core';
import type { RunningService } from './service-fixture.ts';

const post = async (
  service: RunningService,
  path: string,
  body: object,
): Promise<Record<string, unknown>> => {
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
};

/** Ends epochs from outside the page. */
export const endEpochs = (service: RunningService, count = 1): Promise<unknown> =>
  post(service, '/sandbox/epoch', { count });

/** Returns a wallet's stake accounts as listed by the service. */
export const stakeAccountsOf = async (
  service: RunningService,
  walletAddress: string,
): Promise<readonly Record<string, unknown>[]> => {
  const response = await fetch(`${service.url}/api/v1/stake/accounts/${walletAddress}`);
  return ((await response.json()) as { accounts: Record<string, unknown>[] }).accounts;
};

/** Connects the wallet named `name`, using the button in the page header. */
export const connectWallet = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: 'Connect wallet', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name }).click();
  await page.getByRole('button', { name: /^Wallet / }).waitFor();
};

/** Returns the connected wallet's full address. */
export const walletAddressOf = async (page: Page): Promise<string> => {
  await page.getByRole('button', { name: /^Wallet / }).click();
  const text = await page.getByRole('dialog').innerText();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  return /[1-9A-HJ-NP-Za-km-z]{32,44}/.exec(text)![0];
};

/** Connects a wallet and funds it from the faucet, all on the page. Returns its address. */
export const connectFunded = async (page: Page, name = 'Sandbox wallet'): Promise<string> => {
  await connectWallet(page, name);
  await page.getByRole('region', { name: 'Sandbox' }).getByRole('button', { name: 'Get 100 SOL' }).click();
  await page.getByText('100 sandbox SOL arrived').waitFor();
  await page.getByRole('button', { name: 'Dismiss', exact: true }).click();
  return walletAddressOf(page);
};

/** Types the amount and opens the review. */
export const reviewStake = async (page: Page, amountSol: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'Stake SOL' }).fill(amountSol);
  await page.getByRole('button', { name: 'Review stake' }).click();
  await page.getByText('Checked in your browser').waitFor();
};

/** Waits until a step of the progress is in this state. If that takes too long, throws with the page's text. */
export const stepIs = async (
  page: Page,
  step: string,
  state: 'todo' | 'current' | 'done' | 'failed',
): Promise<void> => {
  try {
    await page.locator(`[data-step="${step}"][data-state="${state}"]`).waitFor();
  } catch (error) {
    throw new Error(`The page shows:\n${await page.locator('body').innerText()}`, { cause: error });
  }
};

/**
 * Resolves once the cluster's finalized block height has passed `height`, so transactions valid until then can
 * no longer land.
 */
export const blockHeightAbove = async (service: RunningService, height: number): Promise<void> => {
  for (;;) {
    const response = (await (await fetch(`${service.url}/api/v1/epoch`)).json()) as { blockHeight: number };
    // The newest block is not final yet.
    if (response.blockHeight > height + 1) return;
  }
};
