// Only the newest updates from plausible slots enter the table, and each change is emitted once, with the
// state before and after.
import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { positionAt } from '../../../test/support/chain-snapshots.ts';
import { patience } from '../../../test/support/patience.ts';
import { stakeAccountBytes } from '../../../test/support/stake-account-bytes.ts';
import { createManualClock } from '../../../test/support/steerable-clock.ts';
import { STAKE_PROGRAM } from '../../domain/instruction-programs.ts';
import { readAddressAt } from '../../domain/read-address-at.ts';
import { createLogger } from '../../kernel/log/logger.ts';
import type { ChainAccount, EpochPosition } from '../ports.ts';
import { IndexUpdates } from './index-updates.ts';
import type { StakeChange } from './stake-index.ts';

const numbered = (n: number): Address => readAddressAt(new Uint8Array(32).fill(n), 0);
const [STAKE, WALLET, VOTE, OTHER_VOTE] = [1, 2, 3, 4].map(numbered) as [Address, Address, Address, Address];
const SLOT = 432_010;

const account = (lamports: bigint, voteAccount = VOTE): ChainAccount => ({
  address: STAKE,
  owner: STAKE_PROGRAM,
  lamports,
  data: stakeAccountBytes({ wallet: WALLET, delegation: { voteAccount, stakeLamports: lamports } }),
});

const open = async (first: Partial<EpochPosition> | null = {}) => {
  const clock = createManualClock();
  const lines: string[] = [];
  const state = { absoluteSlot: BigInt(SLOT) };
  const position = async (): Promise<EpochPosition> => ({
    ...positionAt(state.absoluteSlot, clock.now()),
    ...first,
  });
  const cluster = { epochPosition: position, recentEpochPosition: position };
  const write = (line: Buffer, _encoding: string, done: () => void) => {
    lines.push(`${line}`);
    done();
  };
  const logger = createLogger('error', new Writable({ write }));
  const updates = new IndexUpdates({ voteAccount: VOTE, cluster, clock, logger });
  if (first !== null) await updates.freshPosition(patience());
  const changes: StakeChange[] = [];
  updates.onChange((change) => changes.push(change));
  const lamports = () => {
    const entry = updates.table.get(STAKE);
    return entry?.live ? entry.lamports : null;
  };
  return { updates, clock, state, changes, lines, lamports };
};

test('only slots that the fastest possible cluster could have reached are plausible', async () => {
  const { updates, lamports } = await open(null);
  assert.equal(updates.notified(account(5n), 1), false);
  assert.equal(lamports(), null);

  const { updates: later, clock } = await open();
  assert.deepEqual(
    [SLOT + 512, SLOT + 513, 2 ** 53].map((slot) => later.plausible(slot)),
    [true, false, false],
  );
  clock.advance(200);
  assert.deepEqual([later.plausible(SLOT + 513), later.plausible(SLOT + 514)], [true, false]);
  clock.advance(-3_600_000);
  assert.ok(later.plausible(SLOT + 512), 'setting the clock back does not make a slot implausible');
});

test('a newer notification is applied; an older one with different contents causes the account to be read', async () => {
  const { updates, lamports } = await open();
  assert.equal(updates.notified(account(5n), SLOT), true);
  assert.equal(updates.notified(account(5n), SLOT - 1), true, 'nothing new');
  assert.equal(updates.notified(account(6n), SLOT), false, 'two states of one slot');
  assert.equal(updates.notified(account(6n), SLOT - 1), false);
  assert.equal(updates.notified(account(6n), SLOT + 513), false, 'an impossible slot');
  assert.deepEqual([lamports(), updates.newestSlot], [5n, SLOT]);
  assert.equal(updates.notified(account(6n), SLOT + 1), true);
  assert.deepEqual([lamports(), updates.newestSlot], [6n, SLOT + 1]);
});

test('an account that left returns only with a newer update', async () => {
  const { updates, lamports } = await open();
  updates.read(STAKE, account(5n), SLOT, 0);
  updates.read(STAKE, null, SLOT + 2, 0);
  assert.equal(updates.notified(account(5n), SLOT + 1), false);
  assert.equal(updates.notified(account(5n), SLOT + 2), false, 'as it was before it left');
  updates.read(STAKE, account(5n), SLOT + 1, 0);
  assert.equal(lamports(), null);
  assert.equal(updates.notified(account(5n), SLOT + 3), true);
  assert.equal(lamports(), 5n);
});

