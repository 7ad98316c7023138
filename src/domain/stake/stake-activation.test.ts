import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SOL, steadyHistory } from '../../../test/support/stake-account-examples.ts';
import { EPOCH_ABSENT } from './stake-account.ts';
import { movedOnEntering, stakeActivation } from './stake-activation.ts';
import { type StakeHistoryEntry, withArithmetic } from './stake-history.ts';

const delegation = (stakeSol: bigint, activationEpoch: bigint, deactivationEpoch = EPOCH_ABSENT) => ({
  stakeLamports: stakeSol * SOL,
  activationEpoch,
  deactivationEpoch,
});
const parts = (effectiveLamports: bigint, activatingLamports: bigint, deactivatingLamports = 0n) => ({
  effectiveLamports,
  activatingLamports,
  deactivatingLamports,
});
const entry = (effectiveSol: bigint, activatingSol: bigint, deactivatingSol: bigint): StakeHistoryEntry => ({
  effectiveLamports: effectiveSol * SOL,
  activatingLamports: activatingSol * SOL,
  deactivatingLamports: deactivatingSol * SOL,
});

test('a new delegation is activating as a whole, and a small one is fully effective in the next epoch', () => {
  const history = steadyHistory(0n, 20n);
  assert.deepEqual(stakeActivation(delegation(5n, 10n), 10n, history), parts(0n, 5n * SOL));
  assert.deepEqual(stakeActivation(delegation(5n, 10n), 11n, history), parts(5n * SOL, 0n));
  assert.deepEqual(stakeActivation(delegation(5n, 10n), 9n, history), parts(0n, 0n));
});

test('if more than 9 % of the cluster is activating, accounts share the 9 % in proportion', () => {
  const history = new Map([[10n, entry(1_000n, 200n, 0n)]]);
  assert.deepEqual(stakeActivation(delegation(100n, 10n), 11n, history), parts(45n * SOL, 55n * SOL));
});

test('a deactivation during warm-up deactivates only the effective part', () => {
  const history = new Map([
    [10n, entry(1_000n, 200n, 0n)],
    [11n, entry(1_090n, 0n, 45n)],
  ]);
  const partly = delegation(100n, 10n, 11n);
  assert.deepEqual(stakeActivation(partly, 11n, history), parts(45n * SOL, 0n, 45n * SOL));
  assert.deepEqual(stakeActivation(partly, 12n, history), parts(0n, 0n, 0n));
});

test('if more than 9 % of the cluster is deactivating, the rest stays effective and deactivating', () => {
  const history = new Map([
    [10n, entry(1_000n, 0n, 0n)],
    [20n, entry(1_000n, 0n, 300n)],
    [21n, entry(910n, 0n, 210n)],
  ]);
  const leaving = delegation(100n, 1n, 20n);
  assert.deepEqual(stakeActivation(leaving, 20n, history), parts(100n * SOL, 0n, 100n * SOL));
  assert.deepEqual(stakeActivation(leaving, 21n, history), parts(70n * SOL, 0n, 70n * SOL));
  assert.deepEqual(stakeActivation(leaving, 22n, history), parts(42_700_000_000n, 0n, 42_700_000_000n));
});

test('stake activated and deactivated in one epoch was never effective', () => {
  const history = steadyHistory(0n, 30n);
  for (const epoch of [10n, 11n, 29n]) {
    assert.deepEqual(stakeActivation(delegation(5n, 10n, 10n), epoch, history), parts(0n, 0n, 0n));
  }
});

test('a bootstrap stake is effective immediately, even without a history', () => {
  assert.deepEqual(stakeActivation(delegation(5n, EPOCH_ABSENT), 0n, new Map()), parts(5n * SOL, 0n));
});

test('warm-up and cooldown in epochs older than the history count as completed', () => {
  const history = steadyHistory(600n, 1_000n);
  assert.deepEqual(stakeActivation(delegation(5n, 10n), 1_000n, history), parts(5n * SOL, 0n));
  assert.deepEqual(stakeActivation(delegation(5n, 10n, 20n), 1_000n, history), parts(0n, 0n, 0n));
});

const moved = (arithmetic: 'float64' | 'integer', remaining: bigint, moving: bigint, effective: bigint) =>
  movedOnEntering(arithmetic, {
    remainingLamports: remaining,
    movingLamports: moving,
    clusterEffectiveLamports: effective,
  });

test('at least one lamport moves per epoch, even for the smallest share', () => {
  assert.equal(moved('float64', 1n, 10n ** 18n, 1n), 1n);
  assert.equal(moved('integer', 1n, 10n ** 18n, 1n), 1n);
  const history = new Map([
    [10n, { effectiveLamports: 1n, activatingLamports: 10n ** 18n, deactivatingLamports: 0n }],
    [11n, { effectiveLamports: 1n, activatingLamports: 10n ** 18n, deactivatingLamports: 0n }],
  ]);
  assert.deepEqual(stakeActivation(delegation(1n, 10n), 12n, history), parts(2n, SOL - 2n));
});

