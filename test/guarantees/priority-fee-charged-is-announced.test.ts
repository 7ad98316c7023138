// FEE-1: the chain charges exactly the announced priority fee, and no transaction exceeds its compute unit
// limit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import {
  type BuiltTransaction,
  buildTransaction,
  encodeWire,
} from '../../src/chain/transactions/transaction.ts';
import { decodeWire, fitsNetwork } from '../../src/chain/transactions/wire-transaction.ts';
import { STAKE_PROGRAM, SYSTEM_PROGRAM } from '../../src/domain/instruction-programs.ts';
import type { MachineOperation } from '../../src/domain/machine/stake-machine-state.ts';
import { type PlanGoal, planStakeChange } from '../../src/domain/plan/plan-for-goal.ts';
import { goalNames } from '../../src/domain/plan/plan-goals.ts';
import { readAddressAt } from '../../src/domain/read-address-at.ts';
import { OPERATION_UNITS } from '../../src/domain/transaction/instruction-fees.ts';
import { priorityFeeView } from '../../src/operations/act/choose-priority-fee.ts';
import { createTally } from '../support/count-outcomes.ts';
import { drawnPlanWorld, planWorldOf } from '../support/planned-worlds.ts';
import { stakeAccountBytes } from '../support/stake-account-bytes.ts';
import { preparedTruth, truthSeeds } from '../support/truth-prepared.ts';
import { createTruthRandom, type TruthRandom } from '../support/truth-random.ts';

const TRANSACTIONS = process.env.HOLDFAST_TEST_FULL === '1' ? 10_000 : 1_000;
const FIRST_SEED = 20_261_126;
const SOL = 1_000_000_000n;
const VERSIONS = ['legacy', 0, 1] as const;

const addressOf = (random: TruthRandom): Address => readAddressAt(random.bytes(32), 0);

const drawnGoal = (random: TruthRandom): PlanGoal => {
  const goal = random.pick(goalNames);
  const lamports = SOL + random.lamports(20n * SOL);
  return (
    goal === 'sweep'
      ? { goal, to: random.pick(['wallet', 'stake', 'activating']), addedLamports: 2n * SOL }
      : { goal, lamports, rounding: 'atLeast' }
  ) as PlanGoal;
};

const drawnPrice = (random: TruthRandom) => ({
  microLamports: random.pick([1n, 1_000n, random.lamports(100_000n) + 1n, 10n ** 12n]),
  maxFeeLamports: random.pick([1_000_000n, 5_000n, random.lamports(100_000n) + 500n]),
});

test(`FEE-1: each of ${TRANSACTIONS} planned transactions pays the announced fee and stays within its compute unit limit`, (t) => {
  const prepared = preparedTruth();
  const tally = createTally();
  let run = 0;
  let highestShare = 0;
  const most = new Map<string, number>();
  /** Records the compute units used by each instruction of the Stake program. */
  const noteUnits = (operations: readonly MachineOperation[], logs: readonly string[]): void => {
    const used = logs.flatMap((line) => /^Program Stake\S+ consumed (\d+) of/.exec(line)?.[1] ?? []);
    const ofStake = operations.filter(({ type }) => type !== 'create' && type !== 'transfer');
    assert.equal(used.length, ofStake.length);
    for (const [index, { type }] of ofStake.entries())
      most.set(type, Math.max(most.get(type) ?? 0, Number(used[index])));
  };
  for (const seed of truthSeeds(FIRST_SEED, 100 * TRANSACTIONS)) {
    if (run >= TRANSACTIONS) break;
    const random = createTruthRandom(seed);
    const world = drawnPlanWorld(random, 1 + random.int(random.chance(0.3) ? 40 : 6), prepared);
    const memoBytes = random.pick([1, 11, 60, 128]);
    const planWorld = { ...planWorldOf(world, memoBytes), unitPrice: drawnPrice(random) };
    const wanted = drawnGoal(random);
    const result = planStakeChange(wanted, planWorld);
    if (!result.ok) continue;
    for (const { operations, feeLamports } of result.plan.transactions) {
      const version = random.pick(VERSIONS);
      const built = buildTransaction.rearrange({
        wallet: planWorld.wallet,
        memo: 'm'.repeat(memoBytes),
        blockhash: planWorld.wallet,
        operations,
        version,
        unitPrice: planWorld.unitPrice,
      });
      const story = `HOLDFAST_TEST_SEED=${seed} ${wanted.goal} ${version}`;
      assert.ok(fitsNetwork(built), story);
      assert.equal(built.networkFeeLamports, feeLamports, story);
      const { share, logs } = checkCharged(built, world.runtime, story);
      noteUnits(operations, logs);
      highestShare = Math.max(highestShare, share);
      run += 1;
      tally.count(wanted.goal);
      tally.count(String(version));
      if (
        built.priorityFee !== null &&
        built.priorityFee.microLamportsPerUnit < planWorld.unitPrice.microLamports
      )
        tally.count('capped');
    }
  }
  assert.equal(run >= TRANSACTIONS || process.env.HOLDFAST_TEST_SEED !== undefined, true);
  if (process.env.HOLDFAST_TEST_SEED === undefined)
    for (const name of [...goalNames, ...VERSIONS.map(String), 'capped'])
      assert.ok((tally.counts[name] ?? 0) > 0, `${name} was never drawn`);
  const above = [...most].filter(
    ([type, units]) => units > OPERATION_UNITS[type as MachineOperation['type']],
  );
  assert.deepEqual(
    Object.fromEntries(above),
    {},
    'operations that used more units than the measured maximum',
  );
  t.diagnostic(
    `units: at most ${(100 * highestShare).toFixed(1)} % of the limit; ${JSON.stringify(tally.counts)}; most by operation ${JSON.stringify(Object.fromEntries(most))}`,
  );
});

