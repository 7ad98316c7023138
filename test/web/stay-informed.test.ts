// Checks ways to stay informed without the page: a calendar subscription, and browser notifications for users
// who enabled them, each once.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { signAwayStakeAuthority } from '../../demo/phishing-page.ts';
import { browserSkip, screenshot, sharedBrowser } from '../support/browser.ts';
import { until } from '../support/index-fixture.ts';
import { looksRight } from '../support/looks-right.ts';
import { sharedPageService } from '../support/page-fixture.ts';
import { newWallet } from '../support/wallets.ts';
import { walletWith } from './portfolio-steps.ts';

const service = sharedPageService({ before, after }, { skip: browserSkip });
const openBrowser = sharedBrowser({ before, after });

const openAlerts = (page: Page): Promise<void> => page.getByRole('tab', { name: 'Alerts' }).click();

/**
 * Script that simulates the browser's permission prompt and records notifications, because there is no user.
 */
const NOTED_NOTIFICATIONS = `
  window.asked = 0;
  window.notified = [];
  window.Notification = class {
    static permission = 'default';
    static async requestPermission() {
      window.asked += 1;
      return (this.permission = 'granted');
    }
    constructor(title, options) {
      window.notified.push({ title, ...options });
    }
  };
`;

describe('staying informed', { skip: browserSkip }, () => {
  it('the calendar is a link to subscribe to, and users who enabled notifications get one that names the event and contains no link', async (t) => {
    const wallet = await walletWith(service(), [2]);
    const { walletAddress } = wallet;
    const { page, offences } = await openBrowser(t, {
      url: service().url,
      path: `/portfolio?wallet=${walletAddress}`,
      initScript: NOTED_NOTIFICATIONS,
    });
    await openAlerts(page);
    const calendar = page.getByRole('link', { name: 'Subscribe' });
    assert.equal(
      await calendar.getAttribute('href'),
      `webcal://${new URL(service().url).host}/calendar/${walletAddress}.ics`,
    );
    const file = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download .ics' }).click();
    assert.equal((await file).suggestedFilename(), `${walletAddress}.ics`);

    const noted = <T>(name: string) => page.evaluate<T>(`window.${name}`);
    assert.equal(await noted('asked'), 0, 'no permission is requested before the user wants it');
    await page.getByRole('button', { name: 'Notify me' }).press('Enter');
    await page.getByRole('button', { name: 'Stop notifying me' }).waitFor();
    assert.equal(await noted('asked'), 1);
    // Notifications arrive whichever tab of the portfolio is open.
    await page.getByRole('tab', { name: 'Rewards' }).click();
    const { rpcUrl } = await service().client.get('/sandbox');
    const { accounts } = await service().client.get(`/api/v1/stake/accounts/${walletAddress}`);
    // Earlier events cause no notification, so the first poll must be over.
    await page.waitForResponse(/\/api\/v1\/alerts\//);
    const thief = newWallet().walletAddress;
    await signAwayStakeAuthority(rpcUrl, wallet, {
      stakeAccountAddress: accounts[0].address,
      to: thief,
    });
    await until(async () => (await noted<unknown[]>('notified')).length > 0, 'the notification');
    // Waits for another poll with the same result.
    await page.waitForResponse(/\/api\/v1\/alerts\//);
    await page.waitForResponse(/\/api\/v1\/alerts\//);
    const [notified, ...more] = await noted<Record<string, string>[]>('notified');
    assert.deepEqual(more, []);
    assert.equal(notified!.title, 'Control of a stake changed');
    assert.match(notified!.body!, /An address other than the owner may now unstake/);
    assert.doesNotMatch(JSON.stringify(notified), /https?:/);

    await openAlerts(page);
    const changes = page.getByRole('region', { name: 'Changes of control' });
    await changes.getByRole('button', { name: 'Show changes' }).press('Enter');
    const row = changes.getByRole('row', { name: /Control of a stake changed/ });
    await row.getByText(/may now unstake/).waitFor();
    assert.match((await row.locator('time').getAttribute('datetime'))!, /^20\d\d-\d\d-\d\dT/);
    const { alerts } = await service().client.get(`/api/v1/alerts/${walletAddress}`);
    const { signature } = alerts[0].data;
    await row.getByText(`${signature.slice(0, 4)}…${signature.slice(-4)}`).waitFor();
    assert.equal(await row.getByRole('link').count(), 0, 'alerts carry no links');
    await looksRight(page, 'changes-of-control');
    const size = page.viewportSize()!;
    await page.setViewportSize({ width: 320, height: 700 });
    const clipped = await row
      .locator('td, td *')
      .evaluateAll((parts) =>
        (parts as unknown as { getBoundingClientRect(): { left: number; right: number } }[])
          .map((one) => one.getBoundingClientRect())
          .filter(({ left, right }) => left < 0 || right > 320),
      );
    assert.deepEqual(clipped, []);
    await screenshot(page, 'changes-of-control-320');
    await page.setViewportSize(size);

    await page.reload();
    await openAlerts(page);
    await page.getByRole('button', { name: 'Notify me' }).waitFor();
    assert.equal(
      await noted('asked'),
      0,
      'the choice is remembered, but the browser has reset its permission',
    );
    assert.deepEqual(offences(), []);
  });

  it('if the browser refuses or does not support notifications, the card says so and has no button', async (t) => {
    const { walletAddress } = await walletWith(service(), [2], false);
    for (const [script, words] of [
      [`${NOTED_NOTIFICATIONS} Notification.permission = 'denied';`, /blocks notifications from this site/],
      ['delete window.Notification;', /cannot show notifications here/],
    ] as const) {
      const { page } = await openBrowser(t, {
        url: service().url,
        path: `/portfolio?wallet=${walletAddress}`,
        initScript: script,
      });
      await openAlerts(page);
      await page.getByText(words).waitFor();
      assert.equal(await page.getByRole('button', { name: /notify/i }).count(), 0);
    }
  });

  it('the card is readable in light mode, in dark mode and on phones', async (t) => {
    const { walletAddress } = await walletWith(service(), [2], false);
    const { page } = await openBrowser(t, {
      url: service().url,
      path: `/portfolio?wallet=${walletAddress}`,
      initScript: NOTED_NOTIFICATIONS,
    });
    await openAlerts(page);
    await page.getByRole('heading', { name: 'Notifications' }).waitFor();
    await looksRight(page, 'stay-informed');
  });

  it('an open portfolio with notifications on sends at most 10 requests in 30 seconds', async (t) => {
    const { walletAddress } = await walletWith(service(), [2]);
    const { page, requests } = await openBrowser(t, {
      url: service().url,
      path: `/portfolio?wallet=${walletAddress}`,
      initScript: NOTED_NOTIFICATIONS,
      prepare: async (prepared) => prepared.clock.install(),
    });
    await openAlerts(page);
    await page.getByRole('button', { name: 'Notify me' }).press('Enter');
    await page.getByRole('button', { name: 'Stop notifying me' }).waitFor();
    await page.waitForLoadState('networkidle');
    await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 1_000);
    const before = requests.length;
    for (let second = 0; second < 30; second += 1) {
      await page.clock.runFor(1_000);
      // Responses arrive in real time and schedule the next read in the page's time.
      await page.waitForLoadState('networkidle');
    }
    const asked = requests.slice(before).filter((request) => /\/api\/v1\//.test(request));
    assert.ok(asked.length >= 3 && asked.length <= 10, asked.join('\n'));
  });
});
