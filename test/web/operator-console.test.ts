// Checks the operator console in a browser: asks for its token once, and shows every section; sorts, searches
// and opens stakers; light, dark and on a phone.
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
  before(async () => {
    const scope = { after: (cleanUp: () => unknown) => void cleanUps.push(cleanUp) };
    profileFile = join(temporaryFolder(scope), 'profile.json');
    writeFileSync(profileFile, '{ "name": "Aurora" }');
    world = await startTestApp(scope, {
      places: () => ({ profileFile }),
      settings: {
        HOLDFAST_PROFILE_FILE: profileFile,
        HOLDFAST_OPERATOR_NOTIFY_URL: `${(await startReceiver(scope)).url}/topic`,
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
    // Staked in the first epoch, earning in the second, paid in the third; each is observed.
    for (const count of [2, 3]) {
      await sandbox.advanceEpochs(1);
      await until(async () => {
        const answer = await operatorConsole.fetch('stake');
        return answer.status === 200 && (await answer.json()).epochs.length === count;
      }, 'the next epoch');
      // The validator is sampled every 20 seconds.
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

  for (const [name, theme, width] of [
    ['light', 'light', 1280],
    ['dark', 'dark', 1280],
    ['phone', 'light', 390],
    ['narrow', 'dark', 320],
  ] as const)
    test(`shows the whole operator console only with the token (${name})`, async (t) => {
      const { url, tokenPath } = world.app.operatorConsole!;
      const { page, offences, requests } = await open(t, { url, theme, width, tolerateFailedRequests: true });
      const main = page.getByRole('main');
      const sections = page.getByRole('navigation', { name: 'Sections' });
      const go = async (name: string) => {
        await sections.getByRole('link', { name }).click();
        await main.getByRole('heading', { name, level: 1 }).waitFor();
      };
      const isSound = async (section: string) => {
        assert.deepEqual(await seriousFaults(page), [], section);
        const overflows = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
        assert.equal(overflows, false, `${section}: nothing overflows`);
        await screenshot(page, `console-${section}-${name}`);
      };

      const token = page.getByLabel('Token');
      await token.fill('not the token');
      await page.getByRole('button', { name: 'Open the console' }).click();
      await page.getByText('This does not match the token in the file.').waitFor();
      await isSound('token');
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
      await main.getByRole('region', { name: 'Newest changes' }).getByText('Joined').first().waitFor();
      const commission = main.getByRole('slider', { name: 'Commission' });
      const income = main
        .getByRole('region', { name: 'What if you changed your commission?' })
        .getByRole('definition');
      const before = await income.first().textContent();
      await commission.press('ArrowRight');
      assert.notEqual(await income.first().textContent(), before, 'the income follows the commission');
      const own = main.getByRole('region', { name: 'Your validator', exact: true });
      await own.getByText(/^Your income in epoch \d+$/).waitFor();
      const figures = await own.getByRole('definition').allTextContents();
      assert.match(figures[1]!, /^\d+ of \d+$/, 'the rank');
      assert.match(figures[3]!, /^(1 slot|Unknown)/);
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
      await main
        .getByRole('figure')
        .filter({ hasText: 'Rank by stake by epoch' })
        .locator('canvas')
        .waitFor();
      await isSound('overview');

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
      await isSound('stakers');
      await main.getByRole('button', { name: 'Stake', exact: true }).click();
      await main.locator('th[aria-sort="ascending"]').waitFor();
      await main.getByText('Inactive', { exact: true }).first().click();
      await until(async () => (await wallets.count()) === 1, 'only the wallet with an inactive account');
      await wallets.first().getByRole('button', { name: 'show history' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('heading', { name: 'History' }).waitFor();
      await dialog.getByText('Joined').first().waitFor();
      const label = '<img src=x onerror=alert(1)> Fund';
      await dialog.getByLabel('Label').fill('x'.repeat(61));
      await dialog.getByText('At most 60 characters.').waitFor();
      assert.ok(await dialog.getByRole('button', { name: 'Save' }).isDisabled());
      await dialog.getByLabel('Label').fill(label);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Label saved').waitFor();
      await isSound('staker');
      await dialog.getByRole('button', { name: 'Close' }).click();
      await wallets.first().getByText(label, { exact: true }).waitFor();
      await main.getByText('All', { exact: true }).first().click();
      await main.getByLabel('Search').fill('ONERROR');
      await until(async () => (await wallets.count()) === 1, 'the labelled wallet');
      await main.getByLabel('Search').fill('');
      await isSound('stakers-labelled');
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
      const sent = main.getByRole('row').filter({ hasText: 'Test alert' }).filter({ hasText: 'Delivered' });
      const delivered = await sent.count();
      await main.getByRole('button', { name: 'Send a test' }).click();
      await until(async () => (await sent.count()) > delivered, 'the test alert with its outcome');
      await main.getByRole('row').filter({ hasText: 'Text notification' }).first().waitFor();
      await isSound('alerts');

      await go('Deliveries');
      await main.getByText('No failed deliveries').waitFor();
      await isSound('deliveries');

      await go('Health');
      await main.getByText(/^Last answer /).waitFor();
      await page.reload();
      await main.getByText(/^Last answer /).waitFor();
      writeFileSync(profileFile, '{ "name": "Aurora", "heroo": "North" }');
      await main.getByText('does not know heroo (did you mean hero?)').waitFor();
      await sections.getByRole('link', { name: 'Health 1 to look at' }).waitFor();
      await isSound('health');
      writeFileSync(profileFile, '{ "name": "Aurora" }');
      await sections.getByRole('link', { name: 'Health', exact: true }).waitFor();

      assert.ok(!requests.some((request) => request.includes(readFileSync(tokenPath, 'utf8').trim())));
      await page.getByRole('button', { name: 'Lock' }).click();
      await page.getByLabel('Token').waitFor();
      await page.reload();
      await page.getByLabel('Token').waitFor();
      assert.deepEqual(offences(), []);
    });

  test('an alarm is shown in the menu, under Alerts and under Health, until it ends', async (t) => {
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
    await holds(true);
    await active.getByText('No RPC node is responding').waitFor();
    await active.getByText('Critical').first().waitFor();
    await sections.getByRole('link', { name: /Alerts \d to look at/ }).waitFor();
    await page.getByRole('row').filter({ hasText: 'No RPC node is responding' }).first().waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    await sections.getByRole('link', { name: /Health/ }).click();
    await active.getByText('No RPC node is responding').waitFor();
    await screenshot(page, 'console-alarm-phone');
    world.rpc.cut(false);
    await holds(false);
    await active.getByText('No RPC node is responding').waitFor({ state: 'hidden' });
    await sections.getByRole('link', { name: 'Alerts' }).click();
    await page.getByRole('row').filter({ hasText: 'RPC nodes are responding again' }).first().waitFor();
  });
});
