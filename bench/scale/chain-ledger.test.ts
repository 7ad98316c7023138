// Checks that a soak's ledger reports every discrepancy between acknowledged requests, the chain and the
// delivered events.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChainRecord, compareActs, DeliveredEvents, expectedFacts } from './chain-ledger.ts';
import type { Act } from './mixed-load.ts';

const act = (kind: Act['kind'], detail: string, given: Partial<Act> = {}): Act => ({
  kind,
  walletAddress: 'wallet',
  path: '',
  body: {},
  key: detail,
  stakeAccountAddress: 'account',
  attempts: 1,
  outcome: 'acknowledged',
  detail,
  ...given,
});
const acts = [act('stake', 's1'), act('unstake', 's2'), act('withdraw', 's3')];
const record = (): ChainRecord & { changes: ChainRecord['changes'][number][] } => ({
  changes: (['create', 'deactivate', 'withdraw'] as const).map((kind, at) => ({
    walletAddress: 'wallet',
    signature: `s${at + 1}`,
    kind,
    account: 'account',
  })),
  lives: new Map([
    [
      'account',
      { walletAddress: 'wallet', lamports: 5, delegatedIn: 800, deactivatedIn: 801, withdrawnIn: 802 },
    ],
  ]),
  existing: new Map(),
});

test('the chain ledger reports no problem for requests that are on the chain exactly once', () => {
  assert.deepEqual(compareActs(acts, record()), []);
});

test('the chain ledger reports requests that were lost, never acknowledged, never settled, or mixed up', () => {
  const lost = record();
  lost.changes.splice(1, 1);
  assert.match(
    compareActs(acts, lost).join(),
    /unstake of wallet with key s2 was acknowledged as s2; the chain has \[\]/,
  );
  const twice = record();
  twice.changes.push({ ...twice.changes[0]!, signature: 's9', account: 'second' });
  assert.deepEqual(compareActs(acts, twice), [
    'create of second as s9 was not acknowledged; refused requests of the wallet: none',
  ]);
  assert.match(
    compareActs([...acts, act('stake', 's4', { outcome: 'open' })], record()).join(),
    /never settled/,
  );
  const refused = [acts[0]!, acts[1]!, act('withdraw', '400', { outcome: 'refused' })];
  assert.match(
    compareActs(refused, record()).join(),
    /^withdraw of account as s3 was not acknowledged; refused requests of the wallet: withdraw with key \S+: 400$/,
  );
  assert.match(compareActs([...acts, act('stake', 's1')], record()).join(), /signature of another request/);
});

test('the chain ledger reports accounts that vanished, lost lamports, still exist after their withdrawal or have no transaction', () => {
  const life = {
    walletAddress: 'wallet',
    lamports: 5,
    delegatedIn: 800,
    deactivatedIn: null,
    withdrawnIn: null,
  };
  const changes = record().changes.slice(0, 1);
  const of = (existing: ChainRecord['existing'], withdrawnIn: number | null = null): string =>
    compareActs([acts[0]!], {
      changes,
      lives: new Map([['account', { ...life, withdrawnIn }]]),
      existing,
    }).join();
  assert.equal(of(new Map([['account', 5]])), '');
  assert.match(of(new Map()), /now has none/);
  assert.match(of(new Map([['account', 4]])), /now has 4/);
  assert.match(of(new Map([['account', 5]]), 802), /still exists/);
  assert.match(
    of(
      new Map([
        ['account', 5],
        ['other', 1],
      ]),
    ),
    /other exists without a transaction/,
  );
});

test('the chain ledger finds events delivered under two ids and ids delivered with different contents, and counts repeated deliveries', () => {
  const events = new DeliveredEvents();
  const body = (id: string, epoch: number): string =>
    JSON.stringify({ id, type: 'epoch_complete', data: { epoch } });
  for (const [id, epoch] of [
    ['a', 1],
    ['a', 1],
    ['b', 2],
    ['c', 2],
  ] as const)
    events.note('/0', body(id, epoch));
  assert.equal(events.repeated, 1);
  assert.deepEqual(
    [...events.ids].map(([fact, ids]) => [fact, ids.size]),
    [
      ['/0 epoch_complete 1', 1],
      ['/0 epoch_complete 2', 2],
    ],
  );
  events.note('/0', body('a', 3));
  assert.deepEqual(events.problems, ['a arrived with different contents']);
});

test('the expected events are those of the wallet up to the current epoch', () => {
  const paths = new Map([
    ['/0', 'wallet'],
    ['/1', 'other'],
  ]);
  const young = {
    walletAddress: 'wallet',
    lamports: 5,
    delegatedIn: 802,
    deactivatedIn: null,
    withdrawnIn: null,
  };
  const lives = new Map([...record().lives, ['young', young] as const]);
  const facts = expectedFacts(paths, lives, { firstEpoch: 800, epoch: 802 });
  assert.deepEqual([...facts].toSorted(), [
    '/0 epoch_complete 800',
    '/0 epoch_complete 801',
    '/0 stake_activated account',
    '/0 stake_deactivated account',
    '/0 withdraw_ready account',
    '/1 epoch_complete 800',
    '/1 epoch_complete 801',
  ]);
});
