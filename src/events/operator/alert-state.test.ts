// Tests that the operator gets each alert once, no alert about a short lag, and another alert only if the
// problem gets worse.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ValidatorAlert } from '../../domain/alerts/detect-validator-changes.ts';
import {
  type AlertState,
  emptyAlertState,
  evaluateAlerts,
  type OperatorObservation,
  type VoteAccountFacts,
} from './alert-state.ts';

const VOTE: VoteAccountFacts = {
  epoch: 800n,
  balanceLamports: 20_000_000_000n,
  rentLamports: 27_000_000n,
  hasBlsKey: true,
};

const WELL: OperatorObservation = {
  vote: VOTE,
  validator: { reported: 0, alerts: [] },
  ticketLamports: null,
  indexAgeSeconds: 0,
  isOutage: false,
  nodeWarning: null,
};

/** Evaluates the observations in order and returns the alerts that each of them causes. */
const tell = (looks: readonly OperatorObservation[], state: AlertState = emptyAlertState(0)): string[][] =>
  looks.map((seen) => {
    const step = evaluateAlerts(state, seen);
    // The state is stored as JSON between two evaluations.
    state = JSON.parse(JSON.stringify(step.state)) as AlertState;
    return step.alerts.map(({ alert }) => alert);
  });

const vote = (change: Partial<VoteAccountFacts>): OperatorObservation => ({
  ...WELL,
  vote: { ...VOTE, ...change },
});

/** Builds the validator's alerts for these changes, newest last. */
const validator = (...changes: readonly ValidatorAlert['change'][]): OperatorObservation => ({
  ...WELL,
  validator: {
    reported: changes.length,
    alerts: changes
      .map(
        (change, number): ValidatorAlert => ({
          number,
          change,
          level: 'warning',
          epoch: 800,
          slot: 1,
          nearBoundary: false,
          seenByNodes: 2,
          what: 'inflationCommissionBps',
          from: '0',
          to: '500',
        }),
      )
      .toReversed(),
  },
});

test('the operator gets each validator alert that stakers get, once and in order, except for cluster limits', () => {
  assert.deepEqual(
    tell([
      validator('delinquent'),
      validator('delinquent'),
      validator('delinquent', 'recovered', 'limits'),
      validator('delinquent', 'recovered', 'limits', 'commission', 'absent'),
      validator('delinquent', 'recovered', 'limits', 'commission', 'absent', 'collector', 'destake-possible'),
    ]),
    [
      ...[[], [], ['validator_recovered'], ['commission_changed', 'validator_absent']],
      ['collector_changed', 'destake_possible'],
    ],
  );
  const [raised] = evaluateAlerts(
    { ...emptyAlertState(0), validatorReported: 0 },
    validator('commission'),
  ).alerts;
  assert.match(raised!.message, /inflation commission changed from 0% to 5%/);
});

test('the ticket price is observed at a boundary, and the risk is reported with three epochs left, in each later epoch, and when it ends', () => {
  const SOL = 1_000_000_000n;
  const at = (epoch: bigint, sol: bigint) => vote({ epoch, balanceLamports: sol * SOL + VOTE.rentLamports });
  assert.deepEqual(
    tell([at(800n, 7n), at(801n, 6n), at(801n, 6n), at(802n, 5n), at(803n, 4n), at(804n, 3n), at(804n, 3n)]),
    [[], [], [], [], [], ['admission_at_risk'], []],
  );
  assert.deepEqual(
    tell([at(800n, 7n), at(803n, 4n)]),
    [[], []],
    'the ticket price is unknown if several epochs have passed since the last evaluation',
  );
  const risk = evaluateAlerts({ ...emptyAlertState(0), observedTicket: String(SOL) }, at(804n, 2n))
    .alerts[0]!;
  assert.deepEqual([risk.level, risk.facts.epochsLeft, risk.facts.excludedFromEpoch], ['critical', 2, 808]);
  const state = { ...emptyAlertState(0), observedTicket: String(SOL) };
  assert.deepEqual(tell([at(804n, 2n), at(805n, 1n), at(805n, 1n), at(805n, 50n), at(806n, 49n)], state), [
    ['admission_at_risk'],
    ['admission_at_risk'],
    [],
    ['admission_safe'],
    [],
  ]);
});

test('a missing BLS key puts admission at risk only if tickets are required', () => {
  const without = vote({ hasBlsKey: false });
  assert.deepEqual(tell([without]), [[]]);
  assert.deepEqual(tell([{ ...without, ticketLamports: 1n }]), [['admission_at_risk']]);
});

test('a stale index and a vulnerable Node version are reported once, and so is the recovery of the index', () => {
  const stale = { ...WELL, indexAgeSeconds: 601 };
  const holes = { ...WELL, nodeWarning: 'Node 26.10 lacks fixes.' };
  assert.deepEqual(tell([{ ...WELL, indexAgeSeconds: null }, stale, stale, WELL, holes, holes]), [
    ...[[], ['index_stale'], [], ['index_current']],
    ...[['node_known_holes'], []],
  ]);
});

test('only the outage is reported while no node responds, and an index that is still stale afterwards is reported then', () => {
  const stale = { ...WELL, indexAgeSeconds: 601 };
  const outage = { ...stale, vote: null, isOutage: true };
  assert.deepEqual(tell([outage, WELL]), [[], []]);
  assert.deepEqual(tell([outage, stale, outage, WELL]), [[], ['index_stale'], [], ['index_current']]);
});
