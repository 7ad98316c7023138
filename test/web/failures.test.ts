// Checks the page when the service is down or asks it to wait: it says so, keeps its data, and recovers by
// itself.
import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { seriousFaults } from '../support/axe.ts';
import { browserSkip, screenshot, sharedBrowser } from '../support/browser.ts';
import { mockWallet, mockWalletScript } from '../support/mock-wallet.ts';
import { sharedPageService } from '../support/page-fixture.ts';
import { connectFunded, reviewStake, stepIs } from '../support/page-steps.ts';

const API = /\/(api\/v1|sandbox)\//;

describe('while the service is down', { skip: browserSkip }, () => {
  const service = sharedPageService({ before, after }, { skip: browserSkip });
  const openBrowser = sharedBrowser({ before, after });
  const open = (t: TestContext) => openBrowser(t, { url: service().url, tolerateFailedRequests: true });

  it('data already read remains, marked as old, and the page recovers automatically', async (t) => {
    const { page, context, offences } = await open(t);
    await connectFunded(page);
    await page.getByText('Balance 100 SOL').waitFor();
    await context.route(API, (route) => route.abort());
    await page.getByRole('region', { name: 'Sandbox' }).getByRole('button', { name: 'End epoch' }).click();
    await page.getByText('The service is not responding').first().waitFor();
    // When the user returns to the tab, the page reads again, and this read fails.
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByRole('textbox', { name: 'Stake SOL' }).fill('20');
    const banner = page.locator('[data-connection="down"]');
    await banner.waitFor();
    assert.match(await banner.innerText(), /Data from \d/);
    assert.match(await banner.innerText(), /Trying again/);
    await page.getByText('Balance 100 SOL').waitFor();
    // The page offers no actions and does not claim to know the validator's current state.
    const description = 'The service is not responding. Stake on the chain is not affected.';
    await page.getByRole('button', { name: 'Review stake', description, disabled: true }).waitFor();
    assert.equal(await page.getByText('Voting', { exact: true }).count(), 0);
    assert.deepEqual(await seriousFaults(page), []);
    await screenshot(page, 'stake-down-light');
    // Clicked while the service is down. Once the service responds, the page may recover before a click.
    const asked = page.waitForRequest((request) => API.test(request.url()));
    await banner.getByRole('button', { name: 'Try now' }).click();
    await asked;
    await banner.waitFor();
    await context.unroute(API);
    await banner.waitFor({ state: 'detached' });
    assert.deepEqual(offences(), []);
  });

  it('the portfolio keeps its figures and does not offer staking', async (t) => {
    const { page, context } = await open(t);
    await connectFunded(page);
    await page.getByRole('link', { name: 'Portfolio', exact: true }).first().click();
    const offer = page.getByRole('region', { name: 'Next step' });
    await offer.waitFor();
    await context.route(API, (route) => route.abort());
    await page.getByRole('region', { name: 'Sandbox' }).getByRole('button', { name: 'End epoch' }).click();
    await page.getByText('The service is not responding').first().waitFor();
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.locator('[data-connection="down"]').waitFor();
    await offer.waitFor({ state: 'detached' });
    assert.equal(await page.locator('[data-part="wallet"] dd').innerText(), '100 SOL');
  });

  it('a page that never reached the service reports it, and loads its data once it can', async (t) => {
    const { page } = await openBrowser(t, {
      url: service().url,
      tolerateFailedRequests: true,
      prepare: async (_page, context) => {
        await context.route(API, (route) => route.abort());
      },
    });
    await page.locator('[data-connection="down"]').waitFor();
    await page.context().unroute(API);
    await page.getByText('Voting').waitFor();
    await page.locator('[data-connection]').waitFor({ state: 'detached' });
  });

  it('a build request to a busy service is retried automatically after the requested wait, which is shown', async (t) => {
    const { page, context } = await open(t);
    await connectFunded(page);
    let builds = 0;
    await context.route('**/api/v1/stake/transaction', (route) => {
      builds += 1;
      if (builds > 1) return route.continue();
      const body = { error: 'Rate limit exceeded', errorCode: 'RATE_LIMITED', message: 'Too many.' };
      return route.fulfill({ status: 429, headers: { 'retry-after': '3' }, json: body });
    });
    await page.getByRole('textbox', { name: 'Stake SOL' }).fill('2');
    await page.getByRole('button', { name: 'Review stake' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Busy right now').waitFor();
    assert.match(
      await dialog.innerText(),
      /Trying again (in 0:0[1-3]\.|…) You have not signed anything yet\./,
    );
    await page.getByRole('button', { name: 'Sign in wallet' }).click();
    await stepIs(page, 'confirmed', 'done');
    assert.equal(builds, 2);
  });

  it('a stake that could not be built shows the reason, and is built at the next attempt', async (t) => {
    const { page, context } = await open(t);
    await connectFunded(page);
    await context.route('**/api/v1/stake/transaction', (route) => route.abort());
    await page.getByRole('textbox', { name: 'Stake SOL' }).fill('2');
    await page.getByRole('button', { name: 'Review stake' }).click();
    const card = page.getByRole('region', { name: 'Staking 2 SOL' });
    await card.getByText('The service is not responding').waitFor();
    await context.unroute('**/api/v1/stake/transaction');
    await card.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Checked in your browser').waitFor();
  });

  it('a transaction that is not built within 4 seconds by the page’s clock is reported as slow', async (t) => {
    const { page, context } = await openBrowser(t, { url: service().url, tolerateFailedRequests: true });
    await connectFunded(page);
    const gate = Promise.withResolvers<void>();
    await context.route('**/api/v1/stake/transaction', async (route) => {
      await gate.promise;
      await route.continue();
    });
    // Installed only now, because React and the page's earlier reads must use the real clock.
    await page.clock.install();
    await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 1_000);
    await page.getByRole('button', { name: 'Review stake' }).click();
    await page.getByText('Building and checking the transaction').waitFor();
    const slow = page.getByText('The service has not answered yet');
    await page.clock.runFor(3_900);
    assert.equal(await slow.count(), 0);
    await page.clock.runFor(200);
    await slow.waitFor();
    await page.getByText('You have not signed anything yet').waitFor();
    gate.resolve();
    await page.clock.resume();
    await page.getByText('Checked in your browser').waitFor();
    assert.equal(await slow.count(), 0);
  });

  it('a refusal by the service is shown in its own words', async (t) => {
    const { page, context } = await open(t);
    await connectFunded(page);
    await context.route('**/api/v1/stake/transaction', async (route) => {
      // Simulates a balance spent in the meantime: the service refuses an amount that the page still allowed.
      const asked = route.request().postDataJSON() as object;
      await route.fulfill({ response: await route.fetch({ postData: { ...asked, amountSol: 1000 } }) });
    });
    await page.getByRole('textbox', { name: 'Stake SOL' }).fill('2');
    await page.getByRole('button', { name: 'Review stake' }).click();
    await page.getByText('Not sent: Not enough SOL').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('textbox', { name: 'Stake SOL' }).waitFor();
  });

  it('a service that dies during the first signature of a tab: the page shows the progress', async (t) => {
    const { page, context } = await openBrowser(t, {
      url: service().url,
      tolerateFailedRequests: true,
      initScript: mockWalletScript({ mode: 'hold' }),
    });
    await connectFunded(page, 'Test wallet');
    await reviewStake(page, '2');
    await page.getByRole('button', { name: 'Sign in wallet' }).click();
    await mockWallet(page).asked(1);
    await context.route('**', (route) => route.abort());
    await mockWallet(page).release();
    await page.getByText(/It may have been sent\. Checking…|Something went wrong/).waitFor();
    assert.equal(await page.getByText('Something went wrong').count(), 0);
  });

  it('a submission whose response is lost is followed to its end', async (t) => {
    const { page, context } = await open(t);
    await connectFunded(page);
    let submits = 0;
    await context.route('**/api/v1/transaction/submit', async (route) => {
      submits += 1;
      await route.fetch();
      await route.abort();
    });
    await reviewStake(page, '2');
    await page.getByRole('button', { name: 'Sign in wallet' }).click();
    await stepIs(page, 'confirmed', 'done');
    assert.equal(submits, 1);
  });
});

describe('under a rate limit', { skip: browserSkip }, () => {
  const LIMIT = 12;
  const service = sharedPageService(
    { before, after },
    { skip: browserSkip, settings: { HOLDFAST_RATE_LIMIT: String(LIMIT) } },
  );
  const openBrowser = sharedBrowser({ before, after });

  it('the page shows the waiting time, and sends no request until then', async (t) => {
    const { page, requests } = await openBrowser(t, { url: service().url, tolerateFailedRequests: true });
    await page.getByText('Voting').waitFor();
    for (let amount = 11; amount < 11 + LIMIT; amount += 1) {
      const answer = page.waitForResponse((response) => response.url().endsWith('/stake/simulate'));
      await page.getByRole('textbox', { name: 'Stake SOL' }).fill(String(amount));
      if ((await answer).status() === 429) break;
    }
    const banner = page.locator('[data-connection="limited"]');
    await banner.waitFor();
    assert.match(
      await banner.innerText(),
      /The service is limiting requests from your network\..*Trying again in (1:00|0:\d\d)/s,
    );
    assert.deepEqual(await seriousFaults(page), []);
    await screenshot(page, 'stake-limited-light');
    const asked = requests.length;
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    assert.equal(requests.length, asked);
  });
});
