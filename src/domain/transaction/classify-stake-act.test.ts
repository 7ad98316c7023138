import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DecodedInstruction } from '../instruction-types.ts';
import { classifyStakeAct } from './classify-stake-act.ts';

const act = (...data: object[]) =>
  classifyStakeAct(data.map((one) => ({ data: one })) as unknown as DecodedInstruction<never>[]);
const create = (newAccount: string, lamports: bigint) => ({
  type: 'system.createAccount',
  newAccount,
  lamports,
});
const delegate = {
  type: 'stake.delegateStake',
  stakeAccount: 's',
  voteAccount: 'v',
  stakeAuthority: 'staker',
};

test('a new stake belongs to its withdraw authority, and a delegation of an existing account is a restake', () => {
  const initialize = { type: 'stake.initialize', stakeAccount: 's', withdrawer: 'owner' };
  assert.deepEqual(act(create('other', 9n), create('s', 5n), initialize, delegate), {
    type: 'stake',
    stakeAccount: 's',
    wallet: 'owner',
    voteAccount: 'v',
    lamports: 5n,
  });
  assert.deepEqual(act(delegate), {
    type: 'restake',
    stakeAccount: 's',
    wallet: 'staker',
    voteAccount: 'v',
    lamports: null,
  });
});

test('an unstake has no amount, several withdrawals are added up, and other transactions are not classified', () => {
  const unstake = { type: 'stake.deactivate', stakeAccount: 's', stakeAuthority: 'staker' };
  assert.deepEqual(act(unstake), {
    type: 'unstake',
    stakeAccount: 's',
    wallet: 'staker',
    voteAccount: null,
    lamports: null,
  });
  assert.equal(act(unstake, unstake)?.type, 'unstake');
  assert.equal(act(unstake, { ...unstake, stakeAccount: 't' })?.type, 'rearrange', 'of several accounts');
  const withdraw = { type: 'stake.withdraw', stakeAccount: 's', withdrawAuthority: 'owner', lamports: 3n };
  assert.equal(act(withdraw, { ...withdraw, stakeAccount: 't' })?.lamports, 6n);
  assert.equal(act(create('s', 1n), { type: 'other' }), null);
});

test('a change of an authority belongs to the address that signed it', () => {
  const authorize = { type: 'stake.authorize', stakeAccount: 's', authority: 'owner', role: 'withdrawer' };
  assert.deepEqual(act(authorize), {
    type: 'rearrange',
    stakeAccount: 's',
    wallet: 'owner',
    voteAccount: null,
    lamports: null,
  });
});

test('a single split, merge or move is a rearrangement, and together with an unstake it is an unstake', () => {
  const split = { type: 'stake.split', stakeAccount: 's', into: 't', stakeAuthority: 'staker', lamports: 3n };
  const rearranged = {
    type: 'rearrange',
    stakeAccount: 's',
    wallet: 'staker',
    voteAccount: null,
    lamports: null,
  };
  assert.deepEqual(act(split), rearranged);
  assert.deepEqual(
    act({ type: 'stake.merge', stakeAccount: 's', from: 't', stakeAuthority: 'staker' }),
    rearranged,
  );
  const unstake = { type: 'stake.deactivate', stakeAccount: 't', stakeAuthority: 'staker' };
  assert.equal(act(split, unstake)?.type, 'unstake');
});
