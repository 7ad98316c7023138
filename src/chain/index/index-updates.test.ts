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
  const news = new IndexUpdates({ voteAccount: VOTE, cluster, clock, logger });
  if (first !== null) await news.freshPosition(patience());
  const changes: StakeChange[] = [];
  news.onChange((change) => changes.push(change));
  const lamports = () => {
    const entry = news.table.get(STAKE);
    return entry?.live ? entry.lamports : null;
  };
  return { news, clock, state, changes, lines, lamports };
};

test('no slot is plausible before a position is known, and none beyond the fastest possible progress afterwards', async () => {
  const { news, lamports } = await open(null);
  assert.equal(news.notified(account(5n), 1), false);
  assert.equal(lamports(), null);

  const { news: later, clock } = await open();
  assert.deepEqual(
    [SLOT + 512, SLOT + 513, 2 ** 53].map((slot) => later.plausible(slot)),
    [true, false, false],
  );
  clock.advance(200);
  assert.deepEqual([later.plausible(SLOT + 513), later.plausible(SLOT + 514)], [true, false]);
  clock.advance(-3_600_000);
  assert.ok(later.plausible(SLOT + 512), 'setting the clock back makes no slot implausible');
});

test('a newer notification is applied; an older one with different contents requests a read of the account', async () => {
  const { news, lamports } = await open();
  assert.equal(news.notified(account(5n), SLOT), true);
  assert.equal(news.notified(account(5n), SLOT - 1), true, 'nothing new');
  assert.equal(news.notified(account(6n), SLOT), false, 'two states of one slot');
  assert.equal(news.notified(account(6n), SLOT - 1), false);
  assert.equal(news.notified(account(6n), SLOT + 513), false, 'an impossible slot');
  assert.deepEqual([lamports(), news.newestSlot], [5n, SLOT]);
  assert.equal(news.notified(account(6n), SLOT + 1), true);
  assert.deepEqual([lamports(), news.newestSlot], [6n, SLOT + 1]);
});

test('an account that left only returns with a newer update', async () => {
  const { news, lamports } = await open();
  news.read(STAKE, account(5n), SLOT, 0);
  news.read(STAKE, null, SLOT + 2, 0);
  assert.equal(news.notified(account(5n), SLOT + 1), false);
  assert.equal(news.notified(account(5n), SLOT + 2), false, 'as it was before it left');
  news.read(STAKE, account(5n), SLOT + 1, 0);
  assert.equal(lamports(), null);
  assert.equal(news.notified(account(5n), SLOT + 3), true);
  assert.equal(lamports(), 5n);
});

test('ignores accounts of other programs, sizes and validators, at any slot', async () => {
  const { news, lamports } = await open();
  const ours = account(5n);
  for (const foreign of [
    { ...ours, owner: VOTE },
    { ...ours, data: ours.data.subarray(0, 199) },
    { ...ours, data: new Uint8Array(201) },
    account(5n, OTHER_VOTE),
  ])
    assert.equal(news.notified(foreign, SLOT), true);
  assert.deepEqual([lamports(), news.newestSlot, [...news.table.entries()]], [null, 0, []]);
});

test('a change is emitted once with before and after, and the initial fill emits none', async () => {
  const { news, changes } = await open();
  news.read(STAKE, account(5n), SLOT, 0);
  assert.equal(changes.length, 0);
  news.emitting = true;
  news.read(STAKE, account(5n), SLOT + 1, 0);
  assert.equal(changes.length, 0, 'the same contents are no change');
  news.read(STAKE, account(6n), SLOT + 2, 0);
  news.read(STAKE, account(6n, OTHER_VOTE), SLOT + 3, 0);
  news.read(STAKE, null, SLOT + 4, 0);
  news.read(STAKE, account(7n), SLOT + 5, 0);
  news.read(STAKE, null, SLOT + 6, 0);
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
  const { news, changes, lines } = await open();
  news.emitting = true;
  news.onChange(() => {
    throw new Error('a listener of a test');
  });
  const stop = news.onChange(() => assert.fail('it left'));
  stop();
  let last = 0;
  news.onChange(() => {
    last += 1;
  });
  news.read(STAKE, account(5n), SLOT, 0);
  assert.deepEqual([changes.length, last, lines.length], [1, 1, 1]);
});

test('the first slot of a later epoch is reported, at most twice a second, until the position was read again', async () => {
  const { news, clock, state } = await open();
  const [last, first] = [863_999n, 864_000n];
  assert.equal(news.heardSlot(last), false);
  assert.equal(news.heardSlot(first), true);
  assert.equal(news.heardSlot(first), false);
  clock.advance(500);
  assert.equal(news.heardSlot(first + 1n), true);
  state.absoluteSlot = first;
  assert.equal((await news.positionNow(patience())).epoch, 2n);
  clock.advance(500);
  assert.equal(news.heardSlot(first + 1n), false);
});

test('a new epoch is reported immediately after the clock was set back', async () => {
  const { news, clock } = await open();
  assert.deepEqual(
    [news.heardSlot(863_999n), news.heardSlot(864_000n), news.heardSlot(864_001n)],
    [false, true, false],
  );
  clock.setBack(3_600_000);
  assert.deepEqual([news.heardSlot(864_002n), news.heardSlot(864_003n)], [true, false]);
});

test("a row's age counts from its last confirmation, and is unknown if the clock was set back since", async () => {
  const { news, clock } = await open();
  const age = (setBackMs: number): number => {
    news.read(STAKE, account(5n), SLOT, news.nowSeconds);
    clock.advance(-setBackMs);
    return news.ageMsOf(news.table.get(STAKE)!);
  };
  clock.advance(10_500);
  assert.equal(age(0), 500);
  assert.equal(age(-30_000), 30_500);
  assert.equal(age(20_000), Number.POSITIVE_INFINITY);
  assert.equal(age(3_600_000), Number.POSITIVE_INFINITY);
  assert.equal(age(0), 500, 'read again');
});
