import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import type { InstructionFields } from '../instruction-types.ts';
import { legsOf, stakeAccountsOf } from './transaction-legs.ts';

const [wallet, vote, one, two, child] = ['wallet', 'vote', 'one', 'two', 'child'] as Address[];
const stakeAuthority = wallet!;

const legs = (fields: readonly object[], before: readonly (readonly [Address, bigint])[] = []) =>
  legsOf(
    fields.map((data) => ({ data: data as InstructionFields })),
    new Map(before),
  ).map(({ type, stakeAccount, counterAccount, lamports }) => [type, stakeAccount, counterAccount, lamports]);

const create = (newAccount: Address, lamports: bigint) => ({
  type: 'system.createAccount',
  from: wallet,
  newAccount,
  lamports,
});
const between = (type: string, stakeAccount: Address, into: Address, lamports: bigint) => ({
  type,
  stakeAccount,
  into,
  stakeAuthority,
  lamports,
});
const merge = (stakeAccount: Address, from: Address) => ({
  type: 'stake.merge',
  stakeAccount,
  from,
  stakeAuthority,
});
const deactivate = (stakeAccount: Address) => ({ type: 'stake.deactivate', stakeAccount, stakeAuthority });
const delegate = (stakeAccount: Address) => ({
  type: 'stake.delegateStake',
  stakeAccount,
  voteAccount: vote,
  stakeAuthority,
});
const memo = { type: 'memo', text: 'example.org' };

test('exactly the instructions that affect stake accounts become legs, in order', () => {
  assert.deepEqual(
    legs([
      { type: 'computeBudget.setComputeUnitLimit', units: 9 },
      create(child!, 7n),
      between('stake.split', one!, child!, 30n),
      deactivate(child!),
      between('stake.moveStake', one!, two!, 4n),
      between('stake.moveLamports', two!, one!, 2n),
      { type: 'stake.withdraw', stakeAccount: two, recipient: wallet, lamports: 5n },
      { type: 'system.transfer', from: wallet, to: vote, lamports: 1n },
      memo,
    ]),
    [
      ['create', child, wallet, 7n],
      ['split', one, child, 30n],
      ['deactivate', child, null, 30n],
      ['moveStake', one, two, 4n],
      ['moveLamports', two, one, 2n],
      ['withdraw', two, wallet, 5n],
    ],
  );
});

test('a deactivation has the amount that was split off for it, unless the account changes again', () => {
  const split = between('stake.split', one!, child!, 30n);
  assert.equal(legs([split, deactivate(child!)])[1]?.[3], 30n);
  assert.equal(legs([split, deactivate(one!)])[1]?.[3], null);
  assert.equal(legs([split, between('stake.moveStake', two!, child!, 4n), deactivate(child!)])[2]?.[3], null);
});

test('a merge has the balance of the merged account at the time of the merge, if known', () => {
  assert.deepEqual(legs([merge(one!, two!)]), [['merge', one, two, null]]);
  assert.deepEqual(legs([merge(one!, two!)], [[two!, 50n]]), [['merge', one, two, 50n]]);
  // If the balance is unknown, an earlier deposit does not make it known. If it is known, the deposit is added.
  const deposit = between('stake.moveLamports', one!, two!, 4n);
  assert.equal(legs([deposit, merge(one!, two!)])[1]?.[3], null);
  assert.equal(legs([deposit, merge(one!, two!)], [[two!, 50n]])[1]?.[3], 54n);
  // The balance of an account created in the same transaction is known without a node.
  const initialize = { type: 'stake.initialize', stakeAccount: child };
  assert.deepEqual(legs([create(child!, 20n), initialize, merge(one!, child!)]), [
    ['create', child, wallet, 20n],
    ['merge', one, child, 20n],
  ]);
  // A later merge includes an earlier one, and an unknown part makes the sum unknown.
  const known = [
    [one!, 1n],
    [two!, 2n],
  ] as const;
  assert.equal(legs([merge(one!, two!), merge(child!, one!)], known)[1]?.[3], 3n);
  assert.equal(legs([merge(one!, two!), merge(child!, one!)], known.slice(0, 1))[1]?.[3], null);
});

test('a transfer to a stake account for an undo is a leg, and a donation is the only leg of its transaction', () => {
  const lent = { type: 'system.transfer', from: wallet, to: one, lamports: 3n };
  assert.deepEqual(legs([lent, delegate(one!)]), [
    ['transfer', one, wallet, 3n],
    ['delegate', one, vote, null],
  ]);
  assert.deepEqual(legs([{ ...lent, to: vote }, memo]), [['transfer', null, vote, 3n]]);
});

test('a leg of a split, merge or move names both stake accounts, and any other leg names its only stake account', () => {
  const all = legsOf(
    [merge(one!, two!), between('stake.split', one!, child!, 1n), delegate(one!)].map((data) => ({
      data: data as InstructionFields,
    })),
  );
  assert.deepEqual(stakeAccountsOf({ stakeAccountAddress: null, legs: all }), [one, two, child]);
});
