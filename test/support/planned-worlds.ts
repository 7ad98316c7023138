// Worlds of stake accounts for plans, and the runner: a plan's transactions, as the service builds them, on the real Stake program.
import assert from 'node:assert/strict';
import type { Address } from '@solana/kit';
import { buildTransaction, encodeWire, instructionOf } from '../../src/chain/transactions/transaction.ts';
import type { MachineAccount } from '../../src/domain/machine/stake-machine-state.ts';
import type { Plan, PlannedTransaction, PlanWorld } from '../../src/domain/plan/plan.ts';
import { isStaying } from '../../src/domain/plan/plan-accounts.ts';
import { type GoalName, goalRecord } from '../../src/domain/plan/plan-goals.ts';
import type { StakeAccount } from '../../src/domain/stake/stake-account.ts';
import { assessStake } from '../../src/domain/stake/stake-state.ts';
import { recogniseTransaction } from '../../src/domain/transaction/stake-verifier.ts';
import { MachineWorld } from './machine-world.ts';
import type { preparedTruth } from './truth-prepared.ts';
import type { TruthRandom } from './truth-random.ts';
import type { TruthCluster } from './truth-world.ts';

/** Version 0 has a byte for itself and one for its lookup tables. */
const VERSION_0_BYTES = 2;
const MEMO = 'example.org';

/** The transaction as the service builds it has the planned size, and the verifier finds that it does nothing but what the goal needs. */
const checkBytes = (
  { operations, bytes }: PlannedTransaction,
  goal: GoalName,
  { wallet, voteAccount, accounts, chain }: PlanWorld,
  story: () => string,
): void => {
  const built = buildTransaction.rearrange({ wallet, memo: MEMO, blockhash: wallet, operations });
  assert.equal(encodeWire(built).length, bytes, story());
  assert.ok(bytes + VERSION_0_BYTES <= 1_232, story());
  const seen = recogniseTransaction(built, {
    ...{ voteAccount, memo: MEMO, wallet, maxPriorityFeeLamports: 0n, allowed: goalRecord(goal).allowed },
    accounts: new Map(accounts.map((one) => [one.address, { state: assessStake(one, chain).state }])),
  });
  assert.deepEqual(seen.problems, [], story());
};

/** For the story of a failure. */
export const shownJson = (value: unknown): string =>
  JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}` : one), 1);

/** What the planner is asked about: everything there is now. */
export const planWorldOf = (world: MachineWorld): PlanWorld => {
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
    priorityFeeLamports: 0n,
    memoBytes: MEMO.length,
  };
};

/** `accounts` accounts in all states, in a cluster where much, little or nothing else moves; at times the wallet is poor. */
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

/** Sends the plan's transactions, the wallet paying, and compares every account with what was planned. */
export const runPlan = (
  plan: Plan,
  goal: GoalName,
  planWorld: PlanWorld,
  world: MachineWorld,
  story: () => string,
): void => {
  for (const [index, transaction] of plan.transactions.entries()) {
    const { operations } = transaction;
    if (index === 0) checkBytes(transaction, goal, planWorld, story);
    const refusal = world.runtime.run(operations.map(instructionOf), world.keys.owner);
    assert.equal(refusal, null, `transaction ${index}: ${JSON.stringify(refusal)}\n${story()}`);
  }
  const { stakes, wallets } = world.accounts();
  const inOrder = (accounts: Iterable<MachineAccount>) =>
    [...accounts].sort((one, other) => (one.address < other.address ? -1 : 1));
  assert.deepEqual(inOrder([...stakes.values()].filter(isHeld)), inOrder(plan.accountsAfter), story());
  assert.equal(wallets.get(world.keys.owner) ?? 0n, plan.wallet.afterLamports, story());
};

/** All stake that no deactivation is set for. */
export const stayingLamports = (accounts: Iterable<MachineAccount>): bigint =>
  [...accounts].reduce(
    (sum, one) => (one.kind === 'delegated' && isStaying(one) ? sum + one.delegation!.stakeLamports : sum),
    0n,
  );

/** Initialized or delegated. */
export const isHeld = (account: MachineAccount): account is StakeAccount =>
  account.kind === 'initialized' || account.kind === 'delegated';

/** Both authorities are the wallet of the world. */
export const isHeldBy = (account: MachineAccount, { wallet }: PlanWorld): account is StakeAccount =>
  isHeld(account) && account.stakeAuthority === wallet && account.withdrawAuthority === wallet;
