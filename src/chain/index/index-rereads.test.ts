// An account that must be read again remains due until a node has responded from a recent enough slot, even
// if individual reads fail.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Address } from '@solana/kit';
import { positionAt } from '../../../test/support/chain-snapshots.ts';
import { patience } from '../../../test/support/patience.ts';
import { stakeAccountBytes } from '../../../test/support/stake-account-bytes.ts';
import { createManualClock } from '../../../test/support/steerable-clock.ts';
import { STAKE_PROGRAM } from '../../domain/instruction-programs.ts';
import { readAddressAt } from '../../domain/read-address-at.ts';
import { createLogger } from '../../kernel/log/logger.ts';
import type { AccountsAtSlot, ReadOptions } from '../ports.ts';
import { IndexRereads } from './index-rereads.ts';
import { IndexUpdates } from './index-updates.ts';

const numbered = (n: number): Address => {
  const bytes = new Uint8Array(32).fill(9);
  new DataView(bytes.buffer).setUint32(0, n);
  return readAddressAt(bytes, 0);
};
const [ONE, TWO, VOTE] = [numbered(1), numbered(2), numbered(1_000_000)];
const SLOT = 1_000_000n;
const data = stakeAccountBytes({ wallet: ONE, delegation: { voteAccount: VOTE, stakeLamports: 1n } });

interface Call {
  readonly addresses: readonly Address[];
  readonly minSlot: bigint | undefined;
}

/**
 * A node that returns every account as one of ours at the newest slot, unless the test overrides its
 * response.
 */
const open = (t: TestContext) => {
  const clock = createManualClock();
  const logger = createLogger('silent');
  const lifetime = new AbortController();
  t.after(() => lifetime.abort());
  const calls: Call[] = [];
  const state = { slot: SLOT, positions: 0 };
  const at = (slot: bigint, addresses: readonly Address[]): AccountsAtSlot => ({
    slot,
    accounts: addresses.map((address) => ({ address, owner: STAKE_PROGRAM, lamports: 5n, data })),
  });
  const node = {
    response: async ({ addresses }: Call): Promise<AccountsAtSlot> => at(state.slot, addresses),
  };
  const position = async () => {
    state.positions += 1;
    return positionAt(state.slot, clock.now());
  };
  const cluster = { epochPosition: position, recentEpochPosition: position };
  const updates = new IndexUpdates({ voteAccount: VOTE, cluster, clock, logger });
  const reads = {
    accounts: (addresses: readonly Address[], { minContextSlot, signal }: ReadOptions) => {
      signal.throwIfAborted();
      const call = { addresses, minSlot: minContextSlot };
      calls.push(call);
      return node.response(call);
    },
  };
  const rereads = new IndexRereads({ updates, reads, clock, logger, signal: lifetime.signal });
  const slotOf = (address: Address) => {
    const entry = updates.table.get(address);
    return entry === undefined ? null : BigInt(entry.slot);
  };
  return { rereads, updates, clock, lifetime, calls, state, node, at, slotOf };
};

test('many accounts are read once each, a hundred per call and four calls at a time', async (t) => {
  const { rereads, updates, calls, node, at } = open(t);
  const addresses = Array.from({ length: 650 }, (_, n) => numbered(n));
  const open4 = Promise.withResolvers<void>();
  let [underWay, most] = [0, 0];
  node.response = async ({ addresses: some }) => {
    underWay += 1;
    most = Math.max(most, underWay);
    if (underWay === 4) open4.resolve();
    await open4.promise;
    underWay -= 1;
    return at(SLOT, some);
  };
  await rereads.read(addresses, 0n, patience());
  assert.equal(most, 4);
  assert.deepEqual(
    calls.map(({ addresses: some }) => some.length).toSorted(),
    [100, 100, 100, 100, 100, 100, 50],
  );
  assert.equal(updates.table.totals.accounts, 650);
  assert.ok(calls.every(({ minSlot }) => minSlot === undefined));
  await rereads.read([], SLOT, patience());
  assert.equal(calls.length, 7);
});

test('an account stays due until a response is as recent as requested', async (t) => {
  const { rereads, calls, state, slotOf } = open(t);
  state.slot = SLOT - 1n;
  assert.equal(await rereads.touch([ONE], SLOT), true);
  assert.deepEqual([rereads.isDue([TWO, ONE]), rereads.isDue([TWO]), rereads.isQuiet], [true, false, false]);
  state.slot = SLOT;
  await rereads.retry();
  assert.deepEqual([rereads.isDue([ONE]), rereads.isQuiet, slotOf(ONE)], [false, true, SLOT]);
  assert.deepEqual(
    calls.map(({ minSlot }) => minSlot),
    [SLOT, SLOT],
  );
  await rereads.retry();
  assert.equal(calls.length, 2, 'nothing is due');
});

