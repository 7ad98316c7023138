// Checks the portfolio while it cannot be read: it shows what is missing and why, marks its data as old, and
// recovers.
import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { seriousFaults } from '../support/axe.ts';
import { browserSkip, screenshot, sharedBrowser } from '../support/browser.ts';
import { mockWalletScript } from '../support/mock-wallet.ts';
import { sharedPageService } from '../support/page-fixture.ts';
import { connectWallet } from '../support/page-steps.ts';
import { stakeNow } from '../support/service-calls.ts';
import { fundedWallet, newWallet } from '../support/wallets.ts';
import { elsewhereAndUndelegated, sharedPortfolios } from './portfolio-states.ts';
import { openPortfolio } from './portfolio-steps.ts';

const CHAINS = ['solana:mainnet', 'solana:devnet', 'solana:testnet', 'solana:localnet'];

describe('while parts of the service are down', { skip: browserSkip }, () => {
  const venue = sharedPortfolios({ before, after }, { skip: browserSkip });
  const openBrowser = sharedBrowser({ before, after });
  const open = (t: TestContext, address: string) =>
    openBrowser(t, {
      url: venue().service.url,
      path: `/portfolio?wallet=${address}`,
      tolerateFailedRequests: true,
    });

  it('data already read remains with its age, and is read again once the service is back', async (t) => {
    const { page, context, offences } = await open(t, venue().wallet.walletAddress);
    await page.locator('li[data-account]').nth(3).waitFor();
    // Requests work again only after the click, because the page's own polling would otherwise remove the
    // banner and its button first.
    await context.route('**/api/v1/**', async (route) =>
      (await page.evaluate('window.asked === true')) ? route.continue() : route.abort(),
    );
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByLabel('Include undelegated stake and other validators').check();
    await page.getByText('Other stake accounts could not be loaded').waitFor();
    await page.locator('[data-connection="down"]').waitFor();
    assert.equal(await page.locator('li[data-account]').count(), 4);
    assert.deepEqual(await seriousFaults(page), []);
    await screenshot(page, 'portfolio-down-light');
    await page.evaluate("addEventListener('click', () => { window.asked = true; }, { capture: true })");
    await page.locator('[data-connection="down"]').getByRole('button', { name: 'Try now' }).click();
    await page.getByText('No undelegated stake accounts, and none with other validators.').waitFor();
    await page.locator('[data-connection]').waitFor({ state: 'detached' });
    assert.deepEqual(offences(), []);
  });

  it('after a reload, the last figures are shown with their age and without buttons for changes, until newer ones arrive', async (t) => {
    const { service, sandbox } = venue();
    const wallet = await fundedWallet(sandbox, 100);
    await stakeNow(service, wallet, 5);
    const { page, context, offences } = await openPortfolio(t, openBrowser, service, wallet, {
      initScript: mockWalletScript({ key: wallet.jwk, chains: CHAINS }),
      tolerateFailedRequests: true,
    });
    const unstake = page.getByRole('button', { name: 'Unstake', exact: true });
    await unstake.waitFor();
    const before = await page.locator('[data-total-staked]').innerText();
    await context.route('**/api/v1/**', (route) => route.abort());
    await page.reload();
    await page.getByText(/^As of \d\d:\d\d\. Newer figures and all actions are unavailable\.$/).waitFor();
    assert.equal(await page.locator('[data-total-staked]').innerText(), before);
    await page.locator('li[data-account]').waitFor();
    assert.equal(await unstake.count(), 0);
    assert.deepEqual(await seriousFaults(page), []);
    await screenshot(page, 'portfolio-kept-light');
    await context.unroute('**/api/v1/**');
    // The page recovers without a click: it may have recovered before the test could click "Try now".
    await unstake.waitFor();
    assert.equal(await page.getByText(/^As of /).count(), 0);
    assert.deepEqual(offences(), []);
  });

  it('if one response of the portfolio is missing, the others are shown, and the missing one is requested again', async (t) => {
    const { page, context } = await openBrowser(t, {
      url: venue().service.url,
      path: `/portfolio?wallet=${venue().wallet.walletAddress}`,
      tolerateFailedRequests: true,
      prepare: async (_page, prepared) => {
        await prepared.route('**/api/v1/stake/rewards/**', (route) => route.abort());
      },
    });
    await page.getByText('Rewards could not be loaded').waitFor();
    await page.locator('li[data-account]').nth(3).waitFor();
    await context.unroute('**/api/v1/stake/rewards/**');
    await page.getByRole('tabpanel', { name: 'Rewards' }).getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'CSV' }).waitFor();
  });

  it('if the wallet is missing after a reload, its address and its stake remain in view', async (t) => {
    const wallet = newWallet();
    const { page, offences } = await openBrowser(t, {
      url: venue().service.url,
      path: '/portfolio',
      initScript: `if (localStorage.getItem('away') === null) { ${mockWalletScript({ key: wallet.jwk, chains: CHAINS })} }`,
    });
    await connectWallet(page, 'Test wallet');
    await page.getByText('Your wallet', { exact: true }).waitFor();
    await page.evaluate("localStorage.setItem('away', 'yes')");
    await page.reload();
    await page.getByText('Wallet not connected').waitFor();
    await page.getByTitle(wallet.walletAddress).first().waitFor();
    await page.getByText('No stake here').waitFor();
    assert.equal(await page.getByText('Choose a wallet').count(), 0);
    assert.deepEqual(await seriousFaults(page), []);
    await page.evaluate("localStorage.removeItem('away')");
    await page.reload();
    await page.getByText('Your wallet', { exact: true }).waitFor();
    assert.deepEqual(offences(), []);
  });

  it('accounts with other validators and undelegated ones are shown on demand, outside the totals', async (t) => {
    const { walletAddress, elsewhere, undelegated } = await elsewhereAndUndelegated(venue());
    const { page } = await open(t, walletAddress);
    await page.getByText('No stake here').waitFor();
    await page.getByLabel('Include undelegated stake and other validators').check();
    const account = (address: string) => page.locator(`li[data-account="${address}"]`);
    await account(elsewhere).getByText('Other validator').waitFor();
    await account(undelegated).getByText('Not delegated', { exact: true }).first().waitFor();
    assert.equal(await page.locator('[data-total-staked]').getAttribute('data-total-staked'), '0');
    await page.getByLabel('Include undelegated stake and other validators').uncheck();
    await account(elsewhere).waitFor({ state: 'detached' });
  });
});

describe('under a rate limit', { skip: browserSkip }, () => {
  const LIMIT = 20;
  const service = sharedPageService(
    { before, after },
    { skip: browserSkip, settings: { HOLDFAST_RATE_LIMIT: String(LIMIT) } },
  );
  const openBrowser = sharedBrowser({ before, after });

  it('the portfolio shows that it has to wait and how long, and sends no request until then', async (t) => {
    const { walletAddress } = newWallet();
    for (let spent = 0; spent < LIMIT; spent += 1) await fetch(`${service().url}/api/v1/epoch`);
    const { page, requests } = await openBrowser(t, {
      url: service().url,
      path: `/portfolio?wallet=${walletAddress}`,
      tolerateFailedRequests: true,
    });
    await page.getByText('This wallet will load as soon as the service accepts requests again.').waitFor();
    assert.match(
      await page.locator('[data-connection="limited"]').innerText(),
      /Trying again in (1:0[01]|0:\d\d)/,
    );
    assert.deepEqual(await seriousFaults(page), []);
    await page.waitForLoadState('networkidle');
    const asked = requests.length;
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    assert.equal(requests.length, asked);
  });
});