/** Runs the transaction. Returns the used share of its compute unit limit, and its log. */
const checkCharged = (
  built: BuiltTransaction,
  runtime: ReturnType<typeof preparedTruth>['runtime'],
  story: string,
): { readonly share: number; readonly logs: readonly string[] } => {
  const wire = encodeWire(built);
  const before = runtime.account(built.feePayer)!.lamports;
  const moved = movedOf(built);
  const { refusal, units, logs } = runtime.measureWire(wire);
  assert.equal(refusal, null, `${story}: ${JSON.stringify(refusal)}`);
  const after = runtime.account(built.feePayer)?.lamports ?? 0n;
  const announced = priorityFeeView(decodeWire(wire), null);
  assert.equal(BigInt(announced.lamports), built.priorityFee?.lamports ?? 0n, story);
  assert.equal(before - after, moved + built.networkFeeLamports, `${story}: charged`);
  assert.equal(
    built.networkFeeLamports,
    5_000n * BigInt(built.requiredSigners.length) + BigInt(announced.lamports),
    story,
  );
  if (built.priorityFee === null) return { share: 0, logs };
  assert.equal(announced.computeUnitLimit, built.priorityFee.computeUnitLimit, story);
  return { share: Number(units) / built.priorityFee.computeUnitLimit, logs };
};

/** Returns the lamports that instructions move out of the fee payer, negative if it receives more. */
const movedOf = ({ feePayer, instructions }: BuiltTransaction): bigint =>
  instructions.reduce((sum, { data }) => {
    if (data.type === 'system.createAccount' || data.type === 'system.transfer') return sum + data.lamports;
    return data.type === 'stake.withdraw' && data.recipient === feePayer ? sum - data.lamports : sum;
  }, 0n);

test('FEE-1: stake, unstake, withdraw, restake and donate pay the announced fee', () => {
  const { runtime, keys } = preparedTruth();
  const random = createTruthRandom(FIRST_SEED);
  const [voteAccount] = keys.votes as [Address];
  let run = 0;
  for (const version of VERSIONS)
    for (const memo of ['m', 'example.org', 'm'.repeat(128)]) {
      const unitPrice = { microLamports: 1_000n + random.lamports(100_000n), maxFeeLamports: 1_000_000n };
      const common = { wallet: keys.owner, memo, blockhash: keys.owner, version, unitPrice };
      const stakeAccount = addressOf(random);
      const inactive = addressOf(random);
      runtime.setAccount({
        address: inactive,
        owner: STAKE_PROGRAM,
        lamports: 5n * SOL,
        data: stakeAccountBytes({ wallet: keys.owner }),
      });
      runtime.setAccount({
        address: keys.staker,
        owner: SYSTEM_PROGRAM,
        lamports: SOL,
        data: new Uint8Array(),
      });
      const all = [
        buildTransaction.stake({ ...common, stakeAccount, voteAccount, lamports: 3n * SOL }),
        buildTransaction.unstake({ ...common, stakeAccount }),
        buildTransaction.withdraw({ ...common, stakeAccount, lamports: 3n * SOL }),
        buildTransaction.restake({ ...common, stakeAccount: inactive, voteAccount }),
        buildTransaction.donate({ ...common, donationAddress: keys.staker, lamports: SOL }),
      ];
      for (const [index, built] of all.entries()) {
        assert.ok(built.priorityFee!.lamports > 0n);
        assert.ok(checkCharged(built, runtime, `${version} ${index} memo of ${memo.length}`).share <= 1);
        run += 1;
      }
    }
  assert.equal(run, 45);
});
