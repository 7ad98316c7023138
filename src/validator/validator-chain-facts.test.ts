import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patience } from '../../test/support/patience.ts';
import { exampleKey } from '../../test/support/plan-context.ts';
import { createManualClock } from '../../test/support/steerable-clock.ts';
import type { VoteAccount } from '../chain/validator/validator-reads.ts';
import type { VoteState } from '../chain/validator/validator-vote-state.ts';
import { isAppError } from '../kernel/app-error.ts';
import { commissionPct, createChainFacts } from './validator-chain-facts.ts';
import type { DelegatorScan, ValidatorSources } from './validator-sources.ts';

const signal = patience();
const OWN = exampleKey(3);
/** A slot of epoch 20. */
const AT = { absoluteSlot: 20_300n, slotIndex: 300n };

const vote = (overrides: Partial<VoteAccount> = {}): VoteAccount => ({
  voteAccount: OWN,
  identity: exampleKey(4),
  activatedStakeLamports: 50n,
  delinquent: false,
  inEpoch: true,
  commissionPct: 7,
  lastVoteSlot: 100n,
  rootSlot: 69n,
  epochCredits: [{ epoch: 20n, credits: 600n, previousCredits: 100n }],
  ...overrides,
});

/** The chain's responses, which a test may change between two requests. */
const open = () => {
  const clock = createManualClock();
  const world = {
    epoch: 20n,
    /** First slot of the epoch in which the nodes count slots. */
    firstSlot: 20_000n,
    listed: vote() as VoteAccount | null,
    state: null as Partial<VoteState> | null,
    all: [] as VoteAccount[],
    longSlotMs: null as number | null,
    indexed: null as number | null,
    scan: async (): Promise<DelegatorScan> => ({ delegators: 5, references: [] }),
    asked: [] as string[],
    positionAges: [] as (number | undefined)[],
  };
  const note = <T>(name: string, value: T): Promise<T> => {
    world.asked.push(name);
    return Promise.resolve(value);
  };
  const sources = {
    clock,
    voteAccount: OWN,
    lifetime: new AbortController().signal,
    indexedDelegators: () => world.indexed,
    cluster: {
      recentEpochPosition: async (_signal: AbortSignal, mostMs?: number) => {
        world.positionAges.push(mostMs);
        return { epoch: world.epoch, slotsInEpoch: 1_000n, slotDurationMs: 400 };
      },
    },
    scan: (epoch: bigint) => {
      world.asked.push(`scan ${epoch}`);
      return world.scan();
    },
    chain: {
      voteAccount: () => note('own', world.listed),
      voteState: () => Promise.resolve(world.state),
      voteAccounts: () => note('peers', world.all),
      leaderRecord: (identity: string) =>
        note(`leader ${identity}`, { assigned: 8, passed: 4, produced: 4, firstSlot: world.firstSlot }),
      blocksProduced: () => note('blocks', { slots: 9n, blocks: 8n, firstSlot: world.firstSlot }),
      software: () => note('software', '3.0.0'),
      longSlotDurationMs: () => note('slots', world.longSlotMs),
    },
  } as unknown as ValidatorSources;
  return { clock, world, facts: createChainFacts(sources) };
};

for (const [what, state, listedPct, expected] of [
  ['the account’s bytes, to the basis point', { inflationCommissionBps: 725 }, 7, 7.25],
  ['a commission of zero in the bytes, which overrides the list', { inflationCommissionBps: 0 }, 7, 0],
  ['the list, if the layout of the account is unknown', null, 7, 7],
  ['a listed commission of zero', null, 0, 0],
  ['nobody', null, null, null],
] as const)
  test(`the commission comes from ${what}`, async () => {
    const { world, facts } = open();
    world.state = state;
    world.listed = vote({ commissionPct: listedPct });
    assert.equal(commissionPct(await facts.own(signal)), expected);
  });

test('a read is tagged with an epoch that any caller read in the last 20 s, without another call', async () => {
  const { world, facts } = open();
  await facts.own(signal);
  await facts.peers(signal);
  assert.deepEqual(world.positionAges, [20_000, 20_000]);
});

test("a vote account missing from the cluster's list is a failure, and is requested again immediately", async () => {
  const { world, facts } = open();
  world.listed = null;
  await assert.rejects(facts.own(signal), (error) => isAppError(error, 'UPSTREAM_UNAVAILABLE'));
  world.listed = vote();
  assert.equal((await facts.own(signal)).listed.activatedStakeLamports, 50n);
});

test('our rank is calculated from a single list, using our own entry if the list omits it', async () => {
  const { world, facts, clock } = open();
  const other = { voteAccount: exampleKey(8), activatedStakeLamports: 60n };
  world.all = [vote({ activatedStakeLamports: 70n }), vote(other)];
  assert.deepEqual((await facts.ranking(20n, signal)).stakeRank, { rank: 1, total: 2 });
  assert.deepEqual(world.asked, ['peers']);
  world.all = [vote(other)];
  clock.advance(45_000);
  assert.deepEqual((await facts.ranking(20n, signal)).stakeRank, { rank: 2, total: 2 });
  assert.equal((await facts.ranking(19n, signal)).creditRank, null, 'no credits in that epoch');
});

