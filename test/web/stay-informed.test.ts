// Told without looking: a calendar to subscribe to, and notifications of the browser for whoever asked for them, once each.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { signAwayStakeAuthority } from '../../demo/phishing-page.ts';
import { browserSkip, sharedBrowser } from '../support/browser.ts';
import { until } from '../support/index-fixture.ts';
import { sharedPageService } from '../support/page-fixture.ts';
import { newWallet } from '../support/wallets.ts';
import { looksRight, walletWith } from './portfolio-steps.ts';

const service = sharedPageService({ before, after }, { skip: browserSkip });
const openBrowser = sharedBrowser({ before, after });

/** What a browser with permissions does, noted: nobody is there to allow, or to read. */
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
  it('the calendar is a link to subscribe to; a notification comes once, to those who asked, and says what without a link', async (t) => {
    const wallet = await walletWith(service(), [2]);
    const { walletAddress } = wallet;
    const { page, offences } = await openBrowser(t, {
      url: service().url,
      path: `/portfolio?wallet=${walletAddress}`,
      initScript: NOTED_NOTIFICATIONS,
    });
    const calendar = page.getByRole('link', { name: 'Subscribe' });
    assert.equal(
      await calendar.getAttribute('href'),
      `webcal://${new URL(service().url).host}/calendar/${walletAddress}.ics`,
    );
    const file = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download .ics' }).click();
    assert.equal((await file).suggestedFilename(), `${walletAddress}.ics`);

    const noted = <T>(name: string) => page.evaluate<T>(`window.${name}`);
    assert.equal(await noted('asked'), 0, 'no permission is asked for before somebody wants it');
    await page.getByRole('button', { name: 'Notify me' }).press('Enter');
    await page.getByRole('button', { name: 'Stop notifying me' }).waitFor();
    assert.equal(await noted('asked'), 1);
    const { rpcUrl } = await service().client.get('/sandbox');
    const { accounts } = await service().client.get(`/api/v1/stake/accounts/${walletAddress}`);
    // What was there before it was turned on is no news: the first look must be over.
    await page.waitForResponse(/\/api\/v1\/alerts\//);
    const thief = newWallet().walletAddress;
    await signAwayStakeAuthority(rpcUrl, wallet, {
      stakeAccountAddress: accounts[0].address,
      to: thief,
    });
    await until(async () => (await noted<unknown[]>('notified')).length > 0, 'the notification');
    // Another look, which finds the same.
    await page.waitForResponse(/\/api\/v1\/alerts\//);
    await page.waitForResponse(/\/api\/v1\/alerts\//);
    const [notified, ...more] = await noted<Record<string, string>[]>('notified');
    assert.deepEqual(more, []);
    assert.equal(notified!.title, 'Somebody changed who controls a stake');
    assert.match(notified!.body!, /An address other than the owner may now unstake/);
    assert.doesNotMatch(JSON.stringify(notified), /https?:/);

    await page.reload();
    await page.getByRole('button', { name: 'Notify me' }).waitFor();
    assert.equal(
      await noted('asked'),
      0,
      'remembered, and the browser has the last word: it says default again',
    );
    assert.deepEqual(offences(), []);
  });

  it('a browser that refuses or shows none says so, and offers no button', async (t) => {
    const { walletAddress } = await walletWith(service(), [2], false);
    for (const [script, words] of [
      [`${NOTED_NOTIFICATIONS} Notification.permission = 'denied';`, /does not let this site notify/],
      ['delete window.Notification;', /shows no notifications here/],
    ] as const) {
      const { page } = await openBrowser(t, {
        url: service().url,
        path: `/portfolio?wallet=${walletAddress}`,
        initScript: script,
      });
      await page.getByText(words).waitFor();
      assert.equal(await page.getByRole('button', { name: /notify/i }).count(), 0);
    }
  });

  it('the card looks right in light and dark and on phones', async (t) => {
    const { walletAddress } = await walletWith(service(), [2], false);
    const { page } = await openBrowser(t, {
      url: service().url,
      path: `/portfolio?wallet=${walletAddress}`,
      initScript: NOTED_NOTIFICATIONS,
    });
    await page.getByRole('heading', { name: 'Stay informed' }).waitFor();
    await looksRight(page, 'stay-informed');
  });

  it('an open portfolio with notifications on asks at most 10 times in 30 seconds', async (t) => {
    const { walletAddress } = await walletWith(service(), [2]);
    const { page, requests } = await openBrowser(t, {
      url: service().url,
      path: `/portfolio?wallet=${walletAddress}`,
      initScript: NOTED_NOTIFICATIONS,
      prepare: async (prepared) => prepared.clock.install(),
    });
    await page.getByRole('button', { name: 'Notify me' }).press('Enter');
    await page.getByRole('button', { name: 'Stop notifying me' }).waitFor();
    await page.waitForLoadState('networkidle');
    await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 1_000);
    const before = requests.length;
    for (let second = 0; second < 30; second += 1) {
      await page.clock.runFor(1_000);
      // Answers come in our time, and plan the next read in that of the page.
      await page.waitForLoadState('networkidle');
    }
    const asked = requests.slice(before).filter((request) => /\/api\/v1\//.test(request));
    assert.ok(asked.length >= 3 && asked.length <= 10, asked.join('\n'));
  });
});
