// Checks any wallet's portfolio on a cluster other than the service's own sandbox: it shows every visitor what
// the service and the chain report.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { rewardsByEpoch } from '../../web/src/views/portfolio/rewards-by-epoch.ts';
import { browserSkip, screenshot, sharedBrowser, type TestPageOptions } from '../support/browser.ts';
import { isSoundInBothThemes, looksRight } from '../support/looks-right.ts';
import { type PreparedWallet, sharedPortfolios, walletWithStakes } from './portfolio-states.ts';

const venue = sharedPortfolios({ before, after }, { skip: browserSkip });
const openBrowser = sharedBrowser({ before, after });
const open = (t: TestContext, more: Partial<TestPageOptions> = {}) =>
  openBrowser(t, { url: venue().service.url, path: '/portfolio', ...more });
const client = () => venue().service.client;

const recommended = (page: Page, action: string): Promise<void> =>
  page.locator(`[data-recommended="${action}"]`).waitFor();
const accounts = (page: Page) => page.locator('li[data-account]');
/** Expands the details of every account, and everything collapsed inside. */
const unfold = async (page: Page): Promise<void> => {
  for (const more of await page.getByRole('button', { name: /^Details of stake account/ }).all())
    await more.click();
  for (const summary of await page.locator('li[data-account] summary').all()) await summary.click();
};
const part = (page: Page, key: string) => page.locator(`[data-part="${key}"] dd`).innerText();

