// Checks links to the page: an amount in the address, a button on a site of another origin, the share dialog,
// and what no link can do.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it, type TestContext } from 'node:test';
import { browserSkip, screenshot, sharedBrowser } from '../support/browser.ts';
import { isSoundInBothThemes } from '../support/looks-right.ts';
import { sharedPageService } from '../support/page-fixture.ts';
import { connectFunded, stakeAccountsOf } from '../support/page-steps.ts';

const service = sharedPageService({ before, after }, { skip: browserSkip });

/** Serves a plain page on another port, which is another origin. */
const otherSite = async (t: TestContext, body: string): Promise<string> => {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><title>Another site</title>${body}`);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

describe('links to the page', { skip: browserSkip }, () => {
  const open = sharedBrowser({ before, after });
  const fieldOf = (page: Awaited<ReturnType<typeof open>>['page']) =>
    page.getByRole('textbox', { name: 'Stake SOL' });

  it('the three lines of the share dialog work on a page of another origin and lead to the amount, but a frame there stays empty', async (t) => {
    const { page: own } = await open(t, { url: service().url, path: '/portfolio' });
    await own.getByRole('button', { name: 'Share', exact: true }).click();
    await own.getByLabel('Amount in the link (SOL)').fill('5');
    const snippet = await own.getByRole('region', { name: 'button code' }).innerText();
    assert.equal(snippet.trim().split('\n').length, 3);
    const url = await otherSite(t, `${snippet}<iframe src="${service().url}/"></iframe>`);
    const { page } = await open(t, { url, tolerateFailedRequests: true });
    const button = page.getByRole('link', { name: 'Stake with Holdfast Sandbox' });
    await button.waitFor();
    await page.waitForFunction('document.images[0].complete');
    assert.ok((await page.evaluate<number>('document.images[0].naturalWidth')) > 100);
    const framed = page.frames().find((frame) => frame !== page.mainFrame());
    assert.equal(framed?.url(), 'chrome-error://chromewebdata/');
    await screenshot(page, 'button-elsewhere', false);
    await button.click();
    await page.waitForURL(`${service().url}/?amount=5`);
    assert.equal(await fieldOf(page).inputValue(), '5');
  });

  it('the review shows the transaction to sign for any link, and no link signs without the user', async (t) => {
    const { page, offences } = await open(t, {
      url: service().url,
      path: '/?amount=7.25&voteAccount=11111111111111111111111111111111&review=1&amount=99',
    });
    const walletAddress = await connectFunded(page);
    assert.equal(await fieldOf(page).inputValue(), '7.25');
    assert.equal(await page.getByRole('dialog').count(), 0);
    await page.getByRole('button', { name: 'Review stake' }).click();
    await page.getByText(/^Stake 7\.25 SOL, active from /).waitFor();
    await page.getByText('Delegate it to Holdfast Sandbox').waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    await fieldOf(page).fill('3');
    await page.getByRole('button', { name: 'Review stake' }).click();
    await page.getByText(/^Stake 3 SOL, active from /).waitFor();
    assert.deepEqual(await stakeAccountsOf(service(), walletAddress), []);
    assert.deepEqual(offences(), []);
  });

  it('an amount above the balance is reported as too much, and an invalid one is ignored', async (t) => {
    const { page } = await open(t, { url: service().url, path: '/?amount=100000' });
    await connectFunded(page);
    assert.equal(await fieldOf(page).inputValue(), '100000');
    assert.ok(await page.getByRole('button', { name: 'Review stake' }).isDisabled());
    for (const amount of ['2,500', '1e3', '-5', '<script>alert(1)</script>']) {
      await page.goto(`${service().url}/?amount=${encodeURIComponent(amount)}`);
      await page.getByText('Balance 100 SOL').waitFor();
      assert.equal(await fieldOf(page).inputValue(), '10', amount);
    }
  });

  it('the share dialog loads when it is opened, works by keyboard, fits 320 pixels, and axe finds no issue', async (t) => {
    for (const width of [1280, 390, 320]) {
      const { page, requests, offences } = await open(t, { url: service().url, path: '/?amount=5', width });
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      assert.ok(!requests.some((request) => request.includes('share-dialog')));
      await page.getByRole('button', { name: 'Share', exact: true }).press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Share this page' });
      await dialog.getByRole('img', { name: `QR code of ${service().url}/?amount=5` }).waitFor();
      await dialog.getByText(`Stake SOL with Holdfast Sandbox.`).waitFor();
      assert.ok(requests.some((request) => request.includes('share-dialog')));
      await dialog.getByRole('button', { name: 'Copy link' }).press('Enter');
      assert.equal(
        await page.evaluate<string>('navigator.clipboard.readText()'),
        `${service().url}/?amount=5`,
      );
      await isSoundInBothThemes(page, `share-${width}`, false);
      assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= width, `${width}`);
      await page.keyboard.press('Escape');
      await page.locator('footer button:focus').waitFor();
      assert.deepEqual(offences(), []);
    }
  });
});
