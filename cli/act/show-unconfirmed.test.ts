// Tests the display of how long a signed transaction without an outcome can still land.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TransactionRecord } from '../../client/staking/pending-transaction.ts';
import { createManualClock } from '../../test/support/steerable-clock.ts';
import type { Terminal } from '../show/terminal.ts';
import { createSendingDisplay } from './show-unconfirmed.ts';

const start = (isScreen: boolean) => {
  const clock = createManualClock();
  const printed: string[] = [];
  const terminal = { out: (text: string) => void printed.push(text), clock, isScreen } as unknown as Terminal;
  const display = createSendingDisplay(terminal, 'The service');
  const record = { expiresAtMs: clock.now() + 60_000, signedTransaction: 'AAAA' } as TransactionRecord;
  const pass = async (ms: number): Promise<void> => {
    await clock.sleeping();
    clock.advance(ms);
    await new Promise(setImmediate);
  };
  return {
    clock,
    printed,
    pass,
    enter: (name: Parameters<typeof display>[0]['name']) => display({ name, record }),
  };
};

test('nothing is shown if the transaction lands quickly', async () => {
  const { clock, printed, enter, pass } = start(true);
  enter('built');
  enter('signed');
  await pass(3_000);
  enter('submitted');
  enter('landed');
  clock.advance(60_000);
  await new Promise(setImmediate);
  assert.deepEqual(printed, []);
});

test('a terminal counts down to the expiry on one line and then clears it', async () => {
  const { printed, enter, pass } = start(true);
  enter('signed');
  await pass(8_000);
  enter('submitted');
  await pass(1_000);
  await pass(51_000);
  enter('landed');
  assert.deepEqual(printed, [
    '\r\u001b[K  The service has not answered yet, waiting for 52 s at most',
    '\r\u001b[K  The network is busy, sending again, for 51 s at most',
    '\r\u001b[K  The network is busy, checking whether the transaction landed',
    '\r\u001b[K',
  ]);
});

test('the message is printed once if the output is not a terminal', async () => {
  const { printed, enter, pass, clock } = start(false);
  enter('signed');
  enter('submitted');
  await pass(8_000);
  clock.advance(30_000);
  enter('landed');
  assert.deepEqual(printed, ['  The network is busy, sending again, for 52 s at most\n']);
});

test('the network is not blamed while the service has not acknowledged the transaction, even after its expiry', async () => {
  const { printed, enter, pass } = start(true);
  enter('signed');
  await pass(8_000);
  await pass(52_000);
  enter('unresolved');
  assert.deepEqual(printed, [
    '\r\u001b[K  The service has not answered yet, waiting for 52 s at most',
    '\r\u001b[K  The service has not answered yet',
    '\r\u001b[K',
  ]);
});
