// Compares activation in both arithmetics with recorded results of the Stake program's own crate.
// `scripts/oracle` re-records them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { EPOCH_ABSENT } from './stake-account.ts';
import { movedOnEntering, stakeActivation } from './stake-activation.ts';
import { type StakeArithmetic, withArithmetic } from './stake-history.ts';

interface Oracle {
  readonly allowances: readonly (readonly string[])[];
  readonly clusters: readonly {
    readonly history: readonly (readonly string[])[];
    readonly lives: readonly {
      readonly stake: string;
      readonly activation: number;
      readonly deactivation: number | null;
      readonly answers: readonly (readonly string[])[];
    }[];
  }[];
}

const fixture = new URL('../../../test/fixtures/stake-activation-oracle.json', import.meta.url);
const oracle = JSON.parse(readFileSync(fixture, 'utf8')) as Oracle;

const parts = (answer: readonly string[]) => {
  const [effectiveLamports, activatingLamports, deactivatingLamports] = answer.map(BigInt);
  return { effectiveLamports, activatingLamports, deactivatingLamports };
};

interface Asked {
  readonly name: string;
  readonly of: (arithmetic?: StakeArithmetic) => ReturnType<typeof stakeActivation>;
  readonly integer: readonly string[];
  readonly float64: readonly string[];
}

function* asked(): Generator<Asked> {
  for (const [i, { history: rows, lives }] of oracle.clusters.entries()) {
    const history = new Map(
      rows.map(([effective, activating, deactivating], epoch) => [
        BigInt(epoch),
        {
          effectiveLamports: BigInt(effective!),
          activatingLamports: BigInt(activating!),
          deactivatingLamports: BigInt(deactivating!),
        },
      ]),
    );
    for (const { stake, activation, deactivation, answers } of lives) {
      const delegation = {
        stakeLamports: BigInt(stake),
        activationEpoch: BigInt(activation),
        deactivationEpoch: deactivation === null ? EPOCH_ABSENT : BigInt(deactivation),
      };
      for (const [after, answer] of answers.entries()) {
        const epoch = BigInt(activation + after);
        yield {
          name: `cluster ${i}, stake ${stake} of epoch ${activation} in epoch ${epoch}`,
          of: (arithmetic) =>
            stakeActivation(delegation, epoch, arithmetic ? withArithmetic(history, arithmetic) : history),
          integer: answer.slice(0, 3),
          float64: answer.slice(3),
        };
      }
    }
  }
}

test('the stake that one account activates or deactivates in an epoch equals the result of the Stake program’s crate v5.1', () => {
  for (const allowance of oracle.allowances) {
    const [remainingLamports, movingLamports, clusterEffectiveLamports, moved] = allowance.map(BigInt);
    const move = { remainingLamports: remainingLamports!, movingLamports: movingLamports! };
    assert.equal(
      movedOnEntering('integer', { ...move, clusterEffectiveLamports: clusterEffectiveLamports! }),
      moved,
      allowance.join(' '),
    );
  }
});

test("the parts of a delegation equal the crate's results in every epoch, in integers (v5.1) and in doubles (v5.0)", () => {
  let [compared, different] = [0, 0];
  for (const { name, of, integer, float64 } of asked()) {
    assert.deepEqual(of('integer'), parts(integer), name);
    assert.deepEqual(of('float64'), parts(float64), name);
    compared += 1;
    if (integer.join() !== float64.join()) different += 1;
  }
  assert.ok(compared > 2_000, `${compared} compared`);
  assert.ok(different > 150, `the two arithmetics differ in ${different} of them`);
});

test('if the program version is unknown, the larger effective amount of the two arithmetics is used', () => {
  for (const { name, of, integer, float64 } of asked()) {
    const larger = [integer, float64]
      .map(([effective]) => BigInt(effective!))
      .reduce((a, b) => (a > b ? a : b));
    assert.equal(of().effectiveLamports, larger, name);
  }
});
