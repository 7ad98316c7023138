// Checks that while the network is busy, the page says so, shows the time left, and offers a priority fee with
// its amount.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { seriousFaults } from '../support/axe.ts';
import { browserSkip, screenshot, sharedBrowser } from '../support/browser.ts';
import { sharedPageService } from '../support/page-fixture.ts';
import { connectFunded, reviewStake, stepIs } from '../support/page-steps.ts';

// Every other transaction pays a priority fee, so a transaction without one never lands.
const BUSY = { busy: true, unitPrices: [1_000], backgroundPerBlock: 500 };

const service = sharedPageService(
  { before, after },
  { skip: browserSkip, settings: { HOLDFAST_SANDBOX_SLOT_MS: '200' } },
);

describe('a busy network', { skip: browserSkip }, () => {
  const open = sharedBrowser({ before, after });
  before(async () => {
    if (browserSkip !== false) return;
    const response = await fetch(`${service().url}/sandbox/network`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(BUSY),
    });
    assert.equal(response.status, 200, await response.text());
  });

  it('is reported while a transaction waits, with the time left', async (t) => {
    const { page } = await open(t, { url: service().url });
    await connectFunded(page);
    await reviewStake(page, '5');
    assert.equal(await page.getByRole('dialog').getByText('Priority fee', { exact: true }).count(), 0);
    await page.getByRole('button', { name: 'Sign in wallet' }).click();
    await stepIs(page, 'submitted', 'current');
    await page.getByText('The network is busy, sending again').waitFor();
    await page.getByText(/This one expires in \d:\d\d\./).waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    await screenshot(page, 'busy-network');
  });

  it('is not reported while the service hangs, which may not have the transaction', async (t) => {
    const { page, context } = await open(t, { url: service().url });
    await connectFunded(page);
    await reviewStake(page, '5');
    await context.route(/\/api\/v1\//, () => undefined);
    await page.getByRole('button', { name: 'Sign in wallet' }).click();
    await page.getByText('The service has not answered yet').waitFor();
    await page.getByText(/It expires in \d:\d\d\./).waitFor();
    assert.equal(await page.getByText('The network is busy').count(), 0);
    await screenshot(page, 'service-hangs');
  });

  it('a priority fee has its own row, and a transaction with it lands', async (t) => {
    const { page } = await open(t, { url: service().url, width: 390 });
    await connectFunded(page);
    await reviewStake(page, '5');
    const review = page.getByRole('dialog');
    // The choice of a priority has the same label as the row.
    const termOf = (name: string) => review.locator('dt').getByText(name, { exact: true });
    const feeOf = async (name: string): Promise<number> =>
      Number.parseFloat(await termOf(name).locator('xpath=following-sibling::dd').innerText());
    const before = await feeOf('Network fee');
    await review.getByLabel('Priority', { exact: true }).selectOption('high');
    await termOf('Priority fee').waitFor();
    assert.equal(await feeOf('Network fee'), before, 'the network fee stays the same');
    assert.ok((await feeOf('Priority fee')) > 0);
    await screenshot(page, 'busy-network-priority-fee');
    await page.getByRole('button', { name: 'Sign in wallet' }).click();
    await stepIs(page, 'confirmed', 'done');
  });
});
