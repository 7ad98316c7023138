// Tests that each service alarm begins once and ends once, despite flapping, restarts, several processes, and a
// store outage.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServiceFacts } from '../../domain/alerts/service-alarm-table.ts';
import {
  type AlarmState,
  levelsOf,
  mergeReported,
  NOTHING_REPORTED,
  type PassOptions,
  passAlarms,
  type ReportedAlarms,
} from './detect-service-alarms.ts';

const WELL: ServiceFacts = {
  rpc: { responses: true, sinceMs: null },
  chain: { slot: 255n, stillMs: 0 },
  store: { isWritable: true, writtenMs: 0 },
  webhooks: { pending: 0, oldestDueSeconds: 0 },
  lease: { unheld: [] },
};
const NO_RPC: ServiceFacts = { ...WELL, rpc: { responses: false, sinceMs: null }, chain: null };
const STILL: ServiceFacts = { ...WELL, chain: { slot: 255n, stillMs: 60_000 } };
const NO_STORE: ServiceFacts = { ...WELL, store: { isWritable: false, writtenMs: 0 }, webhooks: null };
const PILED: ServiceFacts = { ...WELL, webhooks: { pending: 7, oldestDueSeconds: 301 } };
const LESS_PILED: ServiceFacts = { ...WELL, webhooks: { pending: 3, oldestDueSeconds: 120 } };
const NO_LEASE: ServiceFacts = { ...WELL, lease: { unheld: ['events', 'autopilot'] } };

const START_MS = Date.parse('2026-11-26T14:02:00Z');
const POLL_MS = 15_000;

/** A process that evaluates its health every 15 s. */
class Process {
  readonly instance: string;
  role: PassOptions['role'];
  state: AlarmState;
  #passes = 0;

  constructor(instance = 'one:3000', role: PassOptions['role'] = 'elected', reported = NOTHING_REPORTED) {
    this.instance = instance;
    this.role = role;
    this.state = { levels: levelsOf(reported), reported };
  }

  /** Evaluates the same input `times` times. Returns the identities of the reported events. */
  pass(facts: ServiceFacts, times = 1): string[] {
    return this.alerts(facts, times).map(({ fact }) => fact);
  }

  alerts(facts: ServiceFacts, times = 1) {
    return Array.from({ length: times }, () => {
      const steadyMs = this.#passes * POLL_MS;
      this.#passes += 1;
      const { role, instance } = this;
      const { next, events } = passAlarms(this.state, facts, {
        nowMs: START_MS + steadyMs,
        steadyMs,
        role,
        instance,
        publicUrl: 'https://stake.example',
      });
      // The state is stored as JSON between two polls.
      this.state = JSON.parse(JSON.stringify(next)) as AlarmState;
      return events;
    }).flat();
  }
}

test('every alarm begins once its problem has lasted long enough, and ends once the problem has been gone for a minute', () => {
  const cases: readonly [string, ServiceFacts, number][] = [
    ['rpc_unreachable', NO_RPC, 5],
    ['chain_halted', STILL, 1],
    ['store_unwritable', NO_STORE, 5],
    ['outbox_behind', PILED, 1],
    ['lease_unheld', NO_LEASE, 5],
  ];
  for (const [alarm, facts, passes] of cases) {
    const one = new Process();
    assert.deepEqual(one.pass(WELL, 3), []);
    assert.deepEqual(one.pass(facts, passes - 1), [], `${alarm} does not begin early`);
    assert.deepEqual(one.pass(facts), [`alarm ${alarm} begin 1`]);
    assert.deepEqual(one.pass(facts, 20), []);
    assert.deepEqual(one.pass(WELL, 4), [], `${alarm} does not end early`);
    assert.deepEqual(one.pass(WELL), [`alarm ${alarm} end 1`]);
    assert.deepEqual(one.pass(WELL, 20), []);
    assert.deepEqual(
      one.pass(facts, passes),
      [`alarm ${alarm} begin 2`],
      'the next occurrence is a new alarm',
    );
  }
});

test('a flapping dependency neither begins alarms repeatedly nor ends one', () => {
  const one = new Process();
  for (let times = 0; times < 10; times += 1)
    assert.deepEqual([...one.pass(NO_RPC, 3), ...one.pass(WELL)], []);
  assert.deepEqual(one.pass(NO_RPC, 5), ['alarm rpc_unreachable begin 1']);
  for (let times = 0; times < 10; times += 1)
    assert.deepEqual([...one.pass(WELL, 3), ...one.pass(NO_RPC)], []);
  const two = new Process();
  assert.deepEqual(two.pass(PILED), ['alarm outbox_behind begin 1']);
  for (let times = 0; times < 5; times += 1)
    assert.deepEqual([...two.pass(LESS_PILED, 9), ...two.pass(PILED)], [], 'between both limits');
});

