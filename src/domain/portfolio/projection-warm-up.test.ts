import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SOL, steadyHistory } from '../../../test/support/stake-account-examples.ts';
import { EPOCH_ABSENT } from '../stake/stake-account.ts';
import { stakeActivation } from '../stake/stake-activation.ts';
import type { StakeHistoryEntry } from '../stake/stake-history.ts';
import { predictWarmUp } from './projection-warm-up.ts';

const cluster = (effectiveSol: bigint, activatingSol = 0n): StakeHistoryEntry => ({
  effectiveLamports: effectiveSol * SOL,
  activatingLamports: activatingSol * SOL,
  deactivatingLamports: 0n,
});

test('a stake that is small relative to the cluster is effective in the next epoch', () => {
  assert.deepEqual(predictWarmUp(100n * SOL, 20n, steadyHistory(0n, 20n)), [100n * SOL]);
});

test('a stake above 9 % of the cluster warms up over several epochs, each adding 9 % of the effective stake', () => {
  const path = predictWarmUp(200n * SOL, 20n, steadyHistory(0n, 20n, cluster(1_000n)));
  assert.deepEqual(path, [90n * SOL, 188_100_000_000n, 200n * SOL]);
});

test('stake that is still waiting from the last epoch shares the cap', () => {
  const path = predictWarmUp(200n * SOL, 20n, steadyHistory(0n, 20n, cluster(1_000n, 290n)));
  // Of the others' 290 SOL, 90 became effective in epoch 20. The remaining 200 SOL and our 200 SOL share 9 % of
  // 1,090 on entering epoch 21.
  assert.equal(path[0], (200n * SOL * 98_100_000_000n) / (400n * SOL));
  assert.ok(path.length > 3);
});

test('the prediction equals a replay of the program in which no other stake moves', () => {
  const stakeLamports = 500n * SOL;
  const history = new Map(steadyHistory(0n, 20n, cluster(1_000n)));
  const path = predictWarmUp(stakeLamports, 20n, history);
  const delegation = { stakeLamports, activationEpoch: 20n, deactivationEpoch: EPOCH_ABSENT };
  for (const [index, expected] of path.entries()) {
    const ended = 20n + BigInt(index);
    const { effectiveLamports, activatingLamports } = stakeActivation(delegation, ended, history);
    history.set(ended, {
      effectiveLamports: 1_000n * SOL + effectiveLamports,
      activatingLamports,
      deactivatingLamports: 0n,
    });
    assert.equal(stakeActivation(delegation, ended + 1n, history).effectiveLamports, expected);
  }
  assert.equal(path.at(-1), stakeLamports);
  assert.equal(path.length, 5);
});

test('without a history, the stake counts as effective in the next epoch, as in the program', () => {
  assert.deepEqual(predictWarmUp(100n * SOL, 0n, new Map()), [100n * SOL]);
});

test('the prediction ends even for a stake larger than any cluster', () => {
  const path = predictWarmUp(10n ** 60n, 20n, steadyHistory(0n, 20n, cluster(1n)));
  assert.ok(path.length <= 1_001);
});