test('v5.0 rounds amounts beyond 2^53 as doubles do, and v5.1 keeps every lamport and moves at most the remainder', () => {
  // 2^53 + 1 is not exactly representable as a double. Its weight equals that of 2^53, so v5.0 calculates
  // with 2^53.
  const odd = 2n ** 53n + 1n;
  assert.equal(moved('float64', odd, odd, 10n ** 19n), BigInt(Math.trunc(1e19 * 0.09)));
  assert.equal(moved('integer', odd, odd, 10n ** 19n), odd);
  // Published with the crate: the two results differ by five lamports.
  const published = [342_898_401_157_885_026n, 2_426_138_261_763_124_479n, 708_104_488_956_562_499n] as const;
  assert.equal(moved('integer', ...published), 9_007_199_253_579_461n);
  assert.equal(moved('float64', ...published), 9_007_199_253_579_466n);
  const most = 2n ** 64n - 1n;
  assert.equal(
    moved('integer', most, 2n ** 63n, most),
    (2n ** 128n - 1n) / (2n ** 63n * 10_000n),
    'saturated',
  );
});

test('in v5.0, a sum that overflows 64 bits wraps around and a merged stake never recovers; in v5.1, neither happens', () => {
  // Found with random sequences: the real program (v5.0) computed 2,135,628,281,397,349 lamports for this
  // history.
  const merged = {
    stakeLamports: 12_016_677_022_696_329n,
    activationEpoch: 40n,
    deactivationEpoch: EPOCH_ABSENT,
  };
  const history = new Map<bigint, StakeHistoryEntry>();
  for (let epoch = 40n; epoch < 49n; epoch += 1n) {
    history.set(epoch, {
      effectiveLamports: 400_000_001_621_954_497n,
      activatingLamports: 0n,
      deactivatingLamports: 0n,
    });
  }
  const seen = (epoch: bigint, effectiveLamports: bigint, activatingLamports: bigint) =>
    history.set(epoch, { effectiveLamports, activatingLamports, deactivatingLamports: 0n });
  seen(40n, 400_000_000_000_000_000n, 202_563_515_657_329_353n);
  seen(41n, 400_000_000_288_257_052n, 1_333_697_445n);
  seen(42n, 400_000_001_621_954_497n, 2n);
  const effective = 2_135_628_281_397_349n;
  const short = parts(effective, merged.stakeLamports - effective);
  assert.deepEqual(stakeActivation(merged, 49n, withArithmetic(history, 'float64')), short);
  const whole = parts(merged.stakeLamports, 0n);
  assert.deepEqual(stakeActivation(merged, 49n, withArithmetic(history, 'integer')), whole);
  assert.deepEqual(stakeActivation(merged, 49n, history), whole, 'if unknown, the larger of both');
});

test('the parts never exceed the delegation, and effective stake never falls before a deactivation or grows after it', () => {
  // Stakes are at most a hundred times the amount that moves in the cluster, so that no sum can overflow.
  const amount = fc.oneof(fc.constant(0n), fc.bigInt({ min: 10n ** 15n, max: 10n ** 18n }));
  const entries = fc.array(fc.tuple(amount, amount, amount), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(
      entries,
      fc.bigInt({ min: 0n, max: 10n ** 17n }),
      fc.bigInt({ min: 0n, max: 7n }),
      (rows, stakeLamports, stopped) => {
        const history = new Map(
          rows.map(([effectiveLamports, activatingLamports, deactivatingLamports], i) => [
            BigInt(i),
            { effectiveLamports, activatingLamports, deactivatingLamports },
          ]),
        );
        let before = 0n;
        for (let epoch = 0n; epoch <= 8n; epoch += 1n) {
          const now = stakeActivation(
            { stakeLamports, activationEpoch: 0n, deactivationEpoch: stopped },
            epoch,
            history,
          );
          assert.ok(now.effectiveLamports + now.activatingLamports <= stakeLamports);
          assert.ok(now.effectiveLamports >= 0n && now.activatingLamports >= 0n);
          if (epoch > stopped) assert.ok(now.effectiveLamports <= before, 'cools down');
          else if (stopped > 0n) assert.ok(now.effectiveLamports >= before, 'warms up');
          if (epoch >= stopped) assert.equal(now.deactivatingLamports, now.effectiveLamports);
          before = now.effectiveLamports;
        }
      },
    ),
    { numRuns: 500 },
  );
});
