// COST-1: even the worst possible wallets cannot make a plan or preview expensive, because the number of
// ranges, the response size and the work are bounded.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Session } from 'node:inspector/promises';
import { describe, test } from 'node:test';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type AmountRange, nearestAmounts } from '../../src/domain/plan/amount-ranges.ts';
import { unstakeAmounts } from '../../src/domain/plan/goals/plan-unstake.ts';
import { planStakeChange } from '../../src/domain/plan/plan-for-goal.ts';
import { withdrawAmounts } from '../../src/domain/plan/withdraw-amounts.ts';
import { shownJson } from '../support/planned-worlds.ts';
import { worstGoals, worstWallets } from '../support/worst-wallets.ts';

const FULL = process.env.HOLDFAST_TEST_FULL === '1';
/**
 * Stake accounts per worst-case wallet. No wallet would accumulate this many in normal use.
 */
const ACCOUNTS = FULL ? [12, 24, 28, 60, 100, 300, 1_000] : [28];
const seedsOf = (accounts: number): readonly number[] => (FULL && accounts <= 100 ? [1, 2, 3] : [1]);
const MAX_BYTES = 50_000;
const MAX_RANGES = 502;

const session = new Session();

/**
 * Counts calls of the planner's functions since the previous count. Unlike time, this measures work equally on
 * every machine.
 */
const callsSince = async (): Promise<number> => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url }) => url.includes('/src/domain/'))
    .flatMap(({ functions }) => functions)
    .reduce((sum, { ranges }) => sum + ranges[0]!.count, 0);
};

/**
 * Maximum number of calls per request. The most expensive of 24,000 requests took 928,820 calls (25 ms) for 100
 * stakes and 1,869,887 calls (45 ms) for 1,000 stakes.
 */
const mostCalls = (accounts: number): number => (accounts <= 100 ? 1_000_000 : 2_000_000);

const previews = { unstake: unstakeAmounts, 'withdraw-amount': withdrawAmounts };

/** Returns the size of the ranges in the response. */
const bytesOf = (ranges: readonly AmountRange[]): number =>
  JSON.stringify(ranges.map(({ low, high }) => ({ fromSol: Number(low) / 1e9, toSol: Number(high) / 1e9 })))
    .length;

interface WalletsOfOneSize {
  readonly accounts: number;
  readonly seed: number;
}

/** Plans for every wallet and returns a summary. */
const checkWallets = async ({ accounts, seed }: WalletsOfOneSize): Promise<string> => {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  let most = { calls: 0, of: '' };
  let [bounded, planned, refused] = [0, 0, 0];
  const note = async (of: string): Promise<void> => {
    const calls = await callsSince();
    if (calls > most.calls) most = { calls, of };
    assert.ok(calls <= mostCalls(accounts), `${calls} calls: ${of}`);
  };
  await callsSince();
  for (const { name, world } of worstWallets(accounts, seed)) {
    for (const [want, amountsOf] of Object.entries(previews)) {
      const { ranges, isComplete } = amountsOf(world);
      await note(`${name} ${want}`);
      if (!isComplete) bounded += 1;
      assert.ok(ranges.length <= MAX_RANGES, `${ranges.length} ranges: ${name}`);
      assert.ok(bytesOf(ranges) <= MAX_BYTES, `${bytesOf(ranges)} bytes: ${name}`);
      // Every listed amount must be reachable, even if the list is incomplete.
      for (const { low, high } of [ranges.at(-1)!, ranges[Math.floor(ranges.length / 2)]!])
        for (const lamports of [low, high].filter((one) => one > 0n)) {
          const goal = { goal: want as 'withdraw-amount', lamports, rounding: 'exact' } as const;
          const result = planStakeChange(goal, world);
          const isRight = result.ok || ['WALLET_SHORT', 'NOTHING_TO_DO'].includes(result.refusal.why);
          assert.ok(isRight, `${name} ${want} ${lamports}: ${shownJson(result)}`);
        }
      await callsSince();
    }
    for (const goal of worstGoals(world)) {
      const result = planStakeChange(goal, world);
      await note(`${name} ${shownJson(goal)}`);
      if (result.ok) planned += 1;
      else {
        refused += 1;
        // A refusal that knows all amounts suggests the nearest reachable ones.
        if (result.refusal.why !== 'AMOUNT_NOT_REACHABLE' || goal.goal !== 'unstake') continue;
        const near = nearestAmounts(unstakeAmounts(world).ranges, goal.lamports);
        assert.equal(result.refusal.nearestAboveLamports, near.above);
        await callsSince();
      }
    }
  }
  assert.ok(planned >= 100 && refused >= 100 && bounded >= 2);
  return `${planned} planned, ${refused} refused, ${bounded} previews bounded; most work: ${JSON.stringify(most)}`;
};

// Runs in a separate thread, because each count visits every loaded function.
if (isMainThread)
  describe('COST-1', () => {
    for (const accounts of ACCOUNTS)
      for (const seed of seedsOf(accounts))
        test(`COST-1: no request for the worst wallets with ${accounts} stakes is expensive (seed ${seed})`, async (t) => {
          const thread = new Worker(new URL(import.meta.url), { workerData: { accounts, seed } });
          t.after(() => thread.terminate());
          const [seen] = await once(thread, 'message');
          t.diagnostic(seen);
        });
  });
else parentPort!.postMessage(await checkWallets(workerData));
