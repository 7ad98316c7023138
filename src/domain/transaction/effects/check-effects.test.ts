// Hidden effects of a plan are counted, such as merged or moved stake, rent, parts that stay deactivating,
// and deactivations from other epochs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { messageOf, nodeFactsOf, requestOfGoal } from '../../../../test/support/effects-of-plans.ts';
import {
  chainFacts,
  delegatedStake,
  initializedStake,
  OWNER,
  RENT,
  SOL,
  VOTE_ACCOUNT,
} from '../../../../test/support/stake-account-examples.ts';
import type { MachineOperation } from '../../machine/stake-machine-state.ts';
import type { PlanInputs } from '../../plan/plan.ts';
import type { PlanGoal } from '../../plan/plan-for-goal.ts';
import { readAddressAt } from '../../read-address-at.ts';
import type { StakeAccount } from '../../stake/stake-account.ts';
import { checkEffects, type EffectsCheck } from './check-effects.ts';

const at = (tag: number): Address => readAddressAt(new Uint8Array(32).fill(tag), 0);
const [account, child, other] = [at(1), at(2), at(3)];
const authority = OWNER;

/**
 * Checks all operations in one transaction, after a transaction with the `earlier` operations if given. Uses
 * either the accounts from a node or the bytes alone.
 */
const check = (
  goal: PlanGoal,
  operations: readonly MachineOperation[],
  accounts: readonly StakeAccount[] | null = null,
  earlier: readonly MachineOperation[] = [],
): EffectsCheck => {
  const world = {
    wallet: OWNER,
    voteAccount: VOTE_ACCOUNT,
    walletLamports: SOL,
    accounts: accounts ?? [],
    chain: {
      ...chainFacts(),
      minimumDelegationLamports: SOL,
      voteCredits: new Map([[VOTE_ACCOUNT, 7n]]),
    },
  } as unknown as PlanInputs;
  const facts = accounts === null ? null : nodeFactsOf(world);
  const transactions = earlier.length === 0 ? [operations] : [earlier, operations];
  return checkEffects(
    requestOfGoal(goal, world),
    transactions.map((one) => messageOf(one, world)),
    facts,
  );
};

const checksOf = ({ problems }: EffectsCheck): readonly string[] => problems.map((one) => one.check);

const unstake = (sol: bigint): PlanGoal => ({ goal: 'unstake', lamports: sol * SOL, rounding: 'exact' });
const splitOff = (sol: bigint, rent = RENT): readonly MachineOperation[] => [
  { type: 'create', account: child, payer: OWNER, lamports: rent },
  { type: 'split', account, into: child, lamports: sol * SOL, authority },
];
const deactivate = (one: Address): MachineOperation => ({ type: 'deactivate', account: one, authority });
const withdraw = (one: Address, lamports: bigint): MachineOperation => ({
  type: 'withdraw',
  account: one,
  to: OWNER,
  lamports,
  authority,
});

test('a rent above what the accounts need is refused', () => {
  const operations = (rent: bigint) => [...splitOff(2n, rent), deactivate(child)];
  assert.deepEqual(checksOf(check(unstake(2n), operations(RENT))), []);
  assert.deepEqual(checksOf(check(unstake(2n), operations(12_000_001n))), ['create-account']);
});

test('the rent of a split-off part is at risk unless the bytes prove that the wallet owns the source account', () => {
  const divided = [...splitOff(2n), deactivate(child)];
  assert.equal(check(unstake(2n), divided).effects.atRiskLamports, RENT);
  assert.equal(check(unstake(2n), [...divided, withdraw(account, 1n)]).effects.atRiskLamports, 0n);
});

test("an operation that the Stake program would refuse on the node's accounts is refused, even in a later transaction", () => {
  const stakes = [delegatedStake({ address: account }), initializedStake({ address: other, lamports: SOL })];
  const refused = [withdraw(account, 5n * SOL)];
  const goal = { goal: 'withdraw-all' } as const;
  assert.deepEqual(checksOf(check(goal, refused, stakes)), ['kind']);
  assert.deepEqual(checksOf(check(goal, refused, stakes, [withdraw(other, SOL)])), ['kind']);
});

test('a goal that does not unstake allows no deactivation', () => {
  const active = [delegatedStake({ address: account })];
  assert.deepEqual(checksOf(check({ goal: 'tidy' }, [deactivate(account)], active)), ['stake-account']);
});

test('stake that is moved from a split-off part to another account does not count as deactivated with the part', () => {
  const moved = { type: 'moveStake', account: child, into: other, lamports: 2n * SOL, authority } as const;
  const checked = check(unstake(1n), [...splitOff(3n), moved, deactivate(child)]);
  assert.deepEqual([checksOf(checked), checked.effects.deactivatedLamports], [[], SOL]);
});

test('the amount of a part is unknown once a second stake is merged into it', () => {
  const merged = { type: 'merge', account: child, from: other, authority } as const;
  const { effects, unknowns } = check(unstake(1n), [...splitOff(1n), merged, deactivate(child)]);
  assert.equal(effects.deactivatedLamports, null);
  assert.ok(unknowns.some(({ fact }) => fact === 'deactivated-amount'));
});

test('the rest of a part that is only partly withdrawn stays deactivating and is counted', () => {
  const goal = { goal: 'withdraw-amount', lamports: 3n * SOL, rounding: 'exact' } as const;
  const operations = [...splitOff(5n), deactivate(child), withdraw(child, 3n * SOL)];
  assert.deepEqual(checksOf(check(goal, operations)), ['lamports']);
  const whole = [...splitOff(3n), deactivate(child), withdraw(child, 3n * SOL)];
  assert.deepEqual(checksOf(check(goal, whole)), []);
});

test('idle SOL withdrawn from a stake does not reduce the deactivated amount', () => {
  const held = delegatedStake({
    address: account,
    lamports: 8n * SOL + RENT,
    delegation: { stakeLamports: 5n * SOL, activationEpoch: 2n },
  });
  const amount = (sol: bigint): PlanGoal => ({
    goal: 'withdraw-amount',
    lamports: sol * SOL,
    rounding: 'exact',
  });
  const operations = [withdraw(account, 3n * SOL), deactivate(account)];
  assert.deepEqual(checksOf(check(amount(8n), operations, [held])), []);
  assert.deepEqual(checksOf(check(amount(5n), operations.toReversed(), [held])), ['lamports']);
});

test('an undo may delegate stake deactivated in this epoch, but not inactive stake', () => {
  const { epoch } = chainFacts();
  const again: MachineOperation = { type: 'delegate', account, voteAccount: VOTE_ACCOUNT, authority };
  const deactivated = (deactivationEpoch: bigint): StakeAccount =>
    delegatedStake({ address: account, delegation: { activationEpoch: 2n, deactivationEpoch } });
  const undo = { goal: 'undo' } as const;
  assert.deepEqual(checksOf(check(undo, [again], [deactivated(epoch)])), []);
  assert.deepEqual(checksOf(check(undo, [again], [deactivated(3n)])), ['stake-account']);
});
