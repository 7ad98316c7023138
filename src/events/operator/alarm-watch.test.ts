// The log, the console and the alerts show the same times for an alarm.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patience } from '../../../test/support/patience.ts';
import { createManualClock } from '../../../test/support/steerable-clock.ts';
import type { ServiceFacts } from '../../domain/alerts/service-alarm-table.ts';
import { AppError } from '../../kernel/app-error.ts';
import type { Logger } from '../../kernel/log/logger.ts';
import type { NewEvent } from '../../store/outbox/outbox.ts';
import { ALARM_POLL_MS, AlarmWatch } from './alarm-watch.ts';

test('an outage has one beginning and one end, and the log shows the same times for them as the console and the alerts', async () => {
  const clock = createManualClock();
  const lines: (Readonly<Record<string, unknown>> & { readonly words: string })[] = [];
  const note = (context: object, words: string) => void lines.push({ ...context, words });
  const events: NewEvent[] = [];
  let stored: string | null = null;
  let rpc: ServiceFacts['rpc'] = { responses: true, sinceMs: null };
  const watch = new AlarmWatch({
    observe: async () => ({
      rpc,
      chain: null,
      store: { isWritable: true, writtenMs: 0 },
      webhooks: null,
      lease: null,
    }),
    role: () => 'elected',
    outbox: {
      checkpoint: async () => stored,
      record: async (added, marks = []) => {
        events.push(...added);
        stored = marks[0]!.value;
        return added.map(({ id }) => id);
      },
    },
    memory: { remembered: null, write: () => true },
    registrations: ['operator-notify'],
    genesisHash: 'genesis',
    instance: 'one:3000',
    publicUrl: () => 'https://stake.example',
    register: async () => {},
    sendNow: async () => true,
    onRecorded: () => {},
    clock,
    logger: { info: note, warn: note } as unknown as Logger,
  });
  const poll = async (times: number) => {
    for (let at = 0; at < times; at += 1) {
      clock.advance(ALARM_POLL_MS);
      await watch.poll(patience());
    }
  };
  await poll(1);
  const sinceMs = clock.now() + 2_000;
  rpc = { responses: false, sinceMs };
  await poll(5);
  assert.deepEqual(
    watch.active().map((active) => active.sinceMs),
    [sinceMs],
  );
  rpc = { responses: true, sinceMs: sinceMs + 92_000 };
  await poll(5);
  const [since, until] = [sinceMs, sinceMs + 92_000].map((ms) => new Date(ms).toISOString());
  const alarm = 'rpc_unreachable';
  assert.deepEqual(lines, [
    { alarm, since, words: 'No RPC node is responding' },
    { alarm, since, until, seconds: 92, words: 'RPC nodes are responding again' },
  ]);
  const facts = events.map(({ data }) => JSON.parse(data).facts);
  assert.deepEqual(
    facts.map((fact) => [fact.since, fact.until]),
    [
      [since, undefined],
      [since, until],
    ],
  );
});

test('without the store, an alarm that a receiver refused is sent again before later ones, so an end never follows the next beginning', async () => {
  const clock = createManualClock();
  let rpc: ServiceFacts['rpc'] = { responses: true, sinceMs: null };
  let accepts = true;
  const accepted: string[] = [];
  const down = async () => Promise.reject(new AppError('STORE_UNAVAILABLE', 'away'));
  const watch = new AlarmWatch({
    observe: async () => ({
      rpc,
      chain: null,
      store: { isWritable: false, writtenMs: 0 },
      webhooks: null,
      lease: null,
    }),
    role: () => 'alone',
    outbox: { checkpoint: down, record: down },
    memory: { remembered: null, write: () => true },
    registrations: ['operator-notify'],
    genesisHash: 'genesis',
    instance: 'one:3000',
    publicUrl: () => 'https://stake.example',
    register: down,
    sendNow: async ({ data }) => {
      const { alert } = JSON.parse(data);
      if (alert === 'rpc_reachable' && !accepts) return false;
      accepted.push(alert);
      return true;
    },
    onRecorded: () => {},
    clock,
    logger: { info: () => {}, warn: () => {} } as unknown as Logger,
  });
  const poll = async (responses: boolean) => {
    rpc = { responses, sinceMs: null };
    for (let at = 0; at < 6; at += 1) {
      clock.advance(ALARM_POLL_MS);
      await watch.poll(patience());
    }
  };
  await poll(false);
  accepts = false;
  await poll(true);
  await poll(false);
  accepts = true;
  await poll(false);
  assert.deepEqual(
    accepted.filter((alert) => alert.startsWith('rpc_')),
    ['rpc_unreachable', 'rpc_reachable', 'rpc_unreachable'],
  );
});