test('touch returns false and never throws if no node responds; the accounts are read once a node does', async (t) => {
  const { rereads, node, at, slotOf } = open(t);
  node.response = () => Promise.reject(new Error('away'));
  assert.equal(await rereads.touch([ONE, TWO], SLOT), false);
  assert.deepEqual([rereads.isDue([ONE]), rereads.isDue([TWO]), slotOf(ONE)], [true, true, null]);
  await assert.rejects(rereads.retry(), /away/);
  node.response = async ({ addresses }) => at(SLOT, addresses);
  await rereads.retry();
  assert.deepEqual([rereads.isQuiet, slotOf(ONE), slotOf(TWO)], [true, SLOT, SLOT]);
});

test('a touch at an impossible slot uses the newest known slot, and does not block reads forever', async (t) => {
  const { rereads, updates, calls, state } = open(t);
  await updates.freshPosition(patience());
  await rereads.read([TWO], 0n, patience());
  assert.equal(await rereads.touch([ONE], 2n ** 64n - 1n), true);
  assert.equal(state.positions, 2, 'the position is read again before a slot is considered impossible');
  assert.equal(calls.at(-1)?.minSlot, SLOT);
  assert.deepEqual([rereads.touchedSlot, rereads.isQuiet], [SLOT, true]);
  await rereads.touch([ONE], SLOT - 5n);
  assert.equal(rereads.touchedSlot, SLOT, 'an older touch does not lower the required slot');
});

test('a slot beyond the cached position is accepted if the cluster has really reached it', async (t) => {
  const { rereads, updates, state, slotOf } = open(t);
  await updates.freshPosition(patience());
  state.slot = SLOT + 100_000n;
  assert.equal(await rereads.touch([ONE], state.slot), true);
  assert.deepEqual([rereads.touchedSlot, slotOf(ONE)], [state.slot, state.slot]);
});

test('a response from a slot that does not exist yet is rejected', async (t) => {
  const { rereads, node, at, slotOf } = open(t);
  node.response = async ({ addresses }) => at(SLOT + 10_000n, addresses);
  await assert.rejects(rereads.read([ONE], SLOT, patience()), /does not exist yet/);
  assert.equal(slotOf(ONE), null);
});

test('concurrent requests are combined into one call, at the newest slot that any of them needs', async (t) => {
  const { rereads, updates, clock, calls, slotOf } = open(t);
  await updates.freshPosition(patience());
  rereads.request(ONE, SLOT - 9n);
  rereads.request(TWO, SLOT);
  rereads.request(ONE, SLOT - 3n);
  rereads.request(ONE, SLOT - 7n);
  await clock.sleeping();
  assert.equal(calls.length, 0);
  clock.advance(5);
  while (!rereads.isQuiet) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(calls, [{ addresses: [ONE, TWO], minSlot: SLOT }]);
  assert.deepEqual([slotOf(ONE), slotOf(TWO)], [SLOT, SLOT]);
  rereads.request(ONE, SLOT);
  await clock.sleeping();
  assert.deepEqual(clock.due(), [5], 'requests after the first batch must go into a second call');
});

test('waiting for an address waits only for touches of that address', async (t) => {
  const { rereads, node, at } = open(t);
  const held = Promise.withResolvers<void>();
  node.response = async ({ addresses }) => {
    if (addresses.includes(TWO)) await held.promise;
    return at(SLOT, addresses);
  };
  const touching = rereads.touch([TWO], SLOT);
  await rereads.settled(new Set([ONE]));
  let isSettled = false;
  const settled = rereads.settled(new Set([ONE, TWO])).then(() => {
    isSettled = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([isSettled, rereads.isQuiet], [false, false]);
  held.resolve();
  await settled;
  assert.equal(await touching, true);
  assert.equal(rereads.isQuiet, true);
});

test('close prevents further reads and error reports', async (t) => {
  const { rereads, clock, lifetime, calls } = open(t);
  rereads.request(ONE, SLOT);
  await clock.sleeping();
  lifetime.abort(new Error('closed'));
  rereads.request(TWO, SLOT);
  assert.equal(await rereads.touch([ONE], SLOT), false);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(calls.length, 0);
});
