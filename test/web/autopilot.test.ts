// Checks the autopilot on the page against the real service: a policy is set, paused, changed and ended with
// the wallet's signature, and its offers are shown.
import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { seriousFaults } from '../support/axe.ts';
import { browserSkip, screenshot, sharedBrowser, type TestPageOptions } from '../support/browser.ts';
import { isSoundInBothThemes } from '../support/looks-right.ts';
import { mockWallet, mockWalletScript } from '../support/mock-wallet.ts';
import { sharedPageService } from '../support/page-fixture.ts';
import { connectFunded, connectWallet, walletAddressOf } from '../support/page-steps.ts';
import { startReceiver } from '../support/receiver.ts';

const service = sharedPageService({ before, after }, { skip: browserSkip });
const openBrowser = sharedBrowser({ before, after });
// A wallet without a policy gets a 404, and the text to sign arrives with a refusal. The browser logs both.
const open = (t: TestContext, more: Partial<TestPageOptions> = {}) =>
  openBrowser(t, { url: service().url, path: '/developers', tolerateFailedRequests: true, ...more });

const card = (page: Page) => page.getByRole('region', { name: 'Autopilot' });
const button = (page: Page, name: string) => card(page).getByRole('button', { name, exact: true });
const showPolicy = (page: Page): Promise<void> =>
  page.getByRole('button', { name: /^Show the policy of/ }).click();
const checked = (page: Page): Promise<void> =>
  page.getByRole('dialog').getByText('The text says nothing else.').waitFor();
const sign = (page: Page): Promise<void> => page.getByRole('button', { name: 'Sign in wallet' }).click();
/** Signs, and waits until the review, which contains the same words as the card, is gone. */
const signed = async (page: Page): Promise<void> => {
  await sign(page);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
};
const showsOn = async (page: Page): Promise<void> => {
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await card(page).getByText('On', { exact: true }).waitFor();
};
const policyOf = (walletAddress: string) => service().client.get(`/api/v1/autopilot/policy/${walletAddress}`);

const fill = async (page: Page, keep: string, least: string, url: string): Promise<void> => {
  await card(page).getByLabel('Keep liquid (SOL)').fill(keep);
  await card(page).getByLabel('Offer when above (SOL)').fill(least);
  await card(page).getByLabel('Send offers to').fill(url);
};