test('accounts of other programs, sizes and validators are ignored, whatever the slot', async () => {
  const { updates, lamports } = await open();
  const ours = account(5n);
  for (const foreign of [
    { ...ours, owner: VOTE },
    { ...ours, data: ours.data.subarray(0, 199) },
    { ...ours, data: new Uint8Array(201) },
    account(5n, OTHER_VOTE),
  ])
    assert.equal(updates.notified(foreign, SLOT), true);
  assert.deepEqual([lamports(), updates.newestSlot, [...updates.table.entries()]], [null, 0, []]);
});

test('a change is emitted once, with the state before and after; the initial fill emits no changes', async () => {
  const { updates, changes } = await open();
  updates.read(STAKE, account(5n), SLOT, 0);
  assert.equal(changes.length, 0);
  updates.emitting = true;
  updates.read(STAKE, account(5n), SLOT + 1, 0);
  assert.equal(changes.length, 0, 'identical contents do not count as a change');
  updates.read(STAKE, account(6n), SLOT + 2, 0);
  updates.read(STAKE, account(6n, OTHER_VOTE), SLOT + 3, 0);
  updates.read(STAKE, null, SLOT + 4, 0);
  updates.read(STAKE, account(7n), SLOT + 5, 0);
  updates.read(STAKE, null, SLOT + 6, 0);
  const short = changes.map(({ kind, slot, before, after }) => [
    kind,
    Number(slot) - SLOT,
    before?.lamports ?? null,
    after?.delegation?.voteAccount ?? null,
  ]);
  assert.deepEqual(short, [
    ['changed', 2, 5n, VOTE],
    ['left', 3, 6n, OTHER_VOTE],
    ['added', 5, null, VOTE],
    ['left', 6, 7n, null],
  ]);
});

test('a listener that throws is logged and does not affect the next; a removed listener is not called', async () => {
  const { updates, changes, lines } = await open();
  updates.emitting = true;
  updates.onChange(() => {
    throw new Error('a listener of a test');
  });
  const stop = updates.onChange(() => assert.fail('a removed listener was called'));
  stop();
  let last = 0;
  updates.onChange(() => {
    last += 1;
  });
  updates.read(STAKE, account(5n), SLOT, 0);
  assert.deepEqual([changes.length, last, lines.length], [1, 1, 1]);
});

test('the first slot of a later epoch is reported, at most twice a second, until the position is read again', async () => {
  const { updates, clock, state } = await open();
  const [last, first] = [863_999n, 864_000n];
  assert.equal(updates.heardSlot(last), false);
  assert.equal(updates.heardSlot(first), true);
  assert.equal(updates.heardSlot(first), false);
  clock.advance(500);
  assert.equal(updates.heardSlot(first + 1n), true);
  state.absoluteSlot = first;
  assert.equal((await updates.positionNow(2_000, patience())).epoch, 2n);
  clock.advance(500);
  assert.equal(updates.heardSlot(first + 1n), false);
});

test('a new epoch is reported immediately after the clock was set back', async () => {
  const { updates, clock } = await open();
  assert.deepEqual(
    [updates.heardSlot(863_999n), updates.heardSlot(864_000n), updates.heardSlot(864_001n)],
    [false, true, false],
  );
  clock.setBack(3_600_000);
  assert.deepEqual([updates.heardSlot(864_002n), updates.heardSlot(864_003n)], [true, false]);
});

test("a row's age counts from its last read, and is infinite if the clock was set back since then", async () => {
  const { updates, clock } = await open();
  const age = (setBackMs: number): number => {
    updates.read(STAKE, account(5n), SLOT, updates.nowSeconds);
    clock.advance(-setBackMs);
    return updates.ageMsOf(updates.table.get(STAKE)!);
  };
  clock.advance(10_500);
  assert.equal(age(0), 500);
  assert.equal(age(-30_000), 30_500);
  assert.equal(age(20_000), Number.POSITIVE_INFINITY);
  assert.equal(age(3_600_000), Number.POSITIVE_INFINITY);
  assert.equal(age(0), 500, 'read again');
});