test('an outage has the times of the last response before it and of the first one after it, not those of the polls', () => {
  const rpcSince = (responses: boolean, seconds: number): ServiceFacts => ({
    ...WELL,
    rpc: { responses, sinceMs: START_MS + seconds * 1_000 },
    ...(responses ? {} : { chain: null }),
  });
  const one = new Process();
  one.pass(WELL, 2);
  const [begun] = one.alerts(rpcSince(false, 17), 5);
  assert.equal(begun!.alert.facts.since, '2026-11-26T14:02:17.000Z');
  assert.deepEqual(one.pass(rpcSince(true, 109), 3), []);
  assert.deepEqual(
    one.pass(rpcSince(true, 140), 4),
    [],
    'it failed again in between, so the minute restarts',
  );
  const [ended] = one.alerts(rpcSince(true, 140));
  assert.equal(ended!.alert.facts.until, '2026-11-26T14:04:20.000Z');
  assert.match(ended!.alert.message, / lasted 2 min 3 s,/);
});

test('an outage of the store begins at the last write before it, not at the poll that found it', () => {
  const storeSince = (seconds: number): ServiceFacts => ({
    ...NO_STORE,
    store: { isWritable: false, writtenMs: START_MS + seconds * 1_000 },
  });
  const one = new Process();
  one.pass(WELL, 2);
  const [begun] = one.alerts(storeSince(17), 5);
  assert.equal(begun!.alert.facts.since, '2026-11-26T14:02:17.000Z');
  assert.deepEqual(one.pass({ ...WELL, store: { isWritable: true, writtenMs: START_MS + 200_000 } }, 4), []);
  const [ended] = one.alerts({ ...WELL, store: { isWritable: true, writtenMs: START_MS + 215_000 } });
  assert.equal(ended!.fact, 'alarm store_unwritable end 1', 'each later write does not restart the minute');
});

test('an unknown value neither begins nor ends an alarm', () => {
  const one = new Process();
  one.pass(STILL);
  assert.deepEqual(one.pass({ ...NO_RPC, webhooks: null, lease: null }, 4), []);
  assert.equal(one.state.levels.chain_halted.isOn, true, 'without a node, nothing is known about the chain');
});

test('after a restart during an alarm, only its end is reported', () => {
  const before = new Process();
  before.pass(NO_RPC, 5);
  const after = new Process('one:3000', 'elected', before.state.reported);
  assert.deepEqual(after.pass(NO_RPC, 20), []);
  assert.deepEqual(after.pass(WELL, 5), ['alarm rpc_unreachable end 1']);
  const later = new Process('one:3000', 'elected', before.state.reported);
  assert.deepEqual(
    later.pass(WELL, 20),
    ['alarm rpc_unreachable end 1'],
    'the problem ended while the process was down',
  );
});

test('of several processes only the elected one reports, and its successor continues', () => {
  const [leader, other] = [new Process('one:3000'), new Process('two:3000', 'silent')];
  assert.deepEqual(leader.pass(NO_RPC, 5), ['alarm rpc_unreachable begin 1']);
  assert.deepEqual(other.pass(NO_RPC, 5), []);
  assert.equal(
    other.state.levels.rpc_unreachable.isOn,
    true,
    'the process that is not elected still shows the alarm',
  );
  other.role = 'elected';
  other.state = { ...other.state, reported: leader.state.reported };
  assert.deepEqual(other.pass(NO_RPC), []);
  assert.deepEqual(other.pass(WELL, 5), ['alarm rpc_unreachable end 1']);
});

test('a new leader that sees no problem ends the alarm only after a minute, and a leader without data does not end it', () => {
  const reported: ReportedAlarms = {
    alarms: { chain_halted: { number: 4, isOn: true, sinceMs: START_MS, by: null } },
    past: [],
  };
  const late = new Process('two:3000');
  late.pass(WELL);
  late.state = { ...late.state, reported };
  assert.deepEqual(late.pass({ ...WELL, chain: null }, 9), []);
  const other = new Process('three:3000');
  other.state = { ...other.state, reported };
  assert.deepEqual(other.pass(WELL), ['alarm chain_halted end 4'], 'a leader that knows the problem is over');
  assert.ok(other.state.reported.past[0]!.endedMs >= START_MS);
  late.state = { ...late.state, levels: levelsOf(reported) };
  assert.deepEqual(late.pass(WELL, 4), []);
  assert.deepEqual(late.pass(WELL), ['alarm chain_halted end 4']);
});

