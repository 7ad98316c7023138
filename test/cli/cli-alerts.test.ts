// Checks that `holdfast alerts --watch` on a real chain prints each alert once, even if the service is down
// when an alert occurs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signAwayStakeAuthority, unstakeWithStolenKey } from '../../demo/phishing-page.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/index-fixture.ts';
import { QUICK_SANDBOX } from '../support/sandbox-fixture.ts';
import { stakeNow } from '../support/service-calls.ts';
import { settingsFor, startServiceHere } from '../support/service-fixture.ts';
import { createRunningClock } from '../support/steerable-clock.ts';
import { fundedWallet } from '../support/wallets.ts';
import { holdfast } from './cli-runner.ts';

test('alerts --watch prints each alert once, both as it happens and after an outage, and exits when signaled', async (t) => {
  await using sandbox = await startSandbox(QUICK_SANDBOX);
  const settings = { ...settingsFor(sandbox), PORT: `${await freePort()}` };
  const clock = createRunningClock(50);
  const first = await startServiceHere(t, settings);
  const [wallet, thief] = [await fundedWallet(sandbox, 5), await fundedWallet(sandbox, 1)];
  const { walletAddress } = wallet;
  const stakeAccountAddress = await stakeNow(first, wallet, 2);
  await sandbox.advanceEpochs(1);

  const stop = new AbortController();
  const printed: { type: string; data: { signature: string } }[] = [];
  const args = ['alerts', walletAddress, '--watch', '--interval', '10', '--json', '--url', first.url];
  const watching = holdfast(args, {
    signal: stop.signal,
    clock,
    onOut: (line) => void printed.push(JSON.parse(line)),
  });
  const given = await signAwayStakeAuthority(sandbox.rpcUrl, wallet, {
    stakeAccountAddress,
    to: thief.walletAddress,
  });
  await until(() => printed.length >= 1, 'the alert about the authority');
  await first.app.close();
  const unstaked = await unstakeWithStolenKey(sandbox.rpcUrl, thief, stakeAccountAddress);
  const second = await startServiceHere(t, settings, first.dataDir);
  await until(() => printed.length >= 2, 'the alert about the deactivation');
  // Waits for three more polls of the watch. The service counts them.
  const looks = async () =>
    (await second.client.get('/analytics-json')).endpointCounts['GET /api/v1/alerts/{walletAddress}'];
  const until3 = (await looks()) + 3;
  await until(async () => (await looks()) >= until3, 'three more polls');
  stop.abort(new Error('seen'));
  assert.equal((await watching).code, 0);
  assert.deepEqual(
    printed.map(({ type, data }) => [type, data.signature]),
    [
      ['stake_authority_changed', given],
      ['unexpected_deactivation', unstaked],
    ],
  );
});
