// Checks the Validator view against the real service: its figures equal those of the API, unknown figures are
// named, hashes are recomputed, and failures are shown.
import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { seriousFaults } from '../support/axe.ts';
import { browserSkip, screenshot, sharedBrowser, type TestPageOptions } from '../support/browser.ts';
import { isSoundInBothThemes } from '../support/looks-right.ts';
import { sharedPageService } from '../support/page-fixture.ts';
import { newWallet } from '../support/wallets.ts';

const service = sharedPageService({ before, after }, { skip: browserSkip });
const openBrowser = sharedBrowser({ before, after });
const open = (t: TestContext, more: Partial<TestPageOptions> = {}) =>
  openBrowser(t, { url: service().url, path: '/validator', ...more });
const read = async (path: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON
  (await (await fetch(`${service().url}/api/v1/${path}`)).json()) as any;

describe('the Validator view', { skip: browserSkip }, () => {
  it('shows the API’s data: name, addresses, APY with its source, infrastructure', async (t) => {
    const { page } = await open(t);
    const profile = await read('validator');
    await page.getByRole('heading', { name: profile.name }).waitFor();
    await page.locator(`[title="${profile.voteAccount}"]`).waitFor();
    await page.locator(`[data-total-apy="${profile.apy.totalApy}"]`).waitFor();
    await page.getByText('1 is the largest of all validators with stake', { exact: true }).waitFor();
    const { total } = profile.voteCreditRank;
    await page
      .getByText(`of ${total} validators that vote in this epoch; 1 is the best`, { exact: true })
      .waitFor();
    const apy = await page.getByRole('region', { name: 'APY' }).innerText();
    assert.equal(profile.apy.method.staking.source, 'expected');
    assert.match(apy, /Inflation\s+Expected/);
    assert.ok(apy.includes(profile.apy.warnings[0]));
    assert.equal(profile.apy.intervalMissing.code, 'INTERVAL_NEEDS_EPOCHS');
    assert.ok(apy.includes(profile.apy.intervalMissing.text));
    const machine = page.getByRole('region', { name: 'Infrastructure' });
    await machine.getByText((await read('validator/infrastructure')).cpu).waitFor();
  });

  it('shows the interval with its epochs, and how often earlier intervals contained the actual yield', async (t) => {
    const interval = {
      ...{ lowApy: 6.12, highApy: 7.34, confidencePct: 80, horizonEpochs: 30 },
      ...{ fromEpoch: 841, toEpoch: 900, epochCount: 58 },
    };
    const { page } = await open(t, {
      prepare: async (fresh) => {
        await fresh.route('**/api/v1/validator', async (route) => {
          const body = await (await route.fetch()).json();
          const apy = { ...body.apy, interval, intervalMissing: null, pastIntervals: { said: 41, held: 33 } };
          await route.fulfill({ json: { ...body, apy } });
        });
      },
    });
    await page.locator('[data-yield-interval="known"]').waitFor();
    await page.getByText('How it is calculated').click();
    const text = await page.getByRole('region', { name: 'APY' }).innerText();
    assert.match(
      text,
      /6\.12% to 7\.34% a year.* next 30 epochs\. Computed from epochs 841 to 900 \(58 measured\)/,
    );
    assert.match(text, /33 of 41 earlier intervals contained the yield that followed/);
  });

  it('shows unknown values as unknown, neither as zero nor left out', async (t) => {
    const { page } = await open(t, {
      prepare: async (fresh) => {
        await fresh.route('**/api/v1/validator', async (route) => {
          const response = await route.fetch();
          const body = await response.json();
          const apy = {
            ...body.apy,
            stakingApy: null,
            totalApy: null,
            atLeastApy: null,
            warnings: ['No rewards are known.'],
            notices: [
              {
                code: 'PAID_REWARDS_UNAVAILABLE',
                severity: 'info',
                text: 'No rewards are known.',
                params: {},
              },
            ],
          };
          await route.fulfill({
            json: { ...body, apy: { ...apy, method: { ...apy.method, staking: null } } },
          });
        });
      },
    });
    await page.locator('[data-total-apy="unknown"]').waitFor();
    const text = await page.getByRole('region', { name: 'APY' }).innerText();
    assert.match(text, /^Not known per year/m);
    assert.match(text, /No data yet/);
    assert.match(text, /No rewards are known\./);
  });

  it('a validator that earns nothing has no yield on both pages, and neither claims that it is unknown', async (t) => {
    const prepare: TestPageOptions['prepare'] = async (fresh) => {
      await fresh.route('**/api/v1/validator', async (route) => {
        const body = await (await route.fetch()).json();
        const notices = [
          { code: 'VALIDATOR_DELINQUENT', severity: 'critical', text: 'It earns nothing.', params: {} },
        ];
        const nothing = { stakingApy: null, jitoMevApy: null, totalApy: null, atLeastApy: null, notices };
        const method = { ...body.apy.method, staking: null, jitoMev: null };
        await route.fulfill({ json: { ...body, apy: { ...body.apy, ...nothing, interval: null, method } } });
      });
    };
    const { page } = await open(t, { prepare });
    await page.locator('[data-total-apy="unknown"]').waitFor();
    const text = await page.getByRole('region', { name: 'APY' }).innerText();
    assert.match(text, /^None$/m);
    assert.match(text, /Inflation\s+None\s+Commission: 0%\.\s+Tips\s+None\s+Commission: 0%\./);
    assert.doesNotMatch(text, /per year|No data yet|not known/i);
    const { page: stake } = await open(t, { prepare, path: '/' });
    const projected = stake.getByRole('region', { name: 'Projected rewards' });
    await projected.getByText(/then earns from epoch/).waitFor();
    const shown = await projected.innerText();
    assert.match(shown, /APY\s+None\s+Per day, once active\s+–/);
    assert.match(shown, /Staking yield\s+None\s+Tips\s+None\s+80% interval\s+None/);
    await stake
      .getByText(/^APY\s*None$/)
      .first()
      .waitFor();
  });

  it('draws a completed epoch that has figures, and describes it for screen readers', async (t) => {
    const epochs = [801, 800].map((epoch) => ({
      epoch,
      activeStakeSol: 500,
      credits: epoch === 801 ? 6_900_000 : null,
      apy: 6.61,
      commission: 0,
      skipRate: 0,
    }));
    const { page } = await open(t, {
      prepare: async (fresh) => {
        await fresh.route('**/api/v1/validator/history', async (route) => {
          const body = await (await route.fetch()).json();
          await route.fulfill({ json: { ...body, epochs } });
        });
      },
    });
    const card = page.getByRole('region', { name: 'History' });
    await card.locator('canvas').waitFor();
    assert.match(await card.locator('table').innerText(), /Epoch 800\s+6\.61%[\s\S]*Epoch 801\s+6\.61%/);
    await card.getByText('Credits', { exact: true }).click();
    await card.getByText('Unknown for 1 of 2 epochs').waitFor();
    assert.match(await card.locator('table').innerText(), /Epoch 800\s+not known[\s\S]*6,900,000/);
  });

  it('a touch on a chart shows the figures below it, and a touch elsewhere hides them', async (t) => {
    const epochs = [802, 801, 800].map((epoch) => ({
      epoch,
      activeStakeSol: 500.123456789,
      credits: 6_900_000,
      apy: epoch === 802 ? 6.91 : 6.68,
      commission: 0,
      skipRate: 0,
    }));
    const { page } = await open(t, {
      width: 390,
      prepare: async (fresh) => {
        await fresh.route('**/api/v1/validator/history', async (route) => {
          const body = await (await route.fetch()).json();
          await route.fulfill({ json: { ...body, epochs } });
        });
      },
    });
    const card = page.getByRole('region', { name: 'History' });
    const plot = card.locator('.u-over');
    await plot.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await plot.boundingBox())!;
    await page.touchscreen.tap(x + width - 4, y + height / 2);
    const tooltip = plot.getByText('6.91%');
    await tooltip.waitFor();
    // The axis is scaled to the yields and does not start at zero, so small differences fill the chart.
    await screenshot(page, 'validator-yield-touch', false);
    await card.getByRole('heading').tap();
    await tooltip.waitFor({ state: 'hidden' });
    await card.getByText('Skip rate', { exact: true }).click();
    await card.getByText('Skip rate: 0.00%').waitFor();
    assert.equal(await card.locator('canvas').count(), 0, 'no empty axes');
  });

  it('polls the current epoch, so the slot advances', async (t) => {
    const { page } = await open(t);
    const slot = page.locator('[data-current-slot]');
    await slot.waitFor();
    const first = Number(await slot.getAttribute('data-current-slot'));
    await page.unroute('**/api/v1/validator/live');
    await page.route('**/api/v1/validator/live', async (route) => {
      const body = await (await route.fetch()).json();
      await route.fulfill({ json: { ...body, currentSlot: first + 77 } });
    });
    // Advance the page's clock instead of waiting 15 s for its timer.
    await page.evaluate(`Date.now = ((now) => () => now() + 60_000)(Date.now)`);
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.locator(`[data-current-slot="${first + 77}"]`).waitFor();
  });

  it('marks its own city, and sorts by keyboard with unknown values last', async (t) => {
    const { page } = await open(t);
    const { validatorCity, cities } = await read('network/peer-density');
    const own = page.locator('tr[data-own]');
    assert.match(await own.innerText(), new RegExp(`${validatorCity.city}[\\s\\S]*This validator`));
    assert.equal(await own.count(), 1);
    const card = page.getByRole('region', { name: 'Validators by location' });
    const rows = card.locator('tbody tr');
    assert.equal(await rows.count(), 5);
    await card.getByRole('button', { name: `Show all ${cities.length}` }).click();
    assert.equal(await rows.count(), cities.length);
    await card.getByRole('button', { name: 'Median APY' }).press('Enter');
    await card
      .getByRole('columnheader', { name: 'Median APY' })
      .and(page.locator('[aria-sort="descending"]'))
      .waitFor();
    const shown = (await rows.locator('td:last-child').allInnerTexts()).map((text) =>
      text === 'Not known' ? Number.NEGATIVE_INFINITY : Number.parseFloat(text),
    );
    assert.deepEqual(
      shown,
      [...shown].sort((one, other) => other - one),
    );
    assert.ok(shown.includes(Number.NEGATIVE_INFINITY) && Number.isFinite(shown[0]));
  });

  it('on the sandbox, shows a warning about the limits of the links next to them', async (t) => {
    const { page } = await open(t);
    const { warnings, stakewiz } = await read('verify/links');
    await page.getByText(warnings[0]).waitFor();
    const link = page.getByRole('link', { name: 'Stakewiz' });
    assert.equal(await link.getAttribute('href'), stakewiz);
    assert.equal(await link.getAttribute('rel'), 'noopener noreferrer');
  });
});