describe('any wallet, shown read-only', { skip: browserSkip }, () => {
  let wallet: PreparedWallet;
  before(() => {
    if (browserSkip === false) wallet = venue().wallet;
  });
  const openWallet = (t: TestContext, more: Partial<TestPageOptions> = {}) =>
    open(t, { path: `/portfolio?wallet=${wallet.walletAddress}`, ...more });
  const phasesOf = (page: Page, account: string) =>
    page
      .locator(`li[data-account="${account}"] [data-epoch]`)
      .evaluateAll((cells) =>
        (cells as unknown as { dataset: { epoch: string; phase?: string } }[]).map(
          ({ dataset }) => `${dataset.epoch} ${dataset.phase ?? 'none'}`,
        ),
      );

  it('is shown by its address without any buttons for changes, can be linked to, and can be left again', async (t) => {
    const { page, offences } = await open(t);
    const field = page.getByLabel('View any wallet');
    await field.fill('not an address');
    await field.press('Enter');
    await page.getByText('Not a Solana address').waitFor();
    await field.fill(wallet.walletAddress);
    await field.press('Enter');
    await page.getByText('Read only').waitFor();
    await accounts(page).nth(3).waitFor();
    assert.equal(new URL(page.url()).search, `?wallet=${wallet.walletAddress}`);
    assert.equal(await page.getByRole('button', { name: /^(Unstake|Withdraw|Stake )/ }).count(), 0);
    await recommended(page, 'WITHDRAW');
    await page.goBack();
    await page.getByText('Choose a wallet').waitFor();
    assert.deepEqual(offences(), []);
  });

  it('a link to an invalid address shows an error with a next step', async (t) => {
    const { page } = await open(t, { path: '/portfolio?wallet=foo' });
    await page.getByText('Not a wallet address').waitFor();
    await page.getByText('“foo”').waitFor();
    await page.getByRole('button', { name: 'Back to my portfolio' }).click();
    await page.getByText('Choose a wallet').waitFor();
  });

  it('its stake is shown as the service reports it', async (t) => {
    const { page } = await openWallet(t);
    await accounts(page).nth(3).waitFor();
    const { portfolio } = await client().get(`/api/v1/stake/summary/${wallet.walletAddress}`);
    assert.equal(
      await page.locator('[data-total-staked]').getAttribute('data-total-staked'),
      String(portfolio.totalStakedSol),
    );
    for (const [key, sol] of [
      ['wallet', portfolio.liquidSol],
      ['active', portfolio.activeSol - portfolio.deactivatingSol],
      ['activating', portfolio.activatingSol],
      ['cooling', portfolio.deactivatingSol],
      ['withdrawable', portfolio.withdrawableSol],
    ] as const)
      assert.equal(Number.parseFloat(await part(page, key)), Math.floor(sol * 1e4 + 1e-6) / 1e4, key);
    // Accounts that need attention come first.
    const states = await accounts(page).evaluateAll((items) =>
      (items as unknown as { dataset: { state: string } }[]).map(({ dataset }) => dataset.state),
    );
    assert.deepEqual(states, ['inactive', 'deactivating', 'activating', 'active']);
  });

  it('the first line shows the earnings, the yield and the next payment', async (t) => {
    const { page } = await openWallet(t);
    const overview = page.getByRole('region', { name: 'Overview' });
    const figure = (label: string) => overview.getByText(label, { exact: true }).locator('xpath=..');
    const { totals } = await client().get(`/api/v1/stake/rewards/${wallet.walletAddress}`);
    await figure('Earned here').getByText('in the last 30 epochs', { exact: true }).waitFor();
    const [earned] = /[\d.]+/.exec(await figure('Earned here').innerText())!;
    assert.ok(Math.abs(Number(earned) - totals.inflationSol - totals.tipsSol) < 1e-4, earned);
    assert.match(await figure('Measured yield').innerText(), /\d+\.\d\d%\s+per year, over \d epochs/);
    assert.match(await figure('Next payment').innerText(), /about [\d.]+ SOL\s+.*\d\d:\d\d/);
  });

  it('rewards that are being distributed are read again within seconds', async (t) => {
    let isPaid = false;
    const { page } = await openWallet(t, {
      prepare: async (fresh) => {
        // In a short epoch, the distribution takes more than a twentieth of it.
        await fresh.route('**/api/v1/epoch', async (route) => {
          const response = await route.fetch();
          await route.fulfill({ response, json: { ...(await response.json()), progressPct: 30 } });
        });
        await fresh.route('**/api/v1/stake/rewards/**', async (route) => {
          const response = await route.fetch();
          const body = await response.json();
          const [last] = body.rewards;
          if (!isPaid) {
            Object.assign(last, { inflationSol: null, tipsSol: null });
            Object.assign(body.totals, { unknownInflation: 1, unknownTips: 1 });
            body.notices.push({
              code: 'REWARDS_DISTRIBUTING',
              severity: 'info',
              text: '',
              template: '',
              params: {},
            });
          }
          await route.fulfill({ response, json: body });
        });
      },
    });
    const overview = page.getByRole('region', { name: 'Overview' });
    await overview.getByText('in the last 30 epochs, some figures unavailable', { exact: true }).waitFor();
    isPaid = true;
    await overview.getByText('in the last 30 epochs', { exact: true }).waitFor();
  });

  it('the rewards card shows the sum from the first line until another range is chosen', async (t) => {
    const { page, context } = await openWallet(t, { path: '/portfolio' });
    await context.route('**/api/v1/stake/summary/**', async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      for (const account of body.accounts) account.activationEpoch -= 50;
      await route.fulfill({ response, json: body });
    });
    await context.route(/\/stake\/rewards\/.*epochs=30/, async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      await route.fulfill({ response, json: { ...body, totals: { ...body.totals, inflationSol: 0.123 } } });
    });
    await page.goto(`${venue().service.url}/portfolio?wallet=${wallet.walletAddress}`);
    const overview = page.getByRole('region', { name: 'Overview' });
    const earned = overview
      .getByText('Earned here', { exact: true })
      .locator('xpath=..')
      .getByText(/^[\d.]+ SOL$/);
    const sum = await earned.textContent();
    const card = page.getByRole('tabpanel', { name: 'Rewards' });
    await card.getByText(sum!, { exact: true }).waitFor();
    const { totals } = await client().get(`/api/v1/stake/rewards/${wallet.walletAddress}?epochs=90`);
    assert.equal(sum, `${Number((totals.inflationSol + totals.tipsSol).toFixed(9))} SOL`);
    await card.getByText('30 epochs', { exact: true }).click();
    await card.getByText('0.123 SOL', { exact: true }).waitFor();
    assert.equal(await earned.textContent(), sum);
  });

  it('each account’s timeline matches the chain and shows the earliest and latest time of the next epoch boundary', async (t) => {
    const timings: Record<'earliestEpochEnd' | 'latestEpochEnd', string>[] = [];
    const { page } = await openWallet(t, {
      prepare: async (fresh) => {
        fresh.on('response', async (response) => {
          if (response.url().includes('/stake/summary/')) timings.push((await response.json()).epochTiming);
        });
      },
    });
    await accounts(page).nth(3).waitFor();
    await unfold(page);
    const { currentEpoch: now } = await client().get('/api/v1/epoch');
    const { active, inactive, deactivating, activating } = wallet.accounts;
    const around = (...phases: string[]) => phases.map((phase, index) => `${now - 2 + index} ${phase}`);
    const past = (phase: string, ...rest: string[]) => around(phase, ...rest);
    assert.deepEqual(await phasesOf(page, active), past('active', 'active', 'active', 'active', 'active'));
    assert.deepEqual(
      await phasesOf(page, inactive),
      past('active', 'cooling', 'withdrawable', 'withdrawable', 'withdrawable'),
    );
    assert.deepEqual(
      await phasesOf(page, deactivating),
      past('activating', 'active', 'cooling', 'withdrawable', 'withdrawable'),
    );
    assert.deepEqual(
      await phasesOf(page, activating),
      past('none', 'none', 'activating', 'active', 'active'),
    );

    const list = page.getByRole('list', { name: /^Epochs of stake account/ });
    assert.equal(await list.count(), 4);
    const cooling = page.locator(`li[data-account="${deactivating}"] ol li`);
    const texts = await cooling.allInnerTexts();
    assert.equal(texts.length, 4);
    const time = (iso: string): string =>
      new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit' }).format(Date.parse(iso));
    assert.match(texts[2]!, new RegExp(`Deactivating.*now.*in epoch ${now}`, 's'));
    assert.match(
      texts[3]!,
      new RegExp(
        `Withdrawable.*upcoming.*from epoch ${now + 1} at the earliest, in about .* at .*between .* and `,
        's',
      ),
    );
    const bounds = texts[3]!.match(/between (\d\d:\d\d(?:\s[AP]M)?) and (\d\d:\d\d(?:\s[AP]M)?)/)!;
    // The page uses a 12-hour or 24-hour clock, depending on the user's locale.
    const minutes = (text: string): number => {
      const hours = Number(text.slice(0, 2));
      const half = /[AP]M$/.exec(text)?.[0];
      return (
        (half === undefined ? hours : (hours % 12) + (half === 'PM' ? 12 : 0)) * 60 + Number(text.slice(3, 5))
      );
    };
    const isShown = (shown: string, iso: string): boolean =>
      [0, 1, 1439].includes(Math.abs(minutes(shown) - minutes(time(iso))));
    // The service estimates the bounds again at each read.
    assert.ok(
      timings.some(
        ({ earliestEpochEnd, latestEpochEnd }) =>
          isShown(bounds[1]!, earliestEpochEnd) && isShown(bounds[2]!, latestEpochEnd),
      ),
      `${bounds[0]}: ${JSON.stringify(timings)}`,
    );
    const [mark] = await page
      .locator('[data-now]')
      .evaluateAll((marks) =>
        (marks as unknown as { dataset: { now: string } }[]).map(({ dataset }) => Number(dataset.now)),
      );
    assert.ok(mark! >= 0 && mark! <= 1);
  });

  it('the shown rewards and the downloaded table equal those of the service', async (t) => {
    const { page } = await openWallet(t);
    const card = page.getByRole('tabpanel', { name: 'Rewards' });
    const { rewards, totals } = await client().get(`/api/v1/stake/rewards/${wallet.walletAddress}`);
    await card.getByText(`${totals.inflationSol} SOL`).first().waitFor();
    const rows = await card.locator('table tbody tr').count();
    assert.equal(rows, rewardsByEpoch(rewards).length);
    const downloading = page.waitForEvent('download');
    await card.getByRole('link', { name: 'CSV' }).click();
    const download = await downloading;
    assert.match(download.suggestedFilename(), /^holdfast-rewards-\w{4}-\w{4}\.csv$/);
    assert.equal(
      await readFile(await download.path(), 'utf8'),
      await client().text(`/api/v1/stake/rewards/${wallet.walletAddress}?epochs=30&format=csv`),
    );
  });

  it('the printable sheet contains every account with its authorities and commands, and is printed alone', async (t) => {
    const { page, offences } = await openWallet(t);
    await page.getByRole('tab', { name: 'Printout' }).click();
    const { accounts: all } = await client().get(`/api/v1/stake/accounts/${wallet.walletAddress}?scope=all`);
    const sheet = page.locator('[data-sheet]');
    await sheet.waitFor();
    assert.deepEqual(
      await sheet.getByRole('heading', { level: 3 }).allInnerTexts(),
      all.map(({ address }: { address: string }) => address),
    );
    await sheet.getByText(`${wallet.walletAddress} (this wallet)`).first().waitFor();
    await sheet
      .getByText(/solana withdraw-stake \w+ \w+ ALL --withdraw-authority KEYPAIR/)
      .first()
      .waitFor();
    await looksRight(page, 'sheet', false);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await sheet.isVisible(), true);
    assert.equal(await page.getByRole('button', { name: 'Print', exact: true }).isVisible(), false);
    assert.equal(await page.getByRole('heading', { name: 'Portfolio' }).isVisible(), false);
    await screenshot(page, 'sheet-print', false);
    assert.deepEqual(offences(), []);
  });

  it('axe finds no serious issue in light or dark mode, even with everything expanded', async (t) => {
    const { page, offences } = await openWallet(t);
    await accounts(page).nth(3).waitFor();
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('tabpanel', { name: 'History' }).getByRole('row').nth(6).waitFor();
    await page.waitForLoadState('networkidle');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await screenshot(page, `portfolio-${colorScheme}`);
    }
    await unfold(page);
    await isSoundInBothThemes(page, 'portfolio-unfolded');
    assert.deepEqual(offences(), []);
  });

  it('fits a phone of 360 pixels with everything expanded', async (t) => {
    const { page } = await openWallet(t, { width: 360, height: 780 });
    await accounts(page).nth(3).waitFor();
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('tabpanel', { name: 'History' }).getByRole('row').nth(6).waitFor();
    await screenshot(page, 'portfolio-phone');
    await unfold(page);
    assert.equal(await page.evaluate<number>('document.documentElement.scrollWidth'), 360);
  });

  it('a stake account in place of a wallet is refused in the service’s own words', async (t) => {
    const { page } = await open(t, {
      path: `/portfolio?wallet=${wallet.accounts.active}`,
      tolerateFailedRequests: true,
    });
    await page.getByText(/This wallet could not be loaded/).waitFor();
    await page
      .getByText(/stake account/)
      .first()
      .waitFor();
    assert.equal(await accounts(page).count(), 0);
  });

  it('many accounts are shown in a table, and a long history loads on demand with every entry once', async (t) => {
    const COUNT = 17;
    const many = await walletWithStakes(venue(), COUNT);
    const { page } = await open(t, { path: `/portfolio?wallet=${many}` });
    const inTable = page.locator('tr[data-account]');
    await inTable.nth(COUNT - 1).waitFor();
    assert.equal(await inTable.count(), COUNT);
    assert.equal(await page.getByRole('checkbox', { name: /^Select/ }).count(), 0, 'only its owner can act');

    await page.getByRole('tab', { name: 'History' }).click();
    const rows = page.getByRole('tabpanel', { name: 'History' }).locator('tbody tr');
    const signatures = async () =>
      (await rows
        .locator('td:last-child a')
        .evaluateAll((links) =>
          (links as unknown as { title: string }[]).map(({ title }) => title),
        )) as string[];
    await page.getByRole('button', { name: 'Load more' }).click();
    await rows.nth(COUNT - 1).waitFor();
    const { history } = await client().get(`/api/v1/stake/history/${many}`);
    assert.deepEqual(
      await signatures(),
      history.map(({ signature }: { signature: string }) => signature),
    );
    assert.equal(await page.getByRole('button', { name: 'Load more' }).count(), 0);
  });
});

describe('live updates', { skip: browserSkip }, () => {
  it('is updated automatically after the end of an epoch, by the page’s clock', async (t) => {
    const { sandbox } = venue();
    const walletAddress = await walletWithStakes(venue(), 1);
    const { page } = await open(t, {
      path: `/portfolio?wallet=${walletAddress}`,
      prepare: async (prepared) => prepared.clock.install(),
    });
    const state = (name: string) => page.locator(`li[data-account][data-state="${name}"]`);
    await state('activating').waitFor();
    // From here on, only the test advances the page's time. The epoch is polled every 15 s, wallets every 30 s.
    await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 1_000);
    const epoch = await sandbox.advanceEpochs(1);
    await page.clock.fastForward(16_000);
    await state('active').waitFor();
    await unfold(page);
    await page
      .getByText(`since epoch ${epoch}`)
      .or(page.getByText(`in epoch ${epoch}`))
      .first()
      .waitFor();
  });
});
