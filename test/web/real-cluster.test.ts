// Checks the page on a cluster other than the service's own sandbox: no faucet, no built-in wallet, the same
// staking, and the messages when that cluster is down.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import { buildPage } from '../../scripts/build-page.ts';
import { browserSkip, screenshot, sharedBrowser } from '../support/browser.ts';
import { type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { isSoundInBothThemes } from '../support/looks-right.ts';
import { mockWallet, mockWalletScript } from '../support/mock-wallet.ts';
import { connectWallet, reviewStake, stepIs } from '../support/page-steps.ts';
import { QUICK_SANDBOX } from '../support/sandbox-fixture.ts';
import { settingsFor, startService, type TestService } from '../support/service-fixture.ts';

describe('outside the sandbox', { skip: browserSkip }, () => {
  const cleanUps: (() => unknown)[] = [];
  let sandbox: Sandbox;
  let proxy: FaultyProxy;
  let service: TestService;
  before(async () => {
    await buildPage(join(import.meta.dirname, '..', '..'));
    // The usual block time of page tests, so a blockhash outlives a slow browser.
    sandbox = await startSandbox({ ...QUICK_SANDBOX, slotMs: 50 });
    cleanUps.push(() => sandbox.close());
    proxy = await startFaultyProxy({ target: sandbox.rpcUrl, seed: 1 });
    cleanUps.push(() => proxy.close());
    service = await startService(
      { after: (cleanUp) => void cleanUps.push(cleanUp) },
      { ...settingsFor(sandbox), HOLDFAST_RPC_URL: proxy.url },
    );
  });
  after(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  });
  const open = sharedBrowser({ before, after });

  it('there is neither a faucet nor a built-in wallet, and a page without a wallet shows the next step', async (t) => {
    const { page, offences } = await open(t, { url: service.url });
    await page.getByText('Voting').waitFor();
    assert.equal(await page.getByRole('region', { name: 'Sandbox' }).count(), 0);
    await page.getByRole('button', { name: 'Connect wallet to stake' }).click();
    await page.getByText('No wallet found').waitFor();
    assert.equal(await page.getByText('Sandbox wallet').count(), 0);
    await screenshot(page, 'connect-none-light', false);
    assert.deepEqual(offences(), []);
  });

  it('a phone without a wallet gets links that open this page in a wallet’s browser', async (t) => {
    for (const width of [390, 320]) {
      const { page, offences } = await open(t, { url: service.url, path: '/?amount=5', width, height: 780 });
      await page.getByText('Voting').waitFor();
      await page.getByRole('button', { name: 'Connect wallet to stake' }).click();
      const links = page.getByRole('dialog').getByRole('link');
      await links.first().waitFor();
      const [here, site] = [`${service.url}/?amount=5`, service.url].map(encodeURIComponent);
      assert.deepEqual(await Promise.all((await links.all()).map((link) => link.getAttribute('href'))), [
        `https://phantom.app/ul/browse/${here}?ref=${site}`,
        `https://solflare.com/ul/v1/browse/${here}?ref=${site}`,
        `https://backpack.app/ul/v1/browse/${here}?ref=${site}`,
      ]);
      await isSoundInBothThemes(page, `connect-phone-${width}`, false);
      assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= width, `${width}`);
      assert.deepEqual(offences(), []);
    }
  });

  it('an empty wallet sees the amount to send and its address, and can stake once it is funded', async (t) => {
    const { page } = await open(t, { url: service.url, initScript: mockWalletScript() });
    await connectWallet(page, 'Test wallet');
    await page.getByText('Send at least 1.00666624 SOL to').waitFor();
    const { address } = await mockWallet(page).state();
    await sandbox.airdrop(address, 5_000_000_000n, t.signal);
    // Simulates the return to the page from the app that sent the SOL.
    while (!(await page.getByText('Balance 5 SOL').isVisible()))
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await reviewStake(page, '2');
    await page.getByRole('button', { name: 'Sign in wallet' }).click();
    await stepIs(page, 'turning', 'current');
  });

  it('without providers, the page shows the minimum yield and names the missing settings', async (t) => {
    const { stakewizUrl: _, jitoUrl: __, ...withoutProviders } = sandbox;
    const plain = await startService(t, settingsFor(withoutProviders));
    const { apy } = await plain.client.get('/api/v1/validator');
    assert.ok(apy.stakingApy > 0);
    assert.deepEqual([apy.jitoMevApy, apy.totalApy, apy.atLeastApy], [null, null, apy.stakingApy]);
    const simulated = await plain.client.post('/api/v1/stake/simulate', { amountSol: 10 });
    assert.deepEqual([simulated.effectiveApy, simulated.atLeastApy], [null, apy.stakingApy]);
    assert.ok(simulated.projections.annual.rewardSol > 0);
    const { page } = await open(t, { url: plain.url, tolerateFailedRequests: true });
    const atLeast = `at least ${apy.stakingApy.toFixed(2)}%`;
    await page.getByText(atLeast).waitFor();
    await page.getByText('excluding tips', { exact: true }).waitFor();
    await page.getByText('An estimate excluding tips, not a promise').waitFor();
    const projected = page.locator('[data-projected-sol]:not([data-projected-sol="unknown"])');
    assert.ok(Number(await projected.getAttribute('data-projected-sol')) > 0);
    await page.locator('figure canvas').first().waitFor();
    await screenshot(page, 'stake-without-tips-light', false);
    await page.getByRole('link', { name: 'Validator', exact: true }).click();
    await page.getByRole('heading', { name: 'Not configured by the operator' }).waitFor();
    await page.getByText(atLeast).waitFor();
    const words = await page.locator('main').innerText();
    assert.doesNotMatch(words, /cannot reach Solana|stakingApy|jitoMevApy|totalApy/);
  });

  it('while the cluster is down, the page reports it, stays usable, and recovers', async (t) => {
    await proxy.down();
    const { page } = await open(t, { url: service.url, tolerateFailedRequests: true });
    const banner = page.locator('[data-connection="degraded"]');
    await banner.waitFor();
    assert.match(
      await banner.innerText(),
      /The service cannot reach Solana\. Stake on the chain is not affected\./,
    );
    await page.getByRole('link', { name: 'Developers', exact: true }).click();
    await page.waitForURL('**/developers');
    await page.locator('h1:focus').waitFor();
    await screenshot(page, 'cluster-away-light', false);
    await proxy.up();
    await banner.waitFor({ state: 'detached' });
  });
});