describe('the source hashes', { skip: browserSkip }, () => {
  it('are recomputed in the browser, match for every file, and are labeled as self-reported', async (t) => {
    const { page, requests, offences } = await open(t);
    const { sourceHashes } = await read('verify/code');
    const names = Object.keys(sourceHashes.files);
    const card = page.getByRole('region', { name: 'Source code' });
    await card.getByText('Self-reported', { exact: true }).waitFor();
    await card.getByText(/stand-alone verifier on your machine/).waitFor();
    await card.getByRole('button', { name: 'Recompute in this browser' }).click();
    await card.getByText(`${names.length} of ${names.length} hashes recomputed here; all match`).waitFor();
    assert.equal(await card.locator('[data-file][data-state="equal"]').count(), names.length);
    assert.deepEqual(
      requests.filter((request) => request.includes('/verify/source/')),
      names.map((name) => `GET /api/v1/verify/source/${name}`),
    );
    assert.deepEqual(await seriousFaults(page), []);
    assert.deepEqual(offences(), []);
  });

  it('one byte that differs from the service’s hash causes an alert, even if all other files match', async (t) => {
    const { page } = await open(t);
    await page.route('**/api/v1/verify/source/solana.ts', async (route) => {
      const body = await (await route.fetch()).text();
      await route.fulfill({ body: `${body} ` });
    });
    await page.getByRole('button', { name: 'Recompute in this browser' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'solana.ts: the hash does not match the one' });
    await alert.waitFor();
    assert.equal(await page.locator('[data-file="solana.ts"][data-state="different"]').count(), 1);
    // The alert does not wait for the remaining files.
    await page.locator('[data-file][data-state="equal"]').nth(5).waitFor();
    assert.equal(await page.getByText('all match').count(), 0);
    await isSoundInBothThemes(page, 'validator-mismatch');
  });

  it('a file that changed on disk since startup is named', async (t) => {
    const { page } = await open(t, {
      prepare: async (fresh) => {
        await fresh.route('**/api/v1/verify/code', async (route) => {
          const body = await (await route.fetch()).json();
          body.changedOnDisk['autopilot.ts'] = true;
          await route.fulfill({ json: body });
        });
      },
    });
    await page.getByText('Changed on disk since the service started: autopilot.ts').waitFor();
  });

  it('a file that could not be fetched is not shown as equal', async (t) => {
    const { page } = await open(t, { tolerateFailedRequests: true });
    await page.route('**/api/v1/verify/source/autopilot.ts', (route) => route.abort());
    await page.getByRole('button', { name: 'Recompute in this browser' }).click();
    await page.getByText('1 of 7 files could not be checked').waitFor();
    assert.equal(await page.locator('[data-file="autopilot.ts"][data-state="failed"]').count(), 1);
  });
});

