// Which alerts the operator gets: each once, none for a moment's lag, and again only where it grew worse.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AlertState, emptyAlertState, judgeLook, type Seen, type SeenVote } from './alert-state.ts';

const VOTE: SeenVote = {
  epoch: 800n,
  isDelinquent: false,
  lastVoteSlot: 1_000n,
  balanceLamports: 20_000_000_000n,
  rentLamports: 27_000_000n,
  hasBlsKey: true,
  inflationBps: 500,
  blockRevenueBps: 0,
};

const WELL: Seen = {
  vote: VOTE,
  ticketLamports: null,
  indexAgeSeconds: 0,
  indexReady: true,
  oldestDueSeconds: 0,
  nodeWarning: null,
};

/** What the looks tell, one list each. */
const tell = (looks: readonly Seen[], state: AlertState = emptyAlertState(0)): string[][] =>
  looks.map((seen) => {
    const step = judgeLook(state, seen);
    // Stored as JSON between two looks.
    state = JSON.parse(JSON.stringify(step.state)) as AlertState;
    return step.alerts.map(({ alert }) => alert);
  });

const vote = (change: Partial<SeenVote>): Seen => ({ ...WELL, vote: { ...VOTE, ...change } });

test('three looks in a row make a delinquency, one that votes ends it, and a node that cannot be asked neither', () => {
  const away = vote({ isDelinquent: true });
  assert.deepEqual(
    tell([WELL, away, away, WELL, away, away, { ...WELL, vote: null }, away, away, WELL, WELL]),
    [...[[], [], [], [], [], [], [], ['validator_delinquent'], [], ['validator_recovered'], []]],
  );
});

test('the first commissions seen are no change; each change of either kind is told once', () => {
  assert.deepEqual(
    tell([
      WELL,
      vote({ inflationBps: 501 }),
      vote({ inflationBps: 501 }),
      vote({ inflationBps: 501, blockRevenueBps: 10_000 }),
    ]),
    [[], ['commission_changed'], [], ['commission_changed']],
  );
});

test('what a ticket costs is learnt at a boundary; the risk is told at three epochs left, again at each fewer, and its end', () => {
  const SOL = 1_000_000_000n;
  const at = (epoch: bigint, sol: bigint) => vote({ epoch, balanceLamports: sol * SOL + VOTE.rentLamports });
  assert.deepEqual(
    tell([at(800n, 7n), at(801n, 6n), at(801n, 6n), at(802n, 5n), at(803n, 4n), at(804n, 3n), at(804n, 3n)]),
    [[], [], [], [], [], ['admission_at_risk'], []],
  );
  const risk = judgeLook({ ...emptyAlertState(0), observedTicket: String(SOL) }, at(804n, 2n)).alerts[0]!;
  assert.deepEqual([risk.level, risk.facts.epochsLeft, risk.facts.excludedFromEpoch], ['critical', 2, 808]);
  const state = { ...emptyAlertState(0), observedTicket: String(SOL) };
  assert.deepEqual(tell([at(804n, 2n), at(805n, 1n), at(805n, 50n), at(806n, 49n)], state), [
    ['admission_at_risk'],
    ['admission_at_risk'],
    ['admission_safe'],
    [],
  ]);
});

test('without a BLS key the admission is at risk where tickets are asked for, and nowhere else', () => {
  const without = vote({ hasBlsKey: false });
  assert.deepEqual(tell([without]), [[]]);
  assert.deepEqual(tell([{ ...without, ticketLamports: 1n }]), [['admission_at_risk']]);
});

test('an index that is not kept up, webhooks that are late and a Node with holes are told once, and their end', () => {
  const stale = { ...WELL, indexAgeSeconds: 601 };
  const late = { ...WELL, oldestDueSeconds: 301 };
  const holes = { ...WELL, nodeWarning: 'Node 26.10 lacks fixes.' };
  assert.deepEqual(
    tell([
      { ...WELL, indexAgeSeconds: null, indexReady: false },
      stale,
      stale,
      late,
      late,
      WELL,
      holes,
      holes,
    ]),
    [
      ...[[], ['index_stale'], [], ['index_current', 'outbox_behind'], [], ['outbox_current']],
      ...[['node_known_holes'], []],
    ],
  );
});
