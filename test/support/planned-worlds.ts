// Generates stake accounts for plans, and runs a plan's transactions on the real Stake program as the service
// builds them.
import assert from 'node:assert/strict';
import type { Address } from '@solana/kit';
import {
  buildTransaction,
  encodeWire,
  type TransactionVersion,
} from '../../src/chain/transactions/transaction.ts';
import type { MachineAccount, MachineOperation } from '../../src/domain/machine/stake-machine-state.ts';
import type { Plan, PlanInputs, PlannedTransaction } from '../../src/domain/plan/plan.ts';
import { isNotDeactivating } from '../../src/domain/plan/plan-accounts.ts';
import { type GoalName, goalRecord } from '../../src/domain/plan/plan-goals.ts';
import type { StakeAccount } from '../../src/domain/stake/stake-account.ts';
import { assessStake } from '../../src/domain/stake/stake-state.ts';
import { recognizeTransaction } from '../../src/domain/transaction/stake-verifier.ts';
import { MachineWorld } from './machine-world.ts';
import type { preparedTruth } from './truth-prepared.ts';
import type { TruthRandom } from './truth-random.ts';
import type { TruthCluster } from './truth-world.ts';

const MAX_BYTES = 1_232;
const MEMO = 'example.org';

const memoOf = ({ memoBytes }: PlanInputs): string => MEMO.padEnd(memoBytes, '.').slice(0, memoBytes);

const buildWith = (operations: readonly MachineOperation[], world: PlanInputs, version: TransactionVersion) =>
  buildTransaction.rearrange({
    wallet: world.wallet,
    memo: memoOf(world),
    blockhash: world.wallet,
    operations,
    version,
    unitPrice: world.unitPrice,
  });

/**
 * Checks that a transaction as the service builds it has the planned size and fee in both versions, and could
 * not be combined with the next one.
 */
const checkBuilt = (
  { operations, bytes, feeLamports }: PlannedTransaction,
  next: PlannedTransaction | undefined,
  world: PlanInputs,
): Uint8Array => {
  const [legacy, version0] = (['legacy', 0] as const).map((version) => buildWith(operations, world, version));
  const wire = encodeWire(legacy!);
  assert.equal(wire.length, bytes, 'size');
  assert.ok(encodeWire(version0!).length <= MAX_BYTES, 'size of version 0');
  assert.equal(legacy!.networkFeeLamports, feeLamports, 'fee');
  if (next !== undefined) {
    const joined = buildWith([...operations, ...next.operations], world, 0);
    assert.ok(encodeWire(joined).length > MAX_BYTES, 'two transactions that would fit into one');
  }
  return wire;
};

/** Checks that the verifier confirms that the first transaction does only what the goal needs. */
const checkRecognized = (
  operations: readonly MachineOperation[],
  goal: GoalName,
  world: PlanInputs,
): void => {
  const { wallet, voteAccount, accounts, chain } = world;
  const seen = recognizeTransaction(buildWith(operations, world, 'legacy'), {
    voteAccount,
    memo: memoOf(world),
    wallet,
    maxPriorityFeeLamports: world.unitPrice?.maxFeeLamports ?? 0n,
    allowed: goalRecord(goal).allowed,
    accounts: new Map(accounts.map((one) => [one.address, { state: assessStake(one, chain).state }])),
  });
  assert.deepEqual(seen.problems, []);
};

/** Formats a value as text for the report of a failure. */
export const shownJson = (value: unknown): string =>
  JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}` : one), 1);

/** Returns the planner's input: the whole current state. */
export const planWorldOf = (world: MachineWorld, memoBytes = MEMO.length): PlanInputs => {
  const { stakes, wallets } = world.accounts();
  const addresses: Address[] = [];
  return {
    wallet: world.keys.owner,
    walletLamports: wallets.get(world.keys.owner) ?? 0n,
    accounts: [...stakes.values()].filter(
      (one): one is StakeAccount => one.kind === 'initialized' || one.kind === 'delegated',
    ),
    chain: world.chain,
    voteAccount: world.keys.votes[0]!,
    newAddress: (index) => (addresses[index] ??= world.newAddress()),
    signatureFeeLamports: 5_000n,
    memoBytes,
  };
};

/**
 * Returns a random world with `accounts` stake accounts in various states. The share of other stake in the
 * cluster that is activating or deactivating varies and may be zero. The wallet's balance is sometimes very
 * low.
 */
export const drawnPlanWorld = (
  random: TruthRandom,
  accounts: number,
  prepared: ReturnType<typeof preparedTruth>,
  cluster?: TruthCluster,
): MachineWorld => {
  const world = new MachineWorld(prepared.runtime, prepared.keys, random, cluster);
  const [active, activating, deactivating] = random.pick([
    [0, 0, 0],
    [0.5, 0, 0],
    [0.9, 0, 0],
    [0, 0.5, 0],
    [0, 0, 0.5],
  ]) as [number, number, number];
  const oddities = { otherStaker: 0.05, locked: 0.1, dust: 0.25, isSteady: cluster?.isQuiet ?? false };
  for (let i = 0; i < accounts; i += 1) world.plant({ ...oddities, active, activating, deactivating });
  const wallet = random.pick([10n ** 12n, 10n ** 12n, 1_000_000n, 3_000_000n, 10_000_000n]);
  world.setWallet(prepared.keys.owner, wallet);
  return world;
};

/** Sends the plan's transactions with the wallet as the payer, and compares every account with the plan. */
export const runPlan = (
  plan: Plan,
  goal: GoalName,
  planWorld: PlanInputs,
  world: MachineWorld,
  story: () => string,
): void => {
  const { transactions } = plan;
  for (const [index, transaction] of transactions.entries()) {
    // The second transaction of a top-up is sent separately, so the chain compares the validators.
    const next = goal === 'top-up' ? undefined : transactions[index + 1];
    try {
      if (index === 0) checkRecognized(transaction.operations, goal, planWorld);
      const refusal = world.runtime.runWire(checkBuilt(transaction, next, planWorld));
      assert.equal(refusal, null, `transaction ${index}: ${JSON.stringify(refusal)}`);
    } catch (cause) {
      throw new Error(story(), { cause });
    }
  }
  const { stakes, wallets } = world.accounts();
  const inOrder = (accounts: Iterable<MachineAccount>) =>
    [...accounts].sort((one, other) => (one.address < other.address ? -1 : 1));
  assert.deepEqual(inOrder([...stakes.values()].filter(isHeld)), inOrder(plan.accountsAfter), story());
  assert.equal(wallets.get(world.keys.owner) ?? 0n, plan.wallet.afterLamports, story());
};

/** Returns the total stake that is not deactivating. */
export const stayingLamports = (accounts: Iterable<MachineAccount>): bigint =>
  [...accounts].reduce(
    (sum, one) =>
      one.kind === 'delegated' && isNotDeactivating(one) ? sum + one.delegation!.stakeLamports : sum,
    0n,
  );

/** Returns true if the account is initialized or delegated. */
export const isHeld = (account: MachineAccount): account is StakeAccount =>
  account.kind === 'initialized' || account.kind === 'delegated';