describe('checking a signature', { skip: browserSkip }, () => {
  it('a stake made here is verified with its effects, and invalid and unknown signatures are refused with a message', async (t) => {
    const { client } = service();
    const { walletAddress, secretKey } = newWallet();
    await client.post('/sandbox/airdrop', { walletAddress, amountSol: 5 });
    const { signature } = await client.post('/api/v1/stake', { walletAddress, secretKey, amountSol: 2 });
    const { page } = await open(t, { tolerateFailedRequests: true });
    const card = page.getByRole('region', { name: 'Check a transaction' });
    const check = async (text: string): Promise<void> => {
      await card.getByLabel('Signature').fill(text);
      await card.getByRole('button', { name: 'Check', exact: true }).click();
    };
    await check('not a signature');
    await card.getByText('Not a signature').waitFor();
    await check('5'.repeat(88));
    const { message } = await read(`verify/transaction/${'5'.repeat(88)}`);
    await card.getByText(message).waitFor();
    assert.equal(await card.locator('[data-verified]').count(), 0);
    await check(signature);
    await card.locator('[data-verified="true"][data-succeeded="true"]').waitFor();
    const text = await card.innerText();
    assert.match(text, /Delegates to this validator\s+Yes/);
    assert.match(text, /Fee payer holds all authorities\s+Yes/);
    assert.match(text, /Does nothing else\s+Yes/);
    await screenshot(page, 'validator-signature-light');
  });
});

describe('while responses fail', { skip: browserSkip }, () => {
  it('each card names its missing data, the other cards remain, and the data appears later', async (t) => {
    const { page } = await open(t, {
      tolerateFailedRequests: true,
      prepare: async (fresh) => {
        await fresh.route('**/api/v1/network/peer-density', (route) => route.abort());
      },
    });
    await page.getByText(/^The cities could not be loaded/).waitFor();
    await page.locator('[data-total-apy]').waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    await page.unroute('**/api/v1/network/peer-density');
    // The card loads by itself. The button next to it only speeds this up.
    await page.locator('tr[data-own]').waitFor();
    assert.equal(await page.getByText(/could not be loaded/).count(), 0);
  });
});
