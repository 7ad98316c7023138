// Checks the browser's Back button and taps on the menu while a dialog is open. They must close the dialog,
// sign nothing, say so, and leave the view unchanged.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { browserSkip, sharedBrowser } from '../support/browser.ts';
import { mockWallet, mockWalletScript } from '../support/mock-wallet.ts';
import { sharedPageService } from '../support/page-fixture.ts';
import { connectWallet, reviewStake } from '../support/page-steps.ts';
import { walletWith } from './portfolio-steps.ts';

const service = sharedPageService({ before, after }, { skip: browserSkip });
const openBrowser = sharedBrowser({ before, after });

const goBack = (page: Page) => page.evaluate('history.back()');
const noDialog = (page: Page) => page.locator('dialog').waitFor({ state: 'detached' });
const pathOf = (page: Page): string => new URL(page.url()).pathname;

describe('Back', { skip: browserSkip }, () => {
  it('closes the review in the tab’s first view, which keeps its amount, and nothing is signed', async (t) => {
    const wallet = await walletWith(service(), []);
    const { page, offences } = await openBrowser(t, {
      url: service().url,
      initScript: mockWalletScript({ key: wallet.jwk }),
    });
    await connectWallet(page, 'Test wallet');
    await reviewStake(page, '2');
    await goBack(page);
    await noDialog(page);
    await page.getByText('Review closed. The transaction was not signed.').waitFor();
    assert.equal(pathOf(page), '/');
    assert.equal(await page.getByRole('textbox', { name: 'Stake SOL' }).inputValue(), '2');
    assert.equal((await mockWallet(page).state()).asked, 0);
    assert.deepEqual(offences(), []);
  });

  it('closes a sheet and the review above it one at a time, and then leaves the view with one press', async (t) => {
    const wallet = await walletWith(service(), [5]);
    const { page, offences } = await openBrowser(t, {
      url: service().url,
      initScript: mockWalletScript({ key: wallet.jwk }),
    });
    await connectWallet(page, 'Test wallet');
    await page.getByRole('link', { name: 'Portfolio', exact: true }).click();
    const unstake = page.getByRole('button', { name: 'Unstake an amount' });
    await unstake.click();
    await page.getByRole('dialog', { name: 'Unstake an amount' }).waitFor();
    await goBack(page);
    await noDialog(page);
    assert.equal(pathOf(page), '/portfolio');
    // No review was open, so no message appears.
    assert.equal(await page.getByText('Review closed').count(), 0);

    await unstake.click();
    const sheet = page.getByRole('dialog', { name: 'Unstake an amount' });
    await sheet.getByRole('textbox', { name: 'Unstake' }).fill('2');
    await sheet.getByRole('button', { name: 'Review unstaking' }).click();
    await page.getByText('Checked in your browser').waitFor();
    await goBack(page);
    await noDialog(page);
    await page.getByText('Review closed. The transaction was not signed.').waitFor();
    assert.equal(pathOf(page), '/portfolio');

    // A dialog closed in another way leaves no history entry behind.
    await unstake.click();
    await page.keyboard.press('Escape');
    await noDialog(page);
    await goBack(page);
    await page.waitForURL(`${service().url}/`);
    await page.getByRole('textbox', { name: 'Stake SOL' }).waitFor();
    assert.deepEqual(offences(), []);
  });

  it('closes the review while the wallet is asked, and a signature that comes afterwards is never sent', async (t) => {
    const wallet = await walletWith(service(), []);
    const { page, requests } = await openBrowser(t, {
      url: service().url,
      initScript: mockWalletScript({ key: wallet.jwk, mode: 'hold' }),
    });
    await connectWallet(page, 'Test wallet');
    await reviewStake(page, '2');
    await page.getByRole('button', { name: 'Sign in wallet' }).click();
    await page.getByRole('button', { name: 'Waiting for Test wallet…' }).waitFor();
    await goBack(page);
    await noDialog(page);
    await page.getByText(/^Review closed\. If your wallet still asks/).waitFor();
    await mockWallet(page).release();
    await page.getByRole('button', { name: 'Review stake' }).waitFor();
    assert.ok(!requests.some((request) => request.includes('/transaction/submit')));
  });

  it('is not needed for the menu: a tap on it closes the review and keeps the view, on a wide screen and on a phone', async (t) => {
    for (const width of [1280, 390]) {
      const wallet = await walletWith(service(), []);
      const { page } = await openBrowser(t, {
        url: service().url,
        width,
        initScript: mockWalletScript({ key: wallet.jwk }),
      });
      await connectWallet(page, 'Test wallet');
      const box = (await page.getByRole('link', { name: 'Validator', exact: true }).boundingBox())!;
      await reviewStake(page, '2');
      // On a phone, the dialog covers the menu, so the test clicks above the dialog.
      await page.mouse.click(box.x + box.width / 2, width < 500 ? 8 : box.y + box.height / 2);
      await noDialog(page);
      await page.getByText('Review closed. The transaction was not signed.').waitFor();
      assert.equal(pathOf(page), '/');
    }
  });
});
