// An outage logs one line per minute, however often the work is retried, and no stack trace per retry.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../../../test/support/steerable-clock.ts';
import { AppError } from '../app-error.ts';
import type { Logger } from './logger.ts';
import { createOutageLog } from './outage-log.ts';

interface Line {
  readonly level: string;
  readonly words: string;
  readonly err?: unknown;
  readonly failures?: number;
}

const world = () => {
  const lines: Line[] = [];
  const at = (level: string) => (context: object, words: string) => lines.push({ level, words, ...context });
  const logger = { info: at('info'), warn: at('warn'), error: at('error') } as unknown as Logger;
  const clock = createManualClock();
  return {
    lines,
    clock,
    log: createOutageLog({ clock, logger, context: { role: 'r' }, subject: 'the work' }),
  };
};

const AWAY = new AppError('UPSTREAM_UNAVAILABLE', 'No RPC node answers.');

test('3,600 failures in an hour produce 60 lines with their count, and the recovery produces one more', () => {
  const { lines, clock, log } = world();
  log.succeeded();
  for (let second = 0; second < 3_600; second += 1) {
    log.failed(AWAY);
    clock.advance(1_000);
  }
  log.succeeded();
  log.succeeded();
  assert.equal(lines.length, 61);
  assert.deepEqual(
    lines.map(({ level }) => level),
    [...Array.from({ length: 60 }, () => 'warn'), 'info'],
  );
  assert.equal(lines[1]!.failures, 61);
  assert.equal(lines[60]!.failures, 3_600);
  assert.ok(
    lines.every((line) => !('seconds' in line)),
    'the alarm has the duration of the outage',
  );
  assert.ok(lines.every(({ err }) => err === undefined));
});

test('a fault in the service is logged as an error with one stack trace, even in the middle of an outage', () => {
  const { lines, clock, log } = world();
  const fault = new TypeError('a mistake');
  for (const error of [AWAY, AWAY, fault, fault, AWAY]) {
    log.failed(error);
    clock.advance(1_000);
  }
  assert.deepEqual(
    lines.map(({ level, err }) => [level, err]),
    [
      ['warn', undefined],
      ['error', fault],
    ],
  );
  log.succeeded();
  log.failed(fault);
  assert.deepEqual([lines.length, lines[3]!.err], [4, fault]);
});
