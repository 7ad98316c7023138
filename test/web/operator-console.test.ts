// Checks the operator console in a browser: it asks for its token once, shows every section, and sorts,
// searches and opens stakers, in light mode, in dark mode and on a phone.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openPage } from '../../src/compose/open-page.ts';
import { createLogger } from '../../src/kernel/log/logger.ts';
import { startTestApp, type TestApp } from '../support/app-fixture.ts';
import { seriousFaults } from '../support/axe.ts';
import { browserSkip, screenshot, sharedBrowser } from '../support/browser.ts';
import { until } from '../support/index-fixture.ts';
import { looksRight } from '../support/looks-right.ts';
import { operatorConsoleAt } from '../support/operator-console-client.ts';
import { startReceiver } from '../support/receiver.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SOL = 1_000_000_000n;

describe('the console page', { skip: browserSkip }, () => {
  const open = sharedBrowser({ before, after });
  const cleanUps: (() => unknown)[] = [];
  let world: TestApp;
  let profileFile: string;
  /** HTTP status with which the alert destination responds. */
  let answer = 204;
  before(async () => {
    const scope = { after: (cleanUp: () => unknown) => void cleanUps.push(cleanUp) };
    profileFile = join(temporaryFolder(scope), 'profile.json');
    writeFileSync(profileFile, '{ "name": "Aurora" }');
    world = await startTestApp(scope, {
      places: () => ({ profileFile }),
      settings: {
        HOLDFAST_PROFILE_FILE: profileFile,
        HOLDFAST_OPERATOR_NOTIFY_URL: `${(await startReceiver(scope, (_request, response) => void response.writeHead(answer).end())).url}/topic`,
      },
      page: await openPage(join(import.meta.dirname, '..', '..'), createLogger('silent')),
    });
    const { sandbox, app } = world;
    const operatorConsole = operatorConsoleAt(app.operatorConsole!);
    await until(async () => {
      const answer = await operatorConsole.fetch('stake');
      return answer.status === 200 && (await answer.json()).epochs.length === 1;
    }, 'the list to begin');
    const stakerOf = async (amount: bigint) => {
      const staker = await SandboxStaker.fund(sandbox, 200n * SOL);
      return { staker, account: await staker.stake(amount * SOL) };
    };
    await sandbox.setValidator({ commissionBps: 500 });
    await stakerOf(3n);
    await stakerOf(12n);
    // The stakes activate in the first epoch, earn in the second and are paid in the third. The console must
    // record each of these epochs.
    for (const count of [2, 3]) {
      await sandbox.advanceEpochs(1);
      await until(async () => {
        const answer = await operatorConsole.fetch('stake');
        return answer.status === 200 && (await answer.json()).epochs.length === count;
      }, 'the next epoch');
      // The validator is sampled every 20 s.
      world.clock.advance(20_000);
      await until(async () => {
        const { epochs } = await operatorConsole.get('validator');
        return epochs[0]?.epoch === sandbox.epoch() && epochs.length >= count;
      }, 'a sample of the validator');
    }
    const { staker } = await stakerOf(70n);
    await staker.deactivate(await staker.stake(5n * SOL));
    await until(async () => {
      const answer = await operatorConsole.fetch('stake');
      const stake = await answer.json();
      return answer.status === 200 && stake.isSettled && stake.accounts >= 4 && stake.epochs.length > 1;
    }, 'the delegator list');
  });
  after(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  });

  test('shows the whole operator console only with the token', async (t) => {
    const { url, tokenPath } = world.app.operatorConsole!;
    const { page, offences, requests } = await open(t, { url, tolerateFailedRequests: true });
    const main = page.getByRole('main');
    const sections = page.getByRole('navigation', { name: 'Sections' });
    const go = async (name: string) => {
      await sections.getByRole('link', { name }).click();
      await main.getByRole('heading', { name, level: 1 }).waitFor();
    };

    const token = page.getByLabel('Token');
    await token.fill('not the token');
    await page.getByRole('button', { name: 'Open the console' }).click();
    await page.getByText('This does not match the token in the file.').waitFor();
    await looksRight(page, 'console-token');
    await token.fill(readFileSync(tokenPath, 'utf8').trim());
    await page.getByRole('button', { name: 'Open the console' }).click();
    await main.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('link', { name: 'Aurora home' }).waitFor();

    const { epochs } = await operatorConsoleAt(world.app.operatorConsole!).get('stake');
    const paid = epochs.findIndex(({ rewardsSol }: { rewardsSol: number | null }) => (rewardsSol ?? 0) > 0);
    const byEpoch = main.getByRole('region', { name: 'Stake by epoch' });
    const rewards = byEpoch.locator('tbody tr').nth(paid).locator('td').nth(4).locator('[title]');
    assert.equal(
      await rewards.getAttribute('title'),
      `${epochs[paid].rewardsSol} SOL`,
      'every lamport of it',
    );
    await main.getByRole('figure').filter({ hasText: 'Active stake by epoch' }).locator('canvas').waitFor();
    await main.getByRole('region', { name: 'Newest changes' }).getByText('Unstake').first().waitFor();
    const commission = main.getByRole('slider', { name: 'Commission' });
    const outcome = main
      .getByRole('region', { name: 'What if you changed your commission?' })
      .getByRole('definition')
      .first()
      .locator('span');
    const [chosen, today] = await outcome.allTextContents();
    assert.equal(`today ${chosen}`, today);
    await commission.press('ArrowRight');
    const [changed, still] = await outcome.allTextContents();
    assert.notEqual(changed, chosen, 'the income follows the commission');
    assert.equal(still, today, "today's income is still shown next to it");
    const titles = await main.getByRole('heading', { level: 2 }).allTextContents();
    const places = [
      'Active stake',
      'Your validator',
      'What if you changed your commission?',
      'Newest changes',
    ];
    assert.deepEqual(
      titles.filter((title) => places.includes(title)),
      places,
      'the stake comes first, then the income, then what can be looked up',
    );
    const own = main.getByRole('region', { name: 'Your validator', exact: true });
    await own.getByText(/^Your income in epoch \d+$/).waitFor();
    const figures = await own.getByRole('definition').allTextContents();
    assert.match(figures[1]!, /^\d+ of \d+among validators with stake/, 'the rank');
    assert.match(figures.at(-1)!, /^(1 slot|Unknown)/, 'the vote latency');
    assert.match(figures.at(-2)!, /%/, 'the yield of the stakers');
    const ownEpochs = main.getByRole('region', { name: 'Income, rank and skip rate by epoch' });
    const current = ownEpochs.locator('tbody tr').first();
    await current.getByText('After its end').first().waitFor();
    const { epochs: recorded } = await operatorConsoleAt(world.app.operatorConsole!).get('validator');
    const ended = recorded.findIndex((one: Record<string, unknown>) => one.commissionSol !== null);
    assert.ok(recorded[ended].commissionSol > 0);
    const commissions = ownEpochs.locator('tbody tr').nth(ended).locator('td').nth(1);
    assert.equal(
      await commissions.locator('[title]').getAttribute('title'),
      `${recorded[ended].commissionSol} SOL`,
    );
    await main.getByRole('figure').filter({ hasText: 'Own income by epoch' }).locator('canvas').waitFor();
    await main.getByRole('figure').filter({ hasText: 'Rank by stake by epoch' }).locator('canvas').waitFor();
    await looksRight(page, 'console-overview');

    await go('Stakers');
    const wallets = main.locator('tr[data-wallet]');
    await until(async () => (await wallets.count()) === 3, 'the three wallets');
    await main.getByText('Ten largest wallets').waitFor();
    const largest = wallets.first();
    assert.match((await largest.textContent())!, /Epoch \d+|Genesis/);
    await largest.getByRole('button', { name: 'Accounts of' }).click();
    await until(
      async () => (await main.locator('tr[data-account]').count()) === 2,
      'both accounts of one wallet',
    );
    await looksRight(page, 'console-stakers');
    await main.getByRole('button', { name: 'Stake', exact: true }).click();
    await main.locator('th[aria-sort="ascending"]').waitFor();
    await main.getByText('Inactive', { exact: true }).first().click();
    await until(async () => (await wallets.count()) === 1, 'only the wallet with an inactive account');
    await wallets.first().getByRole('button', { name: 'show history' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'History' }).waitFor();
    await dialog.getByText('Unstake').first().waitFor();
    for (const title of ['First seen', 'Created here'])
      assert.equal(await dialog.locator(`th:text-is("${title}")`).count(), 1, title);
    const label = '<img src=x onerror=alert(1)> Fund';
    await dialog.getByLabel('Label').fill('x'.repeat(61));
    await dialog.getByText('At most 60 characters.').waitFor();
    assert.ok(await dialog.getByRole('button', { name: 'Save' }).isDisabled());
    await dialog.getByLabel('Label').fill(label);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Label saved').waitFor();
    await page.getByRole('dialog', { name: `${label} · Wallet ` }).waitFor();
    await looksRight(page, 'console-staker');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await wallets.first().getByText(label, { exact: true }).waitFor();
    await main.getByText('All', { exact: true }).first().click();
    await main.getByLabel('Search').fill('ONERROR');
    await until(async () => (await wallets.count()) === 1, 'the labeled wallet');
    await main.getByLabel('Search').fill('');
    await looksRight(page, 'console-stakers-labeled');
    await wallets.filter({ hasText: label }).getByRole('button', { name: 'show history' }).click();
    await dialog.getByLabel('Label').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Label removed').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await until(async () => (await wallets.filter({ hasText: label }).count()) === 0, 'no label');
    await main.getByLabel('Search').fill('zzzzzz');
    await main.getByText('No wallet or account matches the search.').waitFor();
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      main.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    assert.match(readFileSync(await csv.path(), 'utf8'), /^stakeAccountAddress,walletAddress,/);

    await go('Alerts');
    const sent = main.getByRole('row').filter({ hasText: 'Test alert' });
    await main.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('Test alert delivered').waitFor();
    await sent.filter({ hasText: 'Delivered' }).waitFor();
    assert.equal(await sent.count(), 1, 'all tests are one row');
    await main.getByRole('row').filter({ hasText: 'Text notification' }).first().waitFor();
    const kinds = main.getByRole('region', { name: 'Every alert', exact: true }).first();
    const kind = (name: string) => kinds.getByRole('row').filter({ hasText: name }).first();
    await kind('delegator_joined').getByText('HOLDFAST_OPERATOR_ALERT_MIN_SOL').waitFor();
    await kind('validator_delinquent')
      .getByText(/more than 128 slots old/)
      .waitFor();
    await kind('unexpected_deactivation').getByText('Webhooks of the wallet').waitFor();
    await looksRight(page, 'console-alerts');

    await go('Deliveries');
    await main.getByText('No dead letters').waitFor();
    await looksRight(page, 'console-deliveries');

    await go('Health');
    await main.getByText(/^Last response /).waitFor();
    await page.reload();
    await main.getByText(/^Last response /).waitFor();
    writeFileSync(profileFile, '{ "name": "Aurora", "heroo": "North" }');
    await main.getByText('unknown field heroo (did you mean hero?)').waitFor();
    await sections.getByRole('link', { name: 'Health 1 to look at' }).waitFor();
    await looksRight(page, 'console-health');
    writeFileSync(profileFile, '{ "name": "Aurora" }');
    await sections.getByRole('link', { name: 'Health', exact: true }).waitFor();

    assert.ok(!requests.some((request) => request.includes(readFileSync(tokenPath, 'utf8').trim())));
    await page.getByRole('button', { name: 'Lock' }).click();
    await page.getByLabel('Token').waitFor();
    await page.reload();
    await page.getByLabel('Token').waitFor();
    assert.deepEqual(offences(), []);
  });

  test('an alarm is shown in the menu, under Alerts and under Health until it ends', async (t) => {
    const { url, tokenPath } = world.app.operatorConsole!;
    const { page } = await open(t, { url, width: 390, tolerateFailedRequests: true });
    await page.getByLabel('Token').fill(readFileSync(tokenPath, 'utf8').trim());
    await page.getByRole('button', { name: 'Open the console' }).click();
    const sections = page.getByRole('navigation', { name: 'Sections' });
    await sections.getByRole('link', { name: 'Alerts', exact: true }).click();
    const active = page.getByRole('region', { name: 'Alarms' });
    assert.equal(await active.count(), 0);
    const holds = (isHeld: boolean) =>
      until(async () => {
        world.clock.advance(5_000);
        return world.app.ctx.service.alarms().some(({ alarm }) => alarm === 'rpc_unreachable') === isHeld;
      }, 'the alarm');

    world.rpc.cut(true);
    // The console must say immediately that the current votes are unknown, although the last response about
    // them is less than a minute old.
    await until(async () => {
      const { dependencies } = await operatorConsoleAt(world.app.operatorConsole!).get('health');
      const partOf = (part: string) => dependencies.find(({ name }: { name: string }) => name === part);
      return !partOf('rpc').ok && partOf('validator').details.voting === null;
    }, 'unknown votes');
    await holds(true);
    await active.getByText('No RPC node is responding').waitFor();
    await active.getByText('Critical').first().waitFor();
    const instructions = await active.getByRole('link', { name: 'What to do' }).first().getAttribute('href');
    assert.match(
      instructions ?? '',
      /^\/docs\/guides\/operate#./,
      'not at the public URL, which may be down',
    );
    assert.equal((await fetch(new URL(instructions ?? '', url))).status, 200);
    await sections.getByRole('link', { name: /Alerts \d to look at/ }).waitFor();
    const problem = page.getByRole('row').filter({ hasText: 'No RPC node is responding' });
    await problem.getByText('Ongoing').waitFor();
    await problem.getByRole('link', { name: 'What to do' }).waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    await sections.getByRole('link', { name: /Health/ }).click();
    await active.getByText('No RPC node is responding').waitFor();
    await page
      .getByText(/^Currently unknown, last seen voting at \d+ \w+ \d{4}, \d\d:\d\d UTC with commission 5%$/)
      .waitFor();
    await page.getByText('Text notification, accepts alerts', { exact: true }).waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    await screenshot(page, 'console-alarm-phone');
    await sections.getByRole('link', { name: 'Overview' }).click();
    const main = page.getByRole('main');
    const health = '**/operator/health';
    await page.route(health, () => {});
    await page.reload();
    await main.getByText('Service', { exact: true }).waitFor();
    assert.equal(
      await main.getByText('to look at').count(),
      0,
      'nothing is counted before the health is known',
    );
    await page.unroute(health);
    await page.reload();
    await main.getByText(/^As of \d+ \w+ \d{4}, \d\d:\d\d UTC, .+ ago\. These are the last known/).waitFor();
    await main.getByText(/^last seen voting at \d+ \w+ \d{4}, \d\d:\d\d UTC$/).waitFor();
    await main.getByText(/^The yield cannot be read right now\. It was last read at \d+ \w+ \d{4}/).waitFor();
    assert.equal(await main.getByText('Voting', { exact: true }).count(), 0);
    await main.getByRole('figure').filter({ hasText: 'Active stake by epoch' }).locator('canvas').waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    await screenshot(page, 'console-outage-phone');
    await sections.getByRole('link', { name: 'Stakers' }).click();
    await main.getByText(/^As of \d+ \w+ \d{4}, \d\d:\d\d UTC, .+ ago\. These are the last known/).waitFor();
    assert.equal(await main.locator('tr[data-wallet]').count(), 3);
    assert.deepEqual(await seriousFaults(page), []);
    world.rpc.cut(false);
    await holds(false);
    await active.getByText('No RPC node is responding').waitFor({ state: 'hidden' });
    await sections.getByRole('link', { name: 'Alerts' }).click();
    await problem.getByText(/^lasted /).waitFor();
    await problem.getByText('RPC nodes are responding again').waitFor();
    assert.equal(await problem.count(), 1, 'one row from its beginning to its end');
  });

  test('a validator that charges 100 % or stops voting is announced above every section and under Health', async (t) => {
    const { url, tokenPath } = world.app.operatorConsole!;
    const { page } = await open(t, { url, tolerateFailedRequests: true });
    await page.getByLabel('Token').fill(readFileSync(tokenPath, 'utf8').trim());
    await page.getByRole('button', { name: 'Open the console' }).click();
    const main = page.getByRole('main');
    await main.getByText('Voting', { exact: true }).waitFor();
    await main.getByText('5%', { exact: true }).first().waitFor();
    const statusHas = (code: string | null) =>
      until(async () => {
        world.clock.advance(20_000);
        const [found = null] = world.app.ctx.validator.status.notices();
        return (found?.severity === 'critical' ? found.code : null) === code;
      }, `the status ${code}`);
    const sections = page.getByRole('navigation', { name: 'Sections' });
    const alert = main.getByRole('alert');
    assert.equal(await alert.count(), 0);

    await world.sandbox.setValidator({ commissionBps: 10_000 });
    await statusHas('COMMISSION_FULL');
    await alert.getByText('The validator’s commission is 100%').waitFor();
    for (const name of ['Stakers', 'Alerts', 'Deliveries', 'Health', 'Overview']) {
      await sections.getByRole('link', { name: new RegExp(`^${name}`) }).click();
      await main.getByRole('heading', { name, level: 1 }).waitFor();
      assert.equal(await alert.count(), 1, name);
    }
    await main.getByText('100%', { exact: true }).first().waitFor();
    await world.sandbox.setValidator({ commissionBps: 500, votes: false });
    await world.sandbox.advanceEpochs(1);
    await statusHas('VALIDATOR_DELINQUENT');
    await main.getByText('Not voting', { exact: true }).waitFor();
    await alert.getByText('The validator is delinquent').waitFor();
    await screenshot(page, 'console-not-voting');
    await sections.getByRole('link', { name: /^Health [1-9] to look at/ }).click();
    await main.getByText(/^Not voting, last vote for slot /).waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    await screenshot(page, 'console-not-voting-health');
    world.rpc.cut(true);
    await until(async () => {
      const health = await operatorConsoleAt(world.app.operatorConsole!).get('health');
      const partOf = (part: string) =>
        health.dependencies.find(({ name }: { name: string }) => name === part);
      if (partOf('rpc').ok) return false;
      assert.deepEqual([health.notices, partOf('validator').error], [[], null]);
      return true;
    }, 'the outage');
    await alert.getByText(/^The validator was delinquent at .+ \(last known\)\.$/).waitFor();
    assert.equal(
      await page.getByText('is delinquent').count(),
      0,
      'a last known state is not stated as a fact',
    );
    await main.getByText(/^Currently unknown, last seen not voting at /).waitFor();
    world.rpc.cut(false);
    await statusHas('VALIDATOR_DELINQUENT');
    await alert.getByText('The validator is delinquent').waitFor();
    await world.sandbox.setValidator({ votes: true });
    await statusHas(null);
    await alert.waitFor({ state: 'hidden' });
  });

  test('a failing receiver is listed with its waiting deliveries, and health is not OK until the receiver accepts a test', async (t) => {
    const { url, tokenPath } = world.app.operatorConsole!;
    const { page } = await open(t, { url, tolerateFailedRequests: true });
    await page.getByLabel('Token').fill(readFileSync(tokenPath, 'utf8').trim());
    await page.getByRole('button', { name: 'Open the console' }).click();
    const sections = page.getByRole('navigation', { name: 'Sections' });
    const operatorConsole = operatorConsoleAt(world.app.operatorConsole!);
    const settled = async () => {
      await operatorConsole.fetch('alerts/test', { method: 'POST' });
      await until(async () => {
        world.clock.advance(1_000);
        const { alerts } = await operatorConsole.get('alerts');
        return alerts[0].alert === 'test' && alerts[0].attempts > 0;
      }, 'the attempt');
    };
    answer = 500;
    await settled();
    await sections.getByRole('link', { name: /^Deliveries/ }).click();
    const receivers = page.getByRole('region', { name: 'Receivers' });
    await receivers.getByText('Alerts to you').waitFor();
    await receivers.getByText('Failing').waitFor();
    await receivers.getByText('Refused (500)').waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    await screenshot(page, 'console-receivers');
    answer = 204;
    await settled();
    await receivers.getByText('Failing').waitFor({ state: 'hidden' });

    answer = 410;
    await settled();
    answer = 204;
    await settled();
    await sections.getByRole('link', { name: /^Alerts/ }).click();
    const tests = page.getByRole('row').filter({ hasText: 'Test alert' });
    await tests.getByRole('cell').last().getByText('Delivered').waitFor();
    assert.equal(await tests.getByRole('cell').last().getByText('Dead letter').count(), 0);
    await tests.getByText(/\d earlier/).click();
    await tests.getByText(/Dead letter: Gone/).waitFor();

    await sections.getByRole('link', { name: 'Deliveries 1 to look at' }).click();
    const letters = page.getByRole('region', { name: 'Dead letters' }).first();
    answer = 410;
    await letters.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Not delivered', { exact: true }).waitFor();
    await page.getByText('Gone (410), a dead letter again.').waitFor();
    answer = 204;
    await settled();
    await letters.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Delivered', { exact: true }).waitFor();
    await page.getByText('No dead letters').waitFor();
    await sections.getByRole('link', { name: 'Deliveries', exact: true }).waitFor();
  });
});
