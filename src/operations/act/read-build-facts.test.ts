import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { snapshotOf } from '../../../test/support/chain-snapshots.ts';
import { AppError } from '../../kernel/app-error.ts';
import type { Context } from '../context.ts';
import { BOUNDARY_WARNING_SLOTS, boundaryNotices, readBuildFacts } from './read-build-facts.ts';

const WALLET = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2' as Address;

test('builders warn within the last 150 slots before the epoch boundary and not earlier', () => {
  const at = (slotsRemaining: bigint) =>
    boundaryNotices({ slotsInEpoch: 432_000n, slotIndex: 432_000n - slotsRemaining } as never).length;
  assert.deepEqual([BOUNDARY_WARNING_SLOTS + 1n, BOUNDARY_WARNING_SLOTS, 1n].map(at), [0, 1, 1]);
});

const unavailable = new AppError('UPSTREAM_UNAVAILABLE', 'away');

/** Creates a context in which one read fails. With `accounts`, only reads of accounts fail. */
const contextWithout = (failing: 'accounts' | 'limits' | 'snapshot' | 'blockhash' | 'nothing') => {
  const asked: number[] = [];
  const response = (name: string, value: unknown) => async () => {
    if (name === failing) throw unavailable;
    return value;
  };
  const readChainSnapshot = async (addresses: readonly Address[]) => {
    asked.push(addresses.length);
    if (failing === 'snapshot' || (failing === 'accounts' && addresses.length > 0)) throw unavailable;
    return snapshotOf(
      {},
      addresses.map(() => null),
    );
  };
  const cluster = { limits: response('limits', {}), blockhash: response('blockhash', {}), readChainSnapshot };
  return {
    ctx: {
      chain: { cluster },
    } as unknown as Context,
    asked,
  };
};

const readFacts = ({ ctx }: ReturnType<typeof contextWithout>, accountsOptional: boolean) =>
  readBuildFacts(ctx, [WALLET], new AbortController().signal, { accountsOptional, hasUniqueBytes: true });

test('accounts and epoch position are read in one snapshot', async () => {
  const world = contextWithout('nothing');
  assert.deepEqual((await readFacts(world, true)).accounts, [null]);
  assert.deepEqual(world.asked, [1]);
});

test('unreadable accounts are null for builders that do not need them, and an error for all others', async () => {
  const world = contextWithout('accounts');
  assert.equal((await readFacts(world, true)).accounts, null);
  assert.deepEqual(world.asked, [1, 0]);
  await assert.rejects(readFacts(contextWithout('accounts'), false), unavailable);
});

test('no transaction is built without a blockhash, the limits and a snapshot of the chain', async () => {
  for (const missing of ['limits', 'snapshot', 'blockhash'] as const)
    await assert.rejects(readFacts(contextWithout(missing), true), unavailable, missing);
});
