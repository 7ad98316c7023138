import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SOL, steadyHistory } from '../../../test/support/stake-account-examples.ts';
import { EPOCH_ABSENT } from './stake-account.ts';
import { stakeActivation } from './stake-activation.ts';
import type { StakeHistoryEntry } from './stake-history.ts';
import { nextEntry, predictCooledEpoch } from './stake-state-prediction.ts';

const leaving = (stakeLamports: bigint, deactivationEpoch: bigint) => ({
  stakeLamports,
  activationEpoch: EPOCH_ABSENT,
  deactivationEpoch,
});

test('a stake that is small relative to the cluster is inactive in the next epoch', () => {
  assert.equal(predictCooledEpoch(leaving(5n * SOL, 20n), 20n, steadyHistory(0n, 20n)), 21n);
  assert.equal(predictCooledEpoch(leaving(5n * SOL, 20n), 20n, new Map()), 21n);
});

test('a stake that is large relative to the cluster takes one epoch per 9 % step', () => {
  const alone: StakeHistoryEntry = {
    effectiveLamports: 1_000n * SOL,
    activatingLamports: 0n,
    deactivatingLamports: 0n,
  };
  // On entering epochs 21, 22 and 23, up to 90, 81.9 and 74.5 SOL may leave, so 200 SOL take three epochs.
  assert.equal(predictCooledEpoch(leaving(200n * SOL, 20n), 20n, steadyHistory(0n, 20n, alone)), 23n);
});

test('at most 9 % of the effective stake moves per epoch in each direction', () => {
  const entry = { effectiveLamports: 1_000n, activatingLamports: 50n, deactivatingLamports: 200n };
  assert.deepEqual(nextEntry(entry), {
    effectiveLamports: 960n,
    activatingLamports: 0n,
    deactivatingLamports: 110n,
  });
  assert.deepEqual(nextEntry({ ...entry, activatingLamports: 91n, deactivatingLamports: 10n }), {
    effectiveLamports: 1_080n,
    activatingLamports: 1n,
    deactivatingLamports: 0n,
  });
});

test('stake deactivated in this epoch waits behind earlier deactivations, and inactive stake does not wait', () => {
  const crowded: StakeHistoryEntry = {
    effectiveLamports: 1_000n * SOL,
    activatingLamports: 0n,
    deactivatingLamports: 170n * SOL,
  };
  const history = steadyHistory(0n, 20n, crowded);
  // Up to epoch 20, 90 of the 170 SOL left. On entering epoch 21, 81.9 SOL leave: 71.9 of the other 80 SOL,
  // and these 10 SOL.
  assert.equal(predictCooledEpoch(leaving(10n * SOL, 20n), 20n, history), 22n);
  assert.equal(predictCooledEpoch(leaving(10n * SOL, 3n), 20n, steadyHistory(0n, 20n)), 20n);
  // A deactivation in a later epoch, which never occurs on chain, ends in the epoch after it at the earliest.
  assert.equal(predictCooledEpoch(leaving(1n * SOL, 25n), 20n, steadyHistory(0n, 20n)), 26n);
});

test('the prediction ends quickly even if the cluster never releases the stake', () => {
  const stuck: StakeHistoryEntry = {
    effectiveLamports: 0n,
    activatingLamports: 0n,
    deactivatingLamports: 2n ** 63n,
  };
  assert.equal(predictCooledEpoch(leaving(2n ** 60n, 19n), 20n, steadyHistory(0n, 20n, stuck)), 1_020n);
});

test('if other stake does not move, the prediction is exact from any epoch of the cooldown', () => {
  const sol = (min: bigint, max: bigint) => fc.bigInt({ min: min * SOL, max: max * SOL });
  fc.assert(
    fc.property(
      sol(1_000n, 1_000_000n),
      sol(1n, 900n),
      sol(0n, 500n),
      (restLamports, stakeLamports, otherLamports) => {
        const own = leaving(stakeLamports, 5n);
        const other = leaving(otherLamports, 5n);
        const history = new Map<bigint, StakeHistoryEntry>();
        const predictions: bigint[] = [];
        for (let epoch = 0n; epoch < 200n; epoch += 1n) {
          if (epoch > 5n) {
            const left = stakeActivation(own, epoch, history).effectiveLamports;
            if (left === 0n) {
              // Each step rounds down to whole lamports per account, and the remainder may take one more
              // epoch.
              for (const predicted of predictions.slice(otherLamports > 0n ? 1 : 0)) {
                assert.ok(
                  predicted === epoch || predicted === epoch + 1n || predicted === epoch - 1n,
                  `${predicted} for ${epoch}`,
                );
              }
              return;
            }
          }
          if (epoch >= 5n) predictions.push(predictCooledEpoch(own, epoch, history));
          const [a, b] = [stakeActivation(own, epoch, history), stakeActivation(other, epoch, history)];
          history.set(epoch, {
            effectiveLamports: restLamports + a.effectiveLamports + b.effectiveLamports,
            activatingLamports: 0n,
            deactivatingLamports: a.deactivatingLamports + b.deactivatingLamports,
          });
        }
        assert.fail('never cooled down');
      },
    ),
    { numRuns: 200 },
  );
});
