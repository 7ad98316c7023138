// PLAN-3: wallets that can hardly pay, rents that changed and many accounts: the chain accepts what is planned, and a refusal says what would work.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlanResult } from '../../src/domain/plan/finish-plan.ts';
import { type PlanGoal, planStakeChange } from '../../src/domain/plan/plan-stake-change.ts';
import { drawnPlanWorld, planWorldOf, runPlan, shownJson } from '../support/planned-worlds.ts';
import { preparedTruth, truthSeeds } from '../support/truth-prepared.ts';
import { createTruthRandom, type TruthRandom } from '../support/truth-random.ts';

const FULL = process.env.HOLDFAST_TEST_FULL === '1';
const SOL = 1_000_000_000n;
const WORLDS = FULL ? 10_000 : 300;
const FIRST_SEED = 30_261_123;

const drawnGoal = (random: TruthRandom, allLamports: bigint): PlanGoal => {
  const part = (allLamports * BigInt(random.int(1_000_001))) / 1_000_000n + 1n;
  const lamports = random.pick([part, part, SOL, SOL - 1n, SOL / 2n, 1n, 3n * SOL]);
  const rounding = random.pick(['exact', 'exact', 'atLeast'] as const);
  return random.pick<PlanGoal>([
    { goal: 'unstake', lamports, rounding },
    { goal: 'unstake', lamports, rounding },
    { goal: 'withdraw-amount', lamports, rounding },
    { goal: 'withdraw-amount', lamports, rounding },
    { goal: 'undo', lamports },
    { goal: 'undo', lamports },
    { goal: 'sweep', to: 'stake', addedLamports: lamports },
    { goal: 'top-up', lamports },
    { goal: 'tidy' },
  ]);
};

test(`PLAN-3: in ${WORLDS} worlds of poor wallets, changed rents and up to 30 accounts plans land as planned, and what refusals offer works`, () => {
  const prepared = preparedTruth();
  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  for (const seed of truthSeeds(FIRST_SEED, WORLDS)) {
    const random = createTruthRandom(seed);
    const world = drawnPlanWorld(random, 1 + random.int(random.chance(0.2) ? 30 : 6), prepared);
    if (random.chance(0.5)) world.changeRent();
    const rent = world.runtime.stakeRentLamports;
    const hundredth = (rent * BigInt(random.int(301))) / 100n;
    const exactly = BigInt(1 + random.int(2)) * (rent + 5_000n) + 5_000n;
    world.setWallet(prepared.keys.owner, random.pick([hundredth, hundredth, hundredth, exactly, SOL]));
    const planWorld = planWorldOf(world);
    const goal = drawnGoal(
      random,
      planWorld.accounts.reduce((sum, { lamports }) => sum + lamports, 0n),
    );
    const story = (): string =>
      `HOLDFAST_TEST_SEED=${seed}\n${shownJson({ goal, ...planWorld, chain: rent })}`;
    const ask = (asked: PlanGoal, more = 0n): PlanResult => {
      try {
        return planStakeChange(asked, { ...planWorld, walletLamports: planWorld.walletLamports + more });
      } catch (cause) {
        throw new Error(story(), { cause });
      }
    };
    const result = ask(goal);
    count(result.ok ? `${goal.goal}: planned` : `${goal.goal}: ${result.refusal.why}`);
    if (result.ok) {
      runPlan(result.plan, goal.goal, planWorld, world, story);
      continue;
    }
    const { refusal } = result;
    if (refusal.why === 'WALLET_SHORT') {
      const { missingLamports } = refusal;
      const enough = ask(goal, missingLamports);
      assert.ok(enough.ok, `not with ${missingLamports} more: ${story()}`);
      assert.ok(!ask(goal, missingLamports - 1n).ok, `already with less than ${missingLamports}: ${story()}`);
      world.setWallet(prepared.keys.owner, planWorld.walletLamports + missingLamports);
      runPlan(enough.plan, goal.goal, planWorld, world, story);
    }
    if (refusal.why !== 'AMOUNT_NOT_REACHABLE' || !('lamports' in goal)) continue;
    for (const lamports of [refusal.nearestBelowLamports, refusal.nearestAboveLamports]) {
      if (lamports === null) continue;
      const nearest = ask({ ...goal, lamports });
      // A wallet that cannot pay the fee or lend the minimum hears that first.
      const isShort = !nearest.ok && nearest.refusal.why === 'WALLET_SHORT';
      if (isShort) count('nearest amount that the fee is missing for');
      const isThere = !nearest.ok && nearest.refusal.why === 'NOTHING_TO_DO';
      assert.ok(nearest.ok || isShort || isThere, `${lamports}: ${story()}`);
    }
  }
  if (FULL) console.log(Object.fromEntries([...counts].sort()));
  if (process.env.HOLDFAST_TEST_SEED) return;
  for (const end of ['planned', 'WALLET_SHORT', 'AMOUNT_NOT_REACHABLE'])
    assert.ok((counts.get(`unstake: ${end}`) ?? 0) > 0, `unstake: ${end} never occurs`);
});
