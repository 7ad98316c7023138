// EFFECTS-1: an honest service is never refused. In random wallets, every plan for every goal passes the
// effects check, with nothing left unverified if an RPC node is available. docs/sign.md lists which goals the
// transaction alone proves.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { getAddMemoInstruction } from '@solana-program/memo';
import { verifyMessage } from '../../client/staking/verify-against-request.ts';
import { compileMessage } from '../../src/chain/transactions/compile-message.ts';
import { instructionOf } from '../../src/chain/transactions/transaction.ts';
import { decodeWire, encodeWire } from '../../src/chain/transactions/wire-transaction.ts';
import { MEMO_PROGRAM, STAKE_PROGRAM, STAKE_SYSVARS } from '../../src/domain/instruction-programs.ts';
import { formatSol } from '../../src/domain/lamports.ts';
import type { MachineOperation } from '../../src/domain/machine/stake-machine-state.ts';
import type { PlanInputs } from '../../src/domain/plan/plan.ts';
import { isLocked, isNotDeactivating, ownAccounts } from '../../src/domain/plan/plan-accounts.ts';
import { type PlanGoal, planStakeChange } from '../../src/domain/plan/plan-for-goal.ts';
import { type GoalName, goalNames, goalRecord } from '../../src/domain/plan/plan-goals.ts';
import { MAX_RENT_LAMPORTS } from '../../src/domain/transaction/check-rearrangement.ts';
import type { UnknownFact } from '../../src/domain/transaction/effects/approval-effects.ts';
import { checkEffects } from '../../src/domain/transaction/effects/check-effects.ts';
import type { MessageFacts } from '../../src/domain/transaction/stake-verifier.ts';
import { messageOf, nodeFactsOf, requestOfGoal } from '../support/effects-of-plans.ts';
import { MachineWorld } from '../support/machine-world.ts';
import { drawnPlanWorld, planWorldOf, shownJson } from '../support/planned-worlds.ts';
import { stakeAccountBytes } from '../support/stake-account-bytes.ts';
import { preparedTruth, truthSeeds } from '../support/truth-prepared.ts';
import { createTruthRandom, type TruthRandom } from '../support/truth-random.ts';

const WORLDS = process.env.HOLDFAST_TEST_FULL === '1' ? 2_000 : 60;
const FIRST_SEED = 20_261_125;
const SOL = 1_000_000_000n;

const drawnGoal = (goal: GoalName, random: TruthRandom, world: PlanInputs): PlanGoal => {
  const staked = ownAccounts(world)
    .filter(isNotDeactivating)
    .reduce((all, { delegation }) => all + delegation!.stakeLamports, 0n);
  const lamports = (staked * BigInt(1 + random.int(1_000))) / 1_000n + 1n;
  const rounding = random.pick(['exact', 'atLeast'] as const);
  switch (goal) {
    case 'unstake':
    case 'withdraw-amount':
      return { goal, lamports, rounding };
    case 'undo':
      return random.chance(0.5) ? { goal } : { goal, lamports };
    case 'top-up':
      return { goal, lamports: 1n + random.lamports(3n * SOL), isSingle: random.chance(0.3) };
    case 'sweep':
      return random.pick([
        { goal, to: 'wallet' },
        { goal, to: 'activating' },
        { goal, to: 'stake', addedLamports: random.pick([0n, SOL]) },
      ]);
    default:
      return { goal };
  }
};

/**
 * Builds a transaction as a service would, in every version, with and without the accounts that older
 * instructions require.
 */
const drawnMessage = (
  operations: readonly MachineOperation[],
  { wallet, voteAccount }: PlanInputs,
  goal: GoalName,
  random: TruthRandom,
): MessageFacts => {
  const isModern = random.chance(0.5);
  const instructions = operations.map(instructionOf).map((one) => ({
    ...one,
    accounts: (one.accounts ?? []).filter(({ address }) => !isModern || !STAKE_SYSVARS.has(address)),
  }));
  const memo = getAddMemoInstruction({ memo: 'example.org' }, { programAddress: MEMO_PROGRAM });
  const { bytes, requiredSigners } = compileMessage(
    {
      feePayer: wallet,
      version: random.pick(['legacy', 0, 1] as const),
      blockhash: wallet,
      priorityFeeLamports: 0n,
      computeUnitLimit: 100_000,
    },
    [...instructions, memo],
  );
  const message = decodeWire(encodeWire({ messageBytes: bytes, requiredSigners }));
  const { allowed } = goalRecord(goal);
  const { ok, recognized } = verifyMessage(message, {
    wallet,
    voteAccount,
    allowed,
    maxPriorityFeeLamports: 0n,
  });
  assert.ok(ok, shownJson(recognized.problems));
  return message;
};