describe('the autopilot of a wallet', { skip: browserSkip }, () => {
  it('is set by signing a text, and its offers are shown with their state, from sending to delivery', async (t) => {
    const receiver = await startReceiver(t);
    const { page, requests, offences } = await open(t);
    await connectFunded(page);
    assert.equal(requests.filter((request) => request.includes('/autopilot/')).length, 0);
    await showPolicy(page);
    await card(page)
      .getByText(/has no policy here/)
      .waitFor();

    await fill(page, '1', '1.5', `${receiver.url}/private-path`);
    await card(page).getByText('98.99999 SOL would be offered now').waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    await screenshot(page, 'developers-autopilot-form-light');
    await button(page, 'Review policy').click();
    await checked(page);
    const dialog = page.getByRole('dialog', { name: 'Review your policy' });
    await dialog.getByText(`${receiver.url}/private-path`, { exact: true }).waitFor();
    await dialog.getByText('Text your wallet will sign').click();
    assert.match(
      await dialog.getByRole('region', { name: 'text to sign' }).innerText(),
      /\nkeepLiquidLamports=1000000000\n/,
    );
    await isSoundInBothThemes(page, 'developers-autopilot-review', false);
    await sign(page);
    const secret = await card(page).locator('[data-secret]').innerText();
    // The form is gone, and the focus stays in the card.
    await card(page).locator(':focus').waitFor();
    await receiver.got(1);
    const { body, headers } = receiver.received[0]!;
    const offer = new Webhook(secret).verify(body, headers as Record<string, string>) as {
      type: string;
      data: { sol: number };
    };
    assert.deepEqual([offer.type, offer.data.sol], ['autopilot_sweep', 98.99999]);
    await card(page).locator('[data-last-sweep="800"]').waitFor();
    await card(page).getByText('98.9999 SOL in epoch 800').waitFor();
    assert.equal(await page.getByText('private-path').count(), 0);
    await isSoundInBothThemes(page, 'developers-autopilot');
    await page.setViewportSize({ width: 360, height: 780 });
    assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 360);
    await page.setViewportSize({ width: 1280, height: 900 });
    await card(page).locator('[data-delivery][data-state="delivered"]').first().waitFor();
    await button(page, 'I saved it').click();
    assert.equal(await page.getByText(secret).count(), 0);

    await button(page, 'Test ping').click();
    await receiver.got(2);

    assert.deepEqual(offences(), []);
  });

  it('is paused, resumed, changed and ended, each time by signing a text', async (t) => {
    const receiver = await startReceiver(t);
    const { page, offences } = await open(t);
    await connectWallet(page, 'Sandbox wallet');
    const walletAddress = await walletAddressOf(page);
    await showPolicy(page);
    await fill(page, '1', '1.5', `${receiver.url}/private-path`);
    await button(page, 'Review policy').click();
    await checked(page);
    await signed(page);
    await button(page, 'I saved it').click();

    await button(page, 'Pause').click();
    await checked(page);
    await signed(page);
    await card(page).getByText('Paused', { exact: true }).waitFor();
    assert.equal((await policyOf(walletAddress)).paused, true);
    await button(page, 'Resume').click();
    await checked(page);
    await signed(page);
    await showsOn(page);

    await button(page, 'Change').click();
    assert.equal(await card(page).getByLabel('Send offers to').inputValue(), `${receiver.url}/private-path`);
    await fill(page, '200.000000001', '0', `${receiver.url}/other`);
    await card(page)
      .getByText(/would be offered now: the wallet does not hold more/)
      .waitFor();
    await button(page, 'Review policy').click();
    await checked(page);
    await signed(page);
    await card(page).getByText('200.000000001 SOL', { exact: true }).waitFor();
    // A change keeps the secret, so no secret is shown.
    assert.equal(await card(page).locator('[data-secret]').count(), 0);
    assert.equal((await policyOf(walletAddress)).keepLiquidSol, 200.000000001);

    await button(page, 'Turn off autopilot').click();
    await checked(page);
    await signed(page);
    await card(page)
      .getByText(/has no policy here/)
      .waitFor();
    assert.equal((await fetch(`${service().url}/api/v1/autopilot/policy/${walletAddress}`)).status, 404);
    assert.deepEqual(offences(), []);
  });

  it('the reason why there is no offer is shown as text, and in another tab pausing asks for the callback URL again', async (t) => {
    const receiver = await startReceiver(t);
    const { page, context } = await open(t);
    await connectWallet(page, 'Sandbox wallet');
    await showPolicy(page);
    await fill(page, '1', '1.5', receiver.url);
    await button(page, 'Review policy').click();
    await checked(page);
    await sign(page);
    await showsOn(page);
    await card(page).locator('[data-last-skip="WALLET_SHORT"]').waitFor();
    await card(page)
      .getByText(/the wallet does not hold more than its liquid amount/)
      .waitFor();

    const other = await context.newPage();
    await other.goto(`${service().url}/developers`);
    await showPolicy(other);
    await button(other, 'Pause').click();
    await card(other)
      .getByText(/The service shows only .*\. Enter the full URL again/)
      .waitFor();
    assert.equal(
      await card(other)
        .getByLabel(/^Paused/)
        .isChecked(),
      true,
    );
    assert.equal(await button(other, 'Review policy').isDisabled(), true);
    await card(other).getByLabel('Send offers to').fill('example.com');
    await card(other).getByText('Enter a full URL.').waitFor();
    await card(other).getByLabel('Send offers to').fill(receiver.url);
    await button(other, 'Review policy').click();
    await checked(other);
    await sign(other);
    await card(other).getByText('Paused', { exact: true }).waitFor();
  });

  it('a wallet that refuses or changes the text leaves the page unchanged, and can be asked again', async (t) => {
    const receiver = await startReceiver(t);
    const { page } = await open(t, { initScript: mockWalletScript() });
    await connectWallet(page, 'Test wallet');
    const walletAddress = await walletAddressOf(page);
    const wallet = mockWallet(page);
    await showPolicy(page);
    await fill(page, '1', '1.5', receiver.url);
    await button(page, 'Review policy').click();
    await checked(page);
    const none = async () =>
      (await fetch(`${service().url}/api/v1/autopilot/policy/${walletAddress}`)).status === 404;
    await wallet.setMode('refuse');
    await sign(page);
    await page.getByText('You declined the request in your wallet').waitFor();
    assert.ok(await none());
    await wallet.setMode('tamper');
    await sign(page);
    await page.getByText('Test wallet signed a different text').waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    assert.ok(await none());
    await wallet.setMode('sign');
    await sign(page);
    await showsOn(page);
  });

  it('a text other than the requested one is not passed to the wallet', async (t) => {
    const { page } = await open(t, { initScript: mockWalletScript() });
    await connectWallet(page, 'Test wallet');
    await showPolicy(page);
    await page.route('**/api/v1/autopilot/policy', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { textToSign: string };
      const textToSign = body.textToSign.replace(/callbackUrl=.*/, 'callbackUrl=https://evil.example/');
      await route.fulfill({ response, json: { ...body, textToSign } });
    });
    await fill(page, '1', '1.5', 'https://example.com/');
    await button(page, 'Review policy').click();
    await page.getByRole('dialog').getByText('Do not sign this').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Sign in wallet' }).count(), 0);
    assert.equal((await mockWallet(page).state()).asked, 0);
  });

  it('a signature from a device with a fast clock is refused with a message, and a second one succeeds', async (t) => {
    const receiver = await startReceiver(t);
    const { page } = await open(t);
    await connectWallet(page, 'Sandbox wallet');
    await showPolicy(page);
    await fill(page, '1', '1.5', receiver.url);
    await button(page, 'Review policy').click();
    await checked(page);
    // The same wallet in another tab, an hour ahead.
    const ahead = await page.context().newPage();
    await ahead.addInitScript('const now = Date.now; Date.now = () => now() + 3600000;');
    await ahead.goto(`${service().url}/developers`);
    await showPolicy(ahead);
    await fill(ahead, '2', '1.5', receiver.url);
    await button(ahead, 'Review policy').click();
    await checked(ahead);
    await sign(ahead);
    await showsOn(ahead);

    await sign(page);
    await page.getByText('This wallet has already signed a newer version').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await checked(page);
    await sign(page);
    await showsOn(page);
    assert.equal((await policyOf(await walletAddressOf(page))).keepLiquidSol, 1);
  });

  it('a wallet that cannot sign texts is reported before anything is filled in, and a refused callback URL in the service’s words', async (t) => {
    const { page } = await open(t, { initScript: mockWalletScript({ cannotSignTexts: true }) });
    await connectWallet(page, 'Test wallet');
    await showPolicy(page);
    await card(page).getByText('Test wallet cannot sign messages').waitFor();

    const { page: second } = await open(t);
    await connectWallet(second, 'Sandbox wallet');
    await showPolicy(second);
    await fill(second, '1', '1.5', 'http://10.0.0.1/');
    const refused = second.waitForResponse((answer) => answer.request().method() === 'POST');
    await button(second, 'Review policy').click();
    const { message } = (await (await refused).json()) as { message: string };
    await second.getByRole('dialog').getByText(message).waitFor();
    assert.equal(await second.getByRole('button', { name: 'Sign in wallet' }).count(), 0);
    await second.keyboard.press('Escape');
    await button(second, 'Review policy').waitFor();
  });
});
