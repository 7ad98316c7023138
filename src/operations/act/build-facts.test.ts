import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { AppError } from '../../kernel/app-error.ts';
import type { Context } from '../context.ts';
import { BOUNDARY_WARNING_SLOTS, boundaryWarnings, readBuildFacts } from './build-facts.ts';

const WALLET = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2' as Address;

test('builders warn within 150 slots before the boundary and not earlier', () => {
  const at = (slotsRemaining: bigint) =>
    boundaryWarnings({ slotsInEpoch: 432_000n, slotIndex: 432_000n - slotsRemaining } as never).length;
  assert.deepEqual([BOUNDARY_WARNING_SLOTS + 1n, BOUNDARY_WARNING_SLOTS, 1n].map(at), [0, 1, 1]);
});

const unavailable = new AppError('UPSTREAM_UNAVAILABLE', 'away');

const contextWithout = (
  failing: 'accounts' | 'limits' | 'epochPosition' | 'blockhash' | 'nothing',
): Context => {
  const answer = (name: string, value: unknown) => async () => {
    if (name === failing) throw unavailable;
    return value;
  };
  return {
    reads: { accounts: answer('accounts', { slot: 1n, accounts: [null] }) },
    cluster: {
      limits: answer('limits', {}),
      epochPosition: answer('epochPosition', {}),
      recentEpochPosition: answer('epochPosition', {}),
      blockhash: answer('blockhash', {}),
    },
  } as unknown as Context;
};

const readFacts = (failing: Parameters<typeof contextWithout>[0], accountsOptional: boolean) =>
  readBuildFacts(contextWithout(failing), [WALLET], new AbortController().signal, { accountsOptional });

test('accounts that cannot be read are null where a builder can do without them, and an error elsewhere', async () => {
  assert.deepEqual((await readFacts('nothing', false)).accounts, [null]);
  assert.equal((await readFacts('accounts', true)).accounts, null);
  await assert.rejects(readFacts('accounts', false), unavailable);
});

test('nothing is built without blockhash, limits and epoch', async () => {
  for (const missing of ['limits', 'epochPosition', 'blockhash'] as const)
    await assert.rejects(readFacts(missing, true), unavailable, missing);
});
