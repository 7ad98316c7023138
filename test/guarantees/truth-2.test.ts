// TRUTH-2: nothing rests on today's figures: the tests of stakes, transactions and portfolios pass under three clusters' rules.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { type ParameterSetName, parameterSets, sandboxOptionsFor } from '../support/parameter-sets.ts';
import { runUnder } from '../support/parameter-sets-run.ts';
import { balanceOf, fund, lamportsOf, refused, stakeNow } from '../support/service-calls.ts';
import { settingsFor, startService } from '../support/service-fixture.ts';
import { newWallet } from '../support/wallets.ts';

const FULL = process.env.HOLDFAST_TEST_FULL === '1';
const ALL = Object.keys(parameterSets) as ParameterSetName[];
/** Those whose files are run again; the short form takes what differs most from today and takes seconds. */
const SETS: readonly ParameterSetName[] = FULL ? ALL : ['end'];
const FILES = FULL
  ? ['legacy-web3', 'portfolio', 'reads', 'refusals', 'cosign', 'history', 'verify', 'stake-index']
  : ['legacy-web3'];
const FEE_OF_A_STAKE = 10_000n;

describe('TRUTH-2: the same tests pass under the rules of another time', () => {
  for (const name of SETS) {
    test(`under the set ${name}: ${FILES.join(', ')}`, async (t) => {
      const passed = await runUnder(
        t,
        name,
        FILES.map((file) => `test/life/${file}.test.ts`),
      );
      assert.ok(passed >= FILES.length);
      t.diagnostic(`${name}: ${passed} tests passed`);
    });
  }
});

describe('TRUTH-2: the service follows what the chain says', () => {
  for (const name of ALL) {
    const { stakeRentLamports, minimumDelegationLamports, slotMs } = parameterSets[name];
    const minimumLamports = BigInt(stakeRentLamports + minimumDelegationLamports);

    test(`under the set ${name}, ${minimumLamports} lamports can be staked and 1 lamport less cannot`, async (t) => {
      await using sandbox = await startSandbox({ slotMs: 20, epochSeconds: 0, ...sandboxOptionsFor(name) });
      const service = await startService(t, settingsFor(sandbox));
      const wallet = newWallet();
      const { minimumStakeSol, reserveForFees } = await service.client.get(
        `/api/v1/wallet/balance/${wallet.walletAddress}`,
      );
      assert.equal(lamportsOf(minimumStakeSol), minimumLamports);
      const reserveLamports = lamportsOf(reserveForFees);
      await fund(sandbox, wallet.walletAddress, minimumLamports + reserveLamports);
      const { body } = await refused(stakeNow(service, wallet, Number(minimumLamports - 1n) / 1e9));
      assert.equal(body.errorCode, 'BELOW_MINIMUM_STAKE');
      const stakeAccount = await stakeNow(service, wallet, Number(minimumLamports) / 1e9);
      assert.equal(await balanceOf(sandbox, stakeAccount), minimumLamports);
      assert.equal(await balanceOf(sandbox, wallet.walletAddress), reserveLamports - FEE_OF_A_STAKE);
      await sandbox.advanceEpochs(1);
      const { accounts } = await service.client.get(`/api/v1/stake/accounts/${wallet.walletAddress}`);
      assert.deepEqual([accounts.length, accounts[0].state], [1, 'active']);
      assert.ok(lamportsOf(accounts[0].activeSol) >= BigInt(minimumDelegationLamports));
    });

    test(`under the set ${name}, an epoch is estimated with slots of ${slotMs} ms`, async (t) => {
      await using sandbox = await startSandbox({ slotMs, epochSeconds: 0, ...sandboxOptionsFor(name) });
      const service = await startService(t, settingsFor(sandbox));
      const epoch = await service.client.get('/api/v1/epoch');
      assert.equal(epoch.slotDurationMs, slotMs);
      assert.equal(epoch.estimatedSecondsRemaining, Math.round((epoch.slotsRemaining * slotMs) / 1_000));
      assert.ok(
        epoch.earliestEpochEnd < epoch.estimatedEpochEnd && epoch.estimatedEpochEnd < epoch.latestEpochEnd,
      );
    });
  }
});
