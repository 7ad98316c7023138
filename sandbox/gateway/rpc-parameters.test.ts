// Checks that the sandbox refuses the same requests as an Agave node, with the codes and messages in Agave
// 4.1.2's source.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RuntimeRpcError } from '../runtime-client.ts';
import { checkParameters } from './rpc-parameters.ts';

const ADDRESS = 'Stake11111111111111111111111111111111111111';
const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
const SLOT = 1_000;

const refusal = (method: string, ...params: readonly unknown[]): readonly unknown[] | null => {
  try {
    checkParameters(method, params, { slot: SLOT, finalizedSlot: SLOT - 1 });
    return null;
  } catch (error) {
    assert.ok(error instanceof RuntimeRpcError);
    return [error.code, error.message];
  }
};

test('limits, addresses and signatures are checked method by method', () => {
  const confirmed = { commitment: 'confirmed' };
  assert.deepEqual(refusal('getMultipleAccounts', Array(101).fill(ADDRESS)), [
    -32_602,
    'Too many inputs provided; max 100',
  ]);
  assert.equal(refusal('getMultipleAccounts', Array(100).fill(ADDRESS)), null);
  assert.deepEqual(refusal('getSignatureStatuses', Array(257).fill(SIGNATURE)), [
    -32_602,
    'Too many inputs provided; max 256',
  ]);
  const filters = Array(5).fill({ dataSize: 200 });
  assert.deepEqual(refusal('getProgramAccounts', ADDRESS, { filters }), [
    -32_602,
    'Too many filters provided; max 4',
  ]);
  assert.deepEqual(refusal('getRecentPerformanceSamples', 721), [-32_602, 'Invalid limit; max 720']);
  for (const limit of [0, 1_001]) {
    assert.deepEqual(refusal('getSignaturesForAddress', ADDRESS, { ...confirmed, limit }), [
      -32_602,
      'Invalid limit; max 1000',
    ]);
  }
  for (const [method, ...params] of [
    ['getMultipleAccounts', ['nobody']],
    ['getSignaturesForAddress', 'nobody'],
    ['getVoteAccounts', { votePubkey: 'nobody' }],
    ['getBlockProduction', { identity: 'nobody' }],
    ['getLeaderSchedule', 5, { identity: 'nobody' }],
    ['getInflationReward', ['nobody']],
    ['getSignatureStatuses', ['nobody']],
    ['getTransaction', 'nobody'],
  ] as [string, ...unknown[]][]) {
    assert.deepEqual(refusal(method, ...params), [-32_602, 'Invalid param: WrongSize'], method);
  }
  assert.deepEqual(refusal('getTransaction', 'l0l'), [-32_602, 'Invalid param: Invalid']);
});

test('a minContextSlot that the bank has not reached is refused, and the finalized bank is behind the confirmed bank', () => {
  const late = [-32_016, 'Minimum context slot has not been reached'];
  const at = (commitment: string | undefined, minContextSlot: number) =>
    refusal('getMultipleAccounts', [ADDRESS], { ...(commitment ? { commitment } : {}), minContextSlot });
  assert.equal(at('confirmed', SLOT), null);
  assert.deepEqual(at('confirmed', SLOT + 1), late);
  assert.equal(at('finalized', SLOT - 1), null);
  assert.deepEqual(at('finalized', SLOT), late);
  assert.deepEqual(at(undefined, SLOT), late, 'finalized is the default');
  assert.deepEqual(
    refusal('getLatestBlockhash', { commitment: 'confirmed', minContextSlot: SLOT + 1 }),
    late,
  );
  assert.equal(refusal('getBlockTime', SLOT + 1), null);
});