test('a list from before an epoch boundary yields no rank in the new epoch and is read again immediately', async () => {
  const { world, facts } = open();
  world.all = [vote()];
  assert.equal((await facts.ranking(20n, signal)).creditRank?.rank, 1);
  world.epoch = 21n;
  world.all = [vote({ epochCredits: [{ epoch: 21n, credits: 610n, previousCredits: 600n }] })];
  assert.equal((await facts.ranking(21n, signal)).creditRank?.rank, 1);
  await facts.ranking(21n, signal);
  assert.deepEqual(world.asked, ['peers', 'peers']);
});

test('our own entry is read once for all uses, until it is five seconds old', async () => {
  const { world, facts, clock } = open();
  await Promise.all([facts.own(signal), facts.leader(AT, signal), facts.software(signal)]);
  assert.deepEqual(world.asked.toSorted(), [`leader ${exampleKey(4)}`, 'own', 'software']);
  clock.advance(4_999);
  await facts.leader(AT, signal);
  assert.equal(world.asked.length, 3);
  clock.advance(1);
  await facts.leader(AT, signal);
  assert.deepEqual(world.asked.slice(3), ['own', `leader ${exampleKey(4)}`]);
});

test('a value read before an epoch boundary is read again once for the new epoch', async () => {
  const { world, facts } = open();
  const readAll = (epoch: bigint, at: typeof AT) =>
    Promise.all([facts.own(signal, epoch), facts.blocks(at, signal), facts.leader(at, signal)]);
  await readAll(20n, AT);
  const once = ['blocks', `leader ${exampleKey(4)}`, 'own'];
  await readAll(20n, AT);
  assert.deepEqual(world.asked.toSorted(), once);
  Object.assign(world, { epoch: 21n, firstSlot: 21_000n, asked: [] });
  for (let asks = 0; asks < 2; asks += 1) await readAll(21n, { absoluteSlot: 21_004n, slotIndex: 4n });
  assert.deepEqual(world.asked.toSorted(), once);
});

test('counts of an epoch other than the requested one are dropped and requested again', async () => {
  const { world, facts } = open();
  const next = { absoluteSlot: 21_004n, slotIndex: 4n };
  for (const asked of [() => facts.blocks(next, signal), () => facts.leader(next, signal)])
    await assert.rejects(asked, (error) => isAppError(error, 'UPSTREAM_UNAVAILABLE'));
  world.firstSlot = 21_000n;
  assert.equal((await facts.blocks(next, signal)).blocks, 8n);
  assert.equal((await facts.leader(next, signal)).passed, 4);
});

test('with an index, the number of delegators is known without a scan, even if there are none', async () => {
  const { world, facts } = open();
  for (const indexed of [7, 0]) {
    world.indexed = indexed;
    assert.equal(await facts.delegators(signal), indexed);
  }
  assert.deepEqual(world.asked, []);
  world.indexed = null;
  assert.equal(await facts.delegators(signal), 5);
});

test('a scan is valid for a hundred times its duration and at least a minute, but never across an epoch boundary', async () => {
  const { world, facts, clock } = open();
  await facts.delegatorScan(signal);
  clock.advance(59_999);
  await facts.delegatorScan(signal);
  assert.deepEqual(world.asked, ['scan 20']);
  world.scan = async () => {
    clock.advance(10_000);
    return { delegators: 6, references: [] };
  };
  clock.advance(1);
  await facts.delegatorScan(signal);
  clock.advance(989_999);
  assert.equal((await facts.delegatorScan(signal)).delegators, 6);
  assert.equal(world.asked.length, 2);
  world.epoch = 21n;
  await facts.delegatorScan(signal);
  assert.deepEqual(world.asked, ['scan 20', 'scan 20', 'scan 21']);
});

test('a scan that is running at an epoch boundary belongs to the previous epoch and is repeated once for all callers', async () => {
  const { world, facts } = open();
  const begun = Promise.withResolvers<DelegatorScan>();
  world.scan = () => begun.promise;
  const early = facts.delegatorScan(signal);
  while (world.asked.length === 0) await Promise.resolve();
  world.epoch = 21n;
  const late = [facts.delegatorScan(signal), facts.delegatorScan(signal)];
  world.scan = async () => ({ delegators: 7, references: [] });
  begun.resolve({ delegators: 6, references: [] });
  assert.equal((await early).delegators, 6, 'requested and begun in one epoch');
  assert.deepEqual(
    (await Promise.all(late)).map(({ delegators }) => delegators),
    [7, 7],
  );
  assert.equal((await facts.delegatorScan(signal)).delegators, 7);
  assert.deepEqual(world.asked, ['scan 20', 'scan 21']);
});

test('the abort of one caller does not end the scan for the others', async () => {
  const { world, facts } = open();
  const { promise, resolve } = Promise.withResolvers<DelegatorScan>();
  world.scan = () => promise;
  const gone = new Error('gone');
  const leaving = new AbortController();
  const [left, stayed] = [facts.delegatorScan(leaving.signal), facts.delegatorScan(signal)];
  leaving.abort(gone);
  await assert.rejects(left, (error) => error === gone);
  resolve({ delegators: 9, references: [] });
  assert.equal((await stayed).delegators, 9);
  assert.equal(world.asked.length, 1);
});

test('the epoch length is based on the slots of the last hours, or of the last minutes if those are missing', async () => {
  const recent = open();
  assert.equal(await recent.facts.secondsPerEpoch(signal), 400);
  const long = open();
  long.world.longSlotMs = 390;
  assert.equal(await long.facts.secondsPerEpoch(signal), 390);
});
