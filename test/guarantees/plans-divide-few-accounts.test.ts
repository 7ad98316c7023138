// PLAN-1: no plan for any wallet splits more accounts than the limit of its goal, and a search for the worst
// plan reaches the limit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import type { PlanInputs } from '../../src/domain/plan/plan.ts';
import { planStakeChange } from '../../src/domain/plan/plan-for-goal.ts';
import { goalRecord, MAX_SPLITS } from '../../src/domain/plan/plan-goals.ts';
import { readAddressAt } from '../../src/domain/read-address-at.ts';
import { seededRandom } from '../support/seeded-random.ts';
import {
  chainFacts,
  delegatedStake,
  OWNER,
  RENT,
  SOL,
  VOTE_ACCOUNT,
} from '../support/stake-account-examples.ts';

const FULL = process.env.HOLDFAST_TEST_FULL === '1';
const WORLDS = FULL ? 20_000 : 1_000;
const SEED = 20_261_128;
const { epoch } = chainFacts();

const at = (tag: number): Address => readAddressAt(new Uint8Array(32).fill(tag), 0);

/**
 * Generates a wallet with up to 16 stakes that cannot be merged. Many are slightly above two minimum
 * delegations, so each can give slightly more than one.
 */
const drawnWorld = (random: () => number): PlanInputs => {
  const [least, most] = [
    [2e9, 2.3e9],
    [1e9, 3e9],
    [1e9, 31e9],
  ][Math.floor(random() * 3)] as [number, number];
  const state = random() < 0.5 ? { activationEpoch: epoch } : { deactivationEpoch: epoch };
  const accounts = Array.from({ length: 1 + Math.floor(random() * 16) }, (_, index) => {
    const stakeLamports = BigInt(Math.floor(least + random() * (most - least)));
    return delegatedStake({
      address: at(index + 1),
      lamports: stakeLamports + RENT,
      delegation: { stakeLamports, ...state },
    });
  });
  return {
    wallet: OWNER,
    walletLamports: SOL,
    accounts,
    voteAccount: VOTE_ACCOUNT,
    chain: {
      ...chainFacts(),
      minimumDelegationLamports: SOL,
      voteCredits: new Map([[VOTE_ACCOUNT, 7n]]),
    },
    newAddress: (index) => at(100 + index),
    signatureFeeLamports: 5_000n,
    memoBytes: 0,
  };
};

test(`PLAN-1: no plan for ${WORLDS} random wallets splits more accounts than its goal allows`, () => {
  const random = seededRandom(SEED);
  const counts: number[] = [];
  for (let index = 0; index < WORLDS; index += 1) {
    const world = drawnWorld(random);
    const all = world.accounts.reduce((sum, { delegation }) => sum + delegation!.stakeLamports, 0n);
    // Picks any part of the stake, or as much as the first `given` accounts can give while each keeps the
    // minimum.
    const given = Math.floor(random() * (world.accounts.length + 1));
    const lamports =
      random() < 0.5
        ? (all * BigInt(1 + Math.floor(random() * 1_000))) / 1_000n
        : world.accounts
            .slice(0, given)
            .reduce((sum, { delegation }) => sum + delegation!.stakeLamports - SOL, 1n);
    const exact = { lamports, rounding: 'exact' } as const;
    for (const goal of [
      { goal: 'unstake', ...exact },
      { goal: 'withdraw-amount', ...exact },
      { goal: 'undo', lamports },
    ] as const) {
      const result = planStakeChange(goal, world);
      if (!result.ok) continue;
      const operations = result.plan.transactions.flatMap((one) => one.operations);
      const splits = operations.filter(({ type }) => type === 'split').length;
      assert.ok(splits <= goalRecord(goal.goal).bound.mostSplits, `${goal.goal}: ${splits}, world ${index}`);
      counts[splits] = (counts[splits] ?? 0) + 1;
    }
  }
  if (FULL) console.log('plans by number of splits', { ...counts });
  assert.ok((counts[MAX_SPLITS] ?? 0) > 0, `no random wallet needed ${MAX_SPLITS} splits: ${counts}`);
});
