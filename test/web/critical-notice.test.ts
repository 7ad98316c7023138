// Checks notices about the validator on the page: a critical one is above everything, in red, and without a
// projection or an offer to stake. No figure contradicts a raised commission.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { browserSkip, screenshot, sharedBrowser } from '../support/browser.ts';
import { until } from '../support/index-fixture.ts';
import { looksRight } from '../support/looks-right.ts';
import { mockWallet, mockWalletScript } from '../support/mock-wallet.ts';
import { sharedPageService } from '../support/page-fixture.ts';
import { connectFunded, stepIs } from '../support/page-steps.ts';
import { openPortfolio, walletWith } from './portfolio-steps.ts';

const service = sharedPageService({ before, after }, { skip: browserSkip });

describe('with a commission of 100%', { skip: browserSkip }, () => {
  const openBrowser = sharedBrowser({ before, after });

  it('the stake page shows no projection and asks twice, and the portfolio does not offer staking', async (t) => {
    const { url } = service();
    const post = (path: string, body: object): Promise<Response> =>
      fetch(url + path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      });
    await post('/sandbox/validator', { commissionBps: 10_000 });
    const hasNotice = async (): Promise<boolean> => {
      const response = await post('/api/v1/stake/simulate', { amountSol: 5 });
      return (await response.text()).includes('"code":"COMMISSION_FULL"');
    };
    await until(hasNotice, 'the notice');
    const { page } = await openBrowser(t, { url, initScript: mockWalletScript() });
    const notice = page.getByRole('alert').filter({ hasText: 'The validator’s commission is 100%' });
    await notice.first().waitFor();
    await page.getByText('No projection').waitFor();
    await page.locator('[data-projected-sol="unknown"]').waitFor();
    assert.equal(await page.getByText(/SOL in 1 year/).count(), 0);
    await page.getByText('0.00%', { exact: true }).waitFor();
    assert.equal(await page.getByText(/The validator’s commission is 100%/).count(), 1, 'said once');
    await connectFunded(page, 'Test wallet');
    await page.getByRole('button', { name: 'Stake anyway' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Review stake' }).count(), 0);
    await screenshot(page, 'critical-stake', true);
    await page.getByRole('link', { name: 'Portfolio' }).first().click();
    await page.locator('[data-recommended="HOLD"]').waitFor();
    await page.getByRole('heading', { name: 'Wait before you stake' }).waitFor();
    await notice.first().waitFor();
    assert.equal(await page.getByRole('button', { name: /^Stake \d/ }).count(), 0);
    assert.equal(await page.getByText(/Earns about/).count(), 0);
    await screenshot(page, 'critical-portfolio', true);
  });

  it('a wallet with a stake sees the notice above every view, and its button leads to unstaking', async (t) => {
    const wallet = await walletWith(service(), [2]);
    const { page, offences } = await openPortfolio(t, openBrowser, service(), wallet);
    const alert = page.locator('[data-alert="bad"]');
    await alert.getByText(/The validator’s commission is 100%/).waitFor();
    assert.equal(await page.getByText(/The validator’s commission is 100%/).count(), 1, 'said once');
    assert.equal(await page.locator('[data-recommended="STAKE"]').count(), 0, 'the page offers no stake');
    assert.match(await page.title(), /^\(!\) Portfolio · /);
    await looksRight(page, 'validator-alert');
    await page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('link', { name: 'Validator', exact: true })
      .click();
    await page.locator('[data-total-apy]').waitFor();
    assert.equal(await page.getByText(/The validator’s commission is 100%/).count(), 1, 'said once');
    await page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('link', { name: 'Developers', exact: true })
      .click();
    await page.getByRole('heading', { level: 1, name: /Developers|API|Build/ }).waitFor();
    await alert.getByRole('button', { name: 'Unstake' }).press('Enter');
    await page.getByRole('dialog', { name: 'Unstake an amount' }).waitFor();
    await page.keyboard.press('Escape');
    assert.equal(new URL(page.url()).search, '');
    assert.deepEqual(offences(), []);
  });
});

describe('with a commission that rises to 100% during a review', { skip: browserSkip }, () => {
  const openBrowser = sharedBrowser({ before, after });

  it('the first click on Sign shows the notice instead of asking the wallet, and the second one asks it', async (t) => {
    const { url, client } = service();
    const isFull = async (): Promise<boolean> =>
      JSON.stringify(await client.post('/api/v1/stake/simulate', { amountSol: 5 })).includes(
        'COMMISSION_FULL',
      );
    await client.post('/sandbox/validator', { commissionBps: 500 });
    await until(async () => !(await isFull()), 'no notice');
    const { page } = await openBrowser(t, { url, initScript: mockWalletScript() });
    await connectFunded(page, 'Test wallet');
    await page.getByRole('textbox', { name: 'Stake SOL' }).fill('2');
    await page.getByRole('button', { name: 'Review stake' }).click();
    const review = page.getByRole('dialog', { name: 'Review your stake' });
    await review.getByText('Checked in your browser').waitFor();
    await client.post('/sandbox/validator', { commissionBps: 10_000 });
    await until(isFull, 'the notice');
    await review.getByRole('button', { name: 'Sign in wallet' }).click();
    await review.getByRole('button', { name: 'Sign anyway' }).waitFor();
    await review.getByRole('alert').filter({ hasText: 'commission is 100%' }).waitFor();
    assert.equal((await mockWallet(page).state()).signed, 0);
    await review.getByRole('button', { name: 'Sign anyway' }).click();
    await stepIs(page, 'confirmed', 'done');
    await client.post('/sandbox/validator', { commissionBps: 500 });
  });
});

describe('with a raised commission', { skip: browserSkip }, () => {
  const openBrowser = sharedBrowser({ before, after });

  it('the portfolio and the stake page show the new yield under the alert, and offer no stake', async (t) => {
    const { client } = service();
    const commissionOf = async (): Promise<number> => (await client.get('/api/v1/validator')).commission;
    const hasLowCommission = async (): Promise<boolean> => {
      const { watchedSinceEpoch, alerts } = await client.get('/api/v1/validator/alerts');
      const last = alerts.find(({ what }: { what: string }) => what === 'inflationCommissionBps');
      return watchedSinceEpoch !== null && (last?.to ?? '0') === '0' && (await commissionOf()) === 0;
    };
    await client.post('/sandbox/validator', { commissionBps: 0 });
    await until(hasLowCommission, 'a low commission');
    const wallet = await walletWith(service(), [2]);
    const { page } = await openPortfolio(t, openBrowser, service(), wallet);
    await page.locator('[data-recommended="STAKE"]').waitFor();
    const earnings = page.getByText(/^Earns an APY of/);
    await earnings.waitFor();
    const before = /[\d.]+%/.exec(await earnings.innerText())![0];
    await client.post('/sandbox/validator', { commissionBps: 5_000 });
    const alert = page.locator('[data-alert="warn"]').filter({ hasText: /commission.* rose from 0% to 50%/ });
    await alert.waitFor({ timeout: 60_000 });
    assert.equal(await page.getByText(before).count(), 0, 'the old yield');
    await earnings.waitFor();
    await page.locator('[data-recommended="STAKE"]').waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Alerts' }).click();
    const listed = page
      .getByRole('region', { name: 'Alerts about the validator' })
      .getByRole('row', { name: /The validator changed its commission/ })
      .first();
    await listed.getByText(/ to 50%/).waitFor();
    const [{ timestamp }] = (await client.get('/api/v1/validator/alerts')).alerts;
    assert.equal(await listed.locator('time').getAttribute('datetime'), timestamp);
    await looksRight(page, 'validator-alerts');
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Stake' }).click();
    await alert.waitFor();
    assert.equal(await page.getByText(before).count(), 0, 'the old yield');
    await page.getByText(/^50% commission/).waitFor();
    // The review covers the alert, so it repeats the notice.
    await page.getByRole('button', { name: 'Review stake' }).press('Enter');
    const rose = /commission.* rose from 0% to 50%/;
    await page.getByRole('dialog').getByText(rose).waitFor();
    const { page: stranger } = await openBrowser(t, { url: service().url, initScript: mockWalletScript() });
    await stranger.getByText(rose).waitFor();
  });
});