test('without an elected process, each process reports under its own name and does not end the alarms of others', () => {
  const [one, two] = [new Process('one:3000', 'alone'), new Process('two:3000', 'alone')];
  const [begun] = one.alerts(NO_RPC, 5);
  assert.match(begun!.alert.message, /Reported by one:3000, because no process could be elected/);
  assert.equal(begun!.alert.facts.instance, 'one:3000');
  const third = new Process('three:3000', 'alone');
  assert.deepEqual(third.pass(NO_RPC, 5), [begun!.fact], 'the outbox stores the same report once');
  two.pass(WELL, 9);
  two.state = { ...two.state, reported: one.state.reported };
  assert.deepEqual(two.pass(WELL, 9), []);
  assert.deepEqual(one.pass(WELL, 5), ['alarm rpc_unreachable end 1']);
});

test('if the elected process loses its role with the store, the end of its alarm is reported by each process that saw the problem end, under one id', () => {
  const [leader, other, blind] = [
    new Process(),
    new Process('two:3000', 'silent'),
    new Process('three:3000'),
  ];
  leader.pass(NO_RPC, 5);
  other.pass(NO_RPC, 5);
  blind.role = 'alone';
  blind.pass(WELL, 5);
  for (const one of [other, blind]) one.state = { ...one.state, reported: leader.state.reported };
  for (const one of [leader, other]) {
    one.role = 'alone';
    assert.deepEqual(one.pass(NO_STORE, 4), []);
    assert.ok(one.pass(NO_STORE).includes('alarm rpc_unreachable end 1'));
  }
  assert.deepEqual(blind.pass(WELL, 5), []);
});

test('reports made during a store outage are merged: the later beginning counts, and an end is never undone', () => {
  const on = (number: number) => ({ number, isOn: true, sinceMs: START_MS, by: null });
  const off = (number: number) => ({ ...on(number), isOn: false });
  const merged = (stored: ReportedAlarms['alarms'], own: ReportedAlarms['alarms']) =>
    mergeReported({ alarms: stored, past: [] }, { alarms: own, past: [] }).alarms;
  assert.deepEqual(merged({ rpc_unreachable: off(1) }, { rpc_unreachable: on(2) }), {
    rpc_unreachable: on(2),
  });
  assert.deepEqual(merged({ rpc_unreachable: off(2) }, { rpc_unreachable: on(2) }), {
    rpc_unreachable: off(2),
  });
  assert.deepEqual(merged({ rpc_unreachable: on(2) }, { rpc_unreachable: off(2) }), {
    rpc_unreachable: off(2),
  });
  assert.deepEqual(merged({ chain_halted: on(1) }, { store_unwritable: on(1) }), {
    chain_halted: on(1),
    store_unwritable: on(1),
  });
  const past = { alarm: 'chain_halted', sinceMs: 1, endedMs: 2 } as const;
  assert.deepEqual(mergeReported({ alarms: {}, past: [past] }, { alarms: {}, past: [past] }).past, [past]);
});

test('the texts contain the start and the duration in readable form, and the data contains exact values', () => {
  const one = new Process();
  const [begun] = one.alerts(NO_RPC, 5);
  assert.equal(
    begun!.alert.message,
    'No RPC node has responded since 26 Nov 2026, 14:02 UTC. Stakes cannot be read, built or submitted until one does.',
  );
  assert.deepEqual(begun!.alert.facts, {
    since: '2026-11-26T14:02:00.000Z',
    runbook: 'https://stake.example/docs/guides/operate#no-rpc-node-answers',
  });
  one.alerts(NO_RPC, 27);
  const [ended] = one.alerts(WELL, 5);
  assert.equal(
    ended!.alert.message,
    'RPC nodes are responding again. The problem lasted 8 min, from 26 Nov 2026, 14:02 to 14:10 UTC.',
  );
  assert.deepEqual(one.state.reported.past, [
    { alarm: 'rpc_unreachable', sinceMs: START_MS, endedMs: START_MS + 8 * 60_000 },
  ]);
  // The chain stopped and a webhook was late before this process could report either.
  assert.match(new Process().alerts(STILL)[0]!.alert.message, /slot 255 since 26 Nov 2026, 14:01 UTC/);
  assert.match(
    new Process().alerts(PILED)[0]!.alert.message,
    /^7 webhooks are waiting, the oldest since 26 Nov 2026, 13:56 UTC/,
  );
});
