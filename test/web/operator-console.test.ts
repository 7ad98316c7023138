// The operator console in a browser: asks for its token once, shows the delegator list, sorts, searches,
// opens a delegator; light, dark and on a phone.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../support/app-fixture.ts';
import { seriousFaults } from '../support/axe.ts';
import { browserSkip, screenshot, sharedBrowser } from '../support/browser.ts';
import { until } from '../support/index-fixture.ts';
import { operatorConsoleAt } from '../support/operator-console-client.ts';
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
      settings: { HOLDFAST_PROFILE_FILE: profileFile },
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
    await stakerOf(3n);
    await stakerOf(12n);
    // Staked in the first epoch, earning in the second, paid in the third; each is observed.
    for (const count of [2, 3]) {
      await sandbox.advanceEpochs(1);
      await until(async () => {
        const answer = await operatorConsole.fetch('stake');
        return answer.status === 200 && (await answer.json()).epochs.length === count;
      }, 'the next epoch');
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
  ] as const)
    test(`shows the whole operator console only with the token (${name})`, async (t) => {
      const { url, tokenPath } = world.app.operatorConsole!;
      const { page, offences } = await open(t, { url, theme, width, tolerateFailedRequests: true });
      const token = page.getByLabel('Token');
      await token.fill('not the token');
      await page.getByRole('button', { name: 'Open the console' }).click();
      await page.getByText('This is not the token in the file.').waitFor();
      assert.deepEqual(await seriousFaults(page), []);
      await token.fill(readFileSync(tokenPath, 'utf8').trim());
      await page.getByRole('button', { name: 'Open the console' }).click();
      await page.getByRole('heading', { name: 'Delegators' }).waitFor();
      const rows = page.locator('#delegators tbody tr');
      await until(async () => (await rows.count()) >= 4, 'the rows');
      assert.match((await rows.first().textContent())!, /SOL/);
      const { epochs } = await operatorConsoleAt(world.app.operatorConsole!).get('stake');
      const paid = epochs.findIndex(({ rewardsSol }: { rewardsSol: number | null }) => (rewardsSol ?? 0) > 0);
      const rewards = page.locator('#epochs tbody tr').nth(paid).locator('td').nth(4);
      assert.equal(await rewards.textContent(), `${epochs[paid].rewardsSol} SOL`, 'every lamport of it');
      await page.locator('#delegators').getByRole('button', { name: 'Stake' }).click();
      await until(
        async () => (await page.locator('#delegators th[aria-sort="ascending"]').count()) === 1,
        'the other order',
      );
      await rows.first().getByRole('button').first().click();
      await page.getByRole('heading', { name: 'History' }).waitFor();
      assert.deepEqual(await seriousFaults(page), []);
      await page.getByRole('button', { name: 'Close' }).click();
      assert.deepEqual(await seriousFaults(page), []);
      const overflows = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
      assert.equal(overflows, false, 'nothing overflows');
      await screenshot(page, `desk-${name}`, false);
      await page.reload();
      await until(async () => (await rows.count()) >= 4, 'the rows after a reload, without asking again');
      const health = page.getByRole('navigation').getByRole('link', { name: 'Health' });
      assert.equal(await health.textContent(), 'Health');
      writeFileSync(profileFile, '{ "name": "Aurora", "heroo": "North" }');
      await page.getByText('does not know heroo (did you mean hero?)').waitFor();
      assert.equal(await health.textContent(), 'Health: 1 not well');
      assert.deepEqual(await seriousFaults(page), []);
      writeFileSync(profileFile, '{ "name": "Aurora" }');
      await until(async () => (await health.textContent()) === 'Health', 'the repaired profile');
      await page.getByLabel('Search').fill('zzzzzz');
      await page.getByText('No account fits.').waitFor();
      assert.deepEqual(offences(), []);
    });
});
