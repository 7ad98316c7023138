// TRUTH-2: the tests of stakes, transactions and portfolios pass with the rules of three clusters, which shows
// that the code does not depend on today's values.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  PARAMETERS_VARIABLE,
  type ParameterSetName,
  parameterSets,
  sandboxOptionsFor,
} from '../support/parameter-sets.ts';
import { balanceOf, fund, lamportsOf, refused, stakeNow } from '../support/service-calls.ts';
import { sharedService } from '../support/service-fixture.ts';
import { spawnProcess } from '../support/spawned-process.ts';
import type { Scope } from '../support/temporary-folder.ts';
import { newWallet } from '../support/wallets.ts';

/**
 * Runs the test files whose paths contain one of `words` with the rule set `name`. Returns how many tests
 * passed, and rejects with the output if one failed.
 */
const runUnder = async (scope: Scope, name: ParameterSetName, words: readonly string[]): Promise<number> => {
  const run = spawnProcess(scope, {
    file: 'scripts/test.ts',
    args: words,
    env: { [PARAMETERS_VARIABLE]: name },
  });
  const { code } = await run.ended;
  const [, passed, failed] = /^(\d+) passed, (\d+) failed/m.exec(run.stdout) ?? [];
  assert.ok(code === 0 && failed === '0', `under the rule set ${name}:\n${run.stdout}\n${run.stderr}`);
  return Number(passed);
};

const FULL = process.env.HOLDFAST_TEST_FULL === '1';
const ALL = Object.keys(parameterSets) as ParameterSetName[];
/**
 * Rule sets to test. The short form tests only the set that differs most from today's rules, with quick files.
 */
const SETS: readonly ParameterSetName[] = FULL ? ALL : ['end'];
const FILES = FULL
  ? ['legacy-web3', 'portfolio', 'reads', 'refusals', 'cosign', 'history', 'verify', 'stake-index']
  : ['legacy-web3'];
const FEE_OF_A_STAKE = 10_000n;

describe('TRUTH-2: the same tests pass with the rules of other clusters', () => {
  for (const name of SETS) {
    test(`with the rule set ${name}: ${FILES.join(', ')}`, async (t) => {
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

const assertWithin = (value: number, least: number, most: number): void =>
  assert.ok(least <= value && value <= most, `${least} <= ${value} <= ${most}`);

for (const name of ALL)
  describe(`TRUTH-2: the service follows the chain with the rule set ${name}`, () => {
    const { stakeRentLamports, minimumDelegationLamports, slotMs } = parameterSets[name];
    const minimumLamports = BigInt(stakeRentLamports + minimumDelegationLamports);
    const shared = sharedService({ before, after }, { sandbox: { ...sandboxOptionsFor(name), slotMs } });

    test(`the end of an epoch is estimated with slots of ${slotMs} ms`, async () => {
      const askedMs = Date.now();
      const epoch = await shared().service.client.get('/api/v1/epoch');
      const answeredMs = Date.now();
      assert.equal(epoch.slotDurationMs, slotMs);
      const endMs = Date.parse(epoch.estimatedEpochEnd);
      // The estimated end is counted from the time at which the position was read, which the test computes from
      // it. The remaining time is counted from the response.
      assertWithin(endMs - epoch.slotsRemaining * slotMs, askedMs, answeredMs);
      const secondsFrom = (ms: number) => Math.round((endMs - ms) / 1_000);
      assertWithin(epoch.estimatedSecondsRemaining, secondsFrom(answeredMs), secondsFrom(askedMs));
      assert.ok(
        epoch.earliestEpochEnd < epoch.estimatedEpochEnd && epoch.estimatedEpochEnd < epoch.latestEpochEnd,
      );
    });

    test(`${minimumLamports} lamports can be staked and one lamport less cannot`, async () => {
      const { sandbox, service } = shared();
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
  });