const WORDS = {
  deactivates: {
    amount: 'the amount',
    named: 'the named account',
    elsewhere: 'stake of other validators',
    none: '–',
  },
  stakes: {
    amount: 'the amount',
    named: 'the named account',
    undone: 'stake that was deactivated in this epoch',
    inactive: 'inactive stake',
    elsewhere: 'stake of other validators',
    idle: 'idle SOL, and the amount',
    rent: 'rent of merged accounts',
    none: '–',
  },
  withdraws: {
    amount: 'the amount, less what is deactivated',
    staked: 'as much as it stakes in a new account',
    idle: 'idle SOL',
    free: 'any free SOL',
    none: '–',
  },
} as const;

const FACT_WORDS: Record<UnknownFact, string> = {
  'deactivated-amount': 'the stake, if an account is deactivated as a whole',
  'deactivated-validator': 'the validator, if an account is split',
  'staked-amount': 'the SOL, if an account is delegated as a whole',
  'staked-source': 'whether withdrawn SOL may be staked',
  'merged-accounts': 'the states of merged accounts',
  'rounded-amount': 'with `atLeast`, whether less is possible',
  'rent-at-risk': 'the owner, if several accounts are split',
};

const documented = readFileSync(new URL('../../docs/sign.md', import.meta.url), 'utf8');

/** Returns the goal's row in docs/sign.md, without the last column. */
const rowOf = (goal: GoalName): string => {
  const { deactivates, stakes, withdraws, mostSplits, mostNewStakes } = goalRecord(goal).bound;
  const accounts = mostSplits + mostNewStakes;
  const rent = accounts === 0 ? '–' : `at most ${formatSol(BigInt(accounts) * MAX_RENT_LAMPORTS)} SOL`;
  const cells = [
    ...[WORDS.deactivates[deactivates], WORDS.stakes[stakes], WORDS.withdraws[withdraws]],
    ...[accounts === 0 ? '–' : `at most ${accounts}`, rent],
  ];
  return `| \`${goal}\` | ${cells.join(' | ')} | `;
};

/** Creates a wallet with `count` active stakes of the same size. */
const equalStakes = (count: number, stakeLamports: bigint): PlanInputs => {
  const prepared = preparedTruth();
  const world = new MachineWorld(prepared.runtime, prepared.keys, createTruthRandom(FIRST_SEED));
  world.setWallet(world.keys.owner, SOL);
  for (let index = 0; index < count; index += 1)
    world.runtime.setAccount({
      address: world.newAddress(),
      owner: STAKE_PROGRAM,
      lamports: stakeLamports + world.runtime.stakeRentLamports,
      data: stakeAccountBytes({
        wallet: world.keys.owner,
        delegation: {
          voteAccount: world.keys.votes[0]!,
          stakeLamports,
          activationEpoch: 2n ** 64n - 1n,
        },
      }),
    });
  return planWorldOf(world);
};

for (const goal of ['unstake', 'withdraw-amount'] as const)
  test(`EFFECTS-1: for ${goal}, merges that do not fit into the same transaction need a node or a user who checks the accounts`, () => {
    const planWorld = equalStakes(150, SOL / 50n);
    const wanted = { goal, lamports: SOL + SOL / 300n, rounding: 'exact' } as const;
    const result = planStakeChange(wanted, planWorld);
    assert.ok(result.ok, shownJson(result));
    const { transactions } = result.plan;
    assert.ok(transactions.length > 1);
    assert.ok(transactions[0]!.operations.every(({ type }) => type === 'merge'));
    const messages = transactions.map(({ operations }) => messageOf(operations, planWorld));
    const request = requestOfGoal(wanted, planWorld);
    const exact = checkEffects(request, messages, nodeFactsOf(planWorld));
    assert.deepEqual([exact.problems, exact.unknowns], [[], []]);
    const blind = checkEffects(request, messages, null);
    assert.deepEqual(blind.problems, []);
    const merged = blind.unknowns.filter(({ fact }) => fact === 'merged-accounts');
    const [first] = transactions[0]!.operations;
    assert.ok(first?.type === 'merge' && merged.some(({ account }) => account === first.account));
    const row = documented.split('\n').find((line) => line.startsWith(rowOf(goal)));
    assert.ok(row?.includes(FACT_WORDS['merged-accounts']), 'docs/sign.md says it');
  });

