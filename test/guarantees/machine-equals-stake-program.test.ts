// TRUTH-4: the stake machine predicts the result of any transaction on the real Stake program: success or error
// code, and every account afterwards.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { instructionOf } from '../../src/chain/transactions/transaction.ts';
import { mergeClassOf } from '../../src/domain/machine/merge-class.ts';
import { applyOperations } from '../../src/domain/machine/stake-machine.ts';
import type {
  MachineAccount,
  MachineAccounts,
  MachineChain,
  MachineOperation,
} from '../../src/domain/machine/stake-machine-state.ts';
import { EPOCH_ABSENT, lockupInForce } from '../../src/domain/stake/stake-account.ts';
import { MachineTransactions } from '../support/machine-transactions.ts';
import { MachineWorld } from '../support/machine-world.ts';
import { preparedTruth, truthSeeds } from '../support/truth-prepared.ts';
import { createTruthRandom } from '../support/truth-random.ts';

const FULL = process.env.HOLDFAST_TEST_FULL === '1';
const TRANSACTIONS_PER_WORLD = 20;
const TRANSACTIONS = FULL ? 10_000 : 600;
const FIRST_SEED = 20_261_122;
/** Scales the minimum number of occurrences per case with the number of transactions. */
const SCALE = FULL ? 10 : 0.2;

const OPERATIONS = [
  'create',
  'transfer',
  'initialize',
  'delegate',
  'deactivate',
  'split',
  'merge',
  'moveStake',
  'moveLamports',
  'withdraw',
  'authorize',
  'setLockup',
] as const;
const STATES = [
  'uninitialized',
  'initialized',
  'activating',
  'active',
  'partly active',
  'deactivating',
  'inactive',
  'delegated and deactivated in one epoch',
  'below the minimum',
  'locked',
] as const;

const statesOf = (account: MachineAccount, chain: MachineChain): readonly (typeof STATES)[number][] => {
  if (account.kind === 'empty') return [];
  if (account.kind === 'uninitialized') return ['uninitialized'];
  const { delegation } = account;
  const held = mergeClassOf(account, chain);
  const isCooling = delegation !== null && delegation.deactivationEpoch !== EPOCH_ABSENT;
  const isSame = isCooling && delegation.deactivationEpoch === delegation.activationEpoch;
  return [
    delegation === null
      ? 'initialized'
      : held === 'transient'
        ? isCooling
          ? 'deactivating'
          : 'partly active'
        : isSame
          ? 'delegated and deactivated in one epoch'
          : held,
    ...(delegation !== null && delegation.stakeLamports < chain.minimumDelegationLamports
      ? (['below the minimum'] as const)
      : []),
    ...(lockupInForce(account.lockup, chain.epoch, chain.unixTimestamp) ? (['locked'] as const) : []),
  ];
};

const sorted = ({ stakes, wallets }: MachineAccounts) => ({
  stakes: [...stakes].sort(([one], [other]) => (one < other ? -1 : 1)),
  wallets: [...wallets].sort(([one], [other]) => (one < other ? -1 : 1)),
});

const shown = (value: unknown): string =>
  JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}` : one), 1);

test(`TRUTH-4: ${TRANSACTIONS} random transactions have the same result in the stake machine as in the Stake program`, () => {
  const { runtime, keys } = preparedTruth();
  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  for (const seed of truthSeeds(FIRST_SEED, TRANSACTIONS / TRANSACTIONS_PER_WORLD)) {
    const random = createTruthRandom(seed);
    const world = new MachineWorld(runtime, keys, random);
    const planted = 2 + random.int(6);
    for (let i = 0; i < planted; i += 1)
      world.plant({ otherStaker: 0.1, locked: 0.2, dust: 0.15, uninitialized: 0.05 });
    for (const wallet of [keys.staker, keys.custodian])
      world.setWallet(wallet, random.pick([0n, 1n, 500_000n, 10n ** 12n]));
    const transactions = new MachineTransactions(world);
    for (let drawn = 0; drawn < TRANSACTIONS_PER_WORLD; drawn += 1) {
      if (random.chance(0.2)) world.truth.advance();
      if (random.chance(0.1)) world.changeRent();
      runtime.setEpochRewardsActive(random.chance(0.02));
      const { chain } = world;
      const before = world.accounts();
      const operations = transactions.draw(before, chain);
      const expected = applyOperations(operations, before, chain);
      const refusal = runtime.run(operations.map(instructionOf));
      const story = () =>
        `HOLDFAST_TEST_SEED=${seed}, transaction ${drawn}, epoch ${chain.epoch}\n${shown(operations)}\nbefore ${shown(sorted(before))}`;
      assert.deepEqual(expected.ok ? null : expected.refusal, refusal, story());
      if (expected.ok) assert.deepEqual(sorted(expected.accounts), sorted(world.accounts()), story());
      tally(operations, expected, before, chain);
    }
  }
  if (FULL) console.log(Object.fromEntries([...counts].sort()));
  if (process.env.HOLDFAST_TEST_SEED) return;
  for (const operation of OPERATIONS) {
    for (const outcome of ['accepted', 'refused']) {
      const found = counts.get(`${operation} ${outcome}`) ?? 0;
      assert.ok(found >= 4 * SCALE, `${operation} ${outcome}: ${found}`);
    }
  }
  for (const state of STATES) {
    const found = counts.get(`state ${state}`) ?? 0;
    assert.ok(found >= 50 * SCALE, `state ${state}: ${found}`);
  }

  function tally(
    operations: readonly MachineOperation[],
    result: ReturnType<typeof applyOperations>,
    before: MachineAccounts,
    chain: MachineChain,
  ): void {
    for (const [index, { type }] of operations.entries()) {
      if (result.ok) count(`${type} accepted`);
      else if (result.refusal.operation === index) {
        count(`${type} refused`);
        count(`${type} ${result.refusal.code}`);
      }
    }
    if (!result.ok && result.refusal.operation === null) count(result.refusal.code);
    count(`${operations.length} instructions ${result.ok ? 'accepted' : 'refused'}`);
    for (const account of before.stakes.values())
      for (const state of statesOf(account, chain)) count(`state ${state}`);
  }
});

test('an uninitialized account can be split if its own key signs anywhere in the transaction', () => {
  const { runtime, keys } = preparedTruth();
  const world = new MachineWorld(runtime, keys, createTruthRandom(FIRST_SEED));
  const parent = world.plant({ uninitialized: 1 });
  const [first, second] = [world.newAddress(), world.newAddress()];
  const create = (account: Address): MachineOperation => ({
    type: 'create',
    account,
    payer: keys.owner,
    lamports: runtime.stakeRentLamports,
  });
  const split = (into: Address, authority: Address): MachineOperation => ({
    type: 'split',
    account: parent,
    into,
    lamports: 1n,
    authority,
  });
  const unsigned = [create(first), split(first, keys.staker)];
  const signed = [create(first), create(second), split(first, parent), split(second, keys.staker)];
  for (const [operations, code] of [
    [unsigned, 'MissingRequiredSignature'],
    [signed, undefined],
  ] as const) {
    const expected = applyOperations(operations, world.accounts(), world.chain);
    const refusal = runtime.run(operations.map(instructionOf));
    assert.deepEqual(expected.ok ? null : expected.refusal, refusal);
    assert.equal(refusal?.code, code);
  }
});