test('EFFECTS-1: an unstake that must merge first passes without a node, because the stake is moved out of the merged account', () => {
  const planWorld = equalStakes(3, (12n * SOL) / 10n);
  const wanted = { goal: 'unstake', lamports: (18n * SOL) / 10n, rounding: 'exact' } as const;
  const result = planStakeChange(wanted, planWorld);
  assert.ok(result.ok);
  const [only, ...others] = result.plan.transactions;
  assert.deepEqual(
    [only!.operations.map(({ type }) => type), others],
    [['merge', 'moveStake', 'deactivate'], []],
  );
  const messages = [messageOf(only!.operations, planWorld)];
  const { problems, unknowns } = checkEffects(requestOfGoal(wanted, planWorld), messages, null);
  assert.deepEqual(
    [problems, unknowns.map(({ fact }) => fact)],
    [[], ['deactivated-validator', 'deactivated-amount']],
  );
});

for (const goal of goalNames)
  test(`EFFECTS-1: in ${WORLDS} random wallets, every plan to ${goal} passes, with nothing left unverified if there is a node`, (t) => {
    const prepared = preparedTruth();
    let planned = 0;
    let atRisk = 0;
    const facts = new Set<UnknownFact>();
    for (const seed of truthSeeds(FIRST_SEED, WORLDS)) {
      const random = createTruthRandom(seed);
      const world = drawnPlanWorld(random, 1 + random.int(random.chance(0.2) ? 40 : 8), prepared);
      const all = planWorldOf(world);
      // Uses the accounts that the service reads: those named by the user, or those at its validator. A
      // migration reads all of them.
      const isNamed = random.chance(0.3);
      const planWorld = {
        ...all,
        accounts: all.accounts.filter(({ delegation }) =>
          isNamed
            ? random.chance(0.6)
            : goal === 'migrate' || delegation === null || delegation.voteAccount === all.voteAccount,
        ),
      };
      const wanted = drawnGoal(goal, random, planWorld);
      const result = planStakeChange(wanted, planWorld);
      if (!result.ok) continue;
      planned += 1;
      const { transactions } = result.plan;
      const messages = transactions.map(({ operations }) =>
        drawnMessage(operations, planWorld, goal, random),
      );
      const request = {
        ...requestOfGoal(wanted, planWorld),
        ...(isNamed && { accounts: planWorld.accounts.map(({ address }) => address) }),
      };
      const story = () =>
        `HOLDFAST_TEST_SEED=${seed}\n${shownJson({ wanted, transactions, accounts: planWorld.accounts })}`;
      const exact = checkEffects(request, messages, nodeFactsOf(planWorld));
      assert.deepEqual([exact.problems, exact.unknowns], [[], []], story());
      // At most one account's rent is at risk: that of a split from an account with another custodian's lockup.
      const { atRiskLamports } = exact.effects;
      if (atRiskLamports > 0n) atRisk += 1;
      assert.ok(
        atRiskLamports === 0n ||
          (atRiskLamports === planWorld.chain.stakeRentLamports &&
            planWorld.accounts.some((one) => isLocked(one, planWorld))),
        story(),
      );
      const blind = checkEffects(request, messages, null);
      assert.deepEqual(blind.problems, [], story());
      for (const { fact } of blind.unknowns) facts.add(fact);
    }
    const row = rowOf(goal);
    const found = documented.split('\n').find((line) => line.startsWith(row));
    assert.ok(found, `docs/sign.md lacks: ${row}`);
    for (const fact of Object.keys(FACT_WORDS) as UnknownFact[])
      if (facts.has(fact) && process.env.HOLDFAST_TEST_SEED === undefined)
        assert.ok(found.includes(FACT_WORDS[fact]), `${goal}: ${FACT_WORDS[fact]}`);
    assert.ok(planned > 0 || process.env.HOLDFAST_TEST_SEED);
    t.diagnostic(`${planned} planned, ${atRisk} with rent at risk`);
  });
