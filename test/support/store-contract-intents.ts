// Contract tests, run on every engine, for the intent log.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IntentLog } from '../../src/store/intent-log.ts';
import { exampleIntent, exampleSubmission } from './intent-examples.ts';
import { spawnProcess } from './spawned-process.ts';
import { openTestStore } from './store-fixture.ts';
import type { MakeVenue } from './store-venue.ts';
import type { Scope } from './temporary-folder.ts';

const ID = { operation: 'stake', wallet: 'wallet', key: 'key' } as const;
const CONFIRMED = { state: 'confirmed', slot: 42n, error: null, response: '{"amountSol":2}' } as const;

export const intentLogContract = (makeVenue: MakeVenue): void => {
  const open = async (t: Scope): Promise<IntentLog> =>
    (await openTestStore(t, (await makeVenue(t)).location)).intents;

  test('an intent acknowledged by recordSigned is read back completely when the store is next opened', async (t) => {
    const { location } = await makeVenue(t);
    const { intents } = await openTestStore(t, location);
    const submission = exampleSubmission('sig', {
      wireBytes: Uint8Array.from({ length: 1232 }, (_, index) => index % 256),
      lastValidBlockHeight: 2n ** 62n,
      nonce: { account: 'nonce account', value: 'nonce value' },
    });
    const intent = exampleIntent('sig', { source: 'mcp', key: "k'; DROP TABLE intents; --", submission });
    assert.equal(await intents.recordSigned(intent, null), true);
    // The store is not closed, because an acknowledged write must not depend on an orderly end.
    const other = await openTestStore(t, location);
    const found = await other.intents.find(intent);
    assert.deepEqual(found, {
      ...intent,
      submission: { ...submission, state: 'signed', slot: null, error: null },
      response: null,
    });
    assert.deepEqual(await other.intents.findSubmission('sig'), found?.submission);
  });

  test('an outcome survives reopening, and its stored response is the same character for character', async (t) => {
    const { location } = await makeVenue(t);
    const store = await openTestStore(t, location);
    await store.intents.recordSigned(exampleIntent('sig'), null);
    const response = '{"amountSol":8999999.123456789,"message":"schön 🦉"}';
    await store.intents.settle('sig', { state: 'confirmed', slot: 2n ** 60n, error: null, response });
    await store.close();
    const found = await (await openTestStore(t, location)).intents.find(ID);
    assert.equal(found?.response, response);
    assert.equal(found?.submission.state, 'confirmed');
    assert.equal(found?.submission.slot, 2n ** 60n);
  });

  test('a failure is stored with the error from the chain and without a response', async (t) => {
    const log = await open(t);
    await log.recordSigned(exampleIntent('sig'), null);
    const error = '{"InstructionError":[2,{"Custom":12}]}';
    await log.settle('sig', { state: 'failed', slot: 7n, error, response: null });
    const { response, submission } = (await log.find(ID))!;
    assert.deepEqual([response, submission.state, submission.error], [null, 'failed', error]);
  });

  test('a stored response is not overwritten by a process that knows only the outcome', async (t) => {
    const log = await open(t);
    await log.recordSigned(exampleIntent('sig'), null);
    await log.settle('sig', CONFIRMED);
    await log.settle('sig', { ...CONFIRMED, response: null });
    assert.equal((await log.find(ID))?.response, CONFIRMED.response);
  });

  test('a landed outcome is final, even if another process that did not see it reports otherwise', async (t) => {
    const log = await open(t);
    for (const state of ['confirmed', 'failed'] as const) {
      await log.recordSigned(exampleIntent(state, { key: state }), null);
      await log.settle(state, { ...CONFIRMED, state });
      for (const late of ['refused', 'expired'] as const)
        await log.settle(state, { state: late, slot: null, error: '"late"', response: null });
      const { slot, error, ...others } = (await log.findSubmission(state))!;
      assert.deepEqual([others.state, slot, error], [state, CONFIRMED.slot, null]);
    }
  });

  test('an intent that was never recorded is read as null, as is its submission', async (t) => {
    const log = await open(t);
    await log.recordSigned(exampleIntent('sig'), null);
    for (const other of [{ operation: 'unstake' }, { wallet: 'other' }, { key: 'KEY' }] as const)
      assert.equal(await log.find({ ...ID, ...other }), null, JSON.stringify(other));
    assert.equal(await log.findSubmission('SIG'), null);
  });

  test('a wallet’s transactions that may still be valid are found under every operation, and an intent is found by its latest signature', async (t) => {
    const log = await open(t);
    const record = (name: string, operation: 'stake' | 'submit', wallet: string, height: bigint) =>
      log.recordSigned(
        exampleIntent(name, {
          operation,
          wallet,
          key: name,
          submission: exampleSubmission(name, { lastValidBlockHeight: height }),
        }),
        null,
      );
    await record('old', 'submit', 'wallet', 999n);
    await record('one-shot', 'stake', 'wallet', 1_000n);
    await record('submitted', 'submit', 'wallet', 1_001n);
    await record("another's", 'submit', 'other', 1_001n);
    await log.settle('submitted', { state: 'refused', slot: null, error: null, response: null });
    const names = (await log.bytesValidFrom('wallet', 1_000n)).map((bytes) =>
      new TextDecoder().decode(bytes),
    );
    assert.deepEqual(names.sort(), ['bytes of one-shot', 'bytes of submitted']);
    assert.equal((await log.findBySignature('one-shot'))?.key, 'one-shot');
    assert.equal(await log.findBySignature('none'), null);
  });

  test('of two first recordings of an intent, only one is accepted, and the other changes nothing', async (t) => {
    const log = await open(t);
    assert.equal(await log.recordSigned(exampleIntent('first'), null), true);
    assert.equal(await log.recordSigned(exampleIntent('second', { parameters: 'other' }), null), false);
    assert.equal((await log.find(ID))?.submission.signature, 'first');
    assert.equal((await log.find(ID))?.parameters, exampleIntent('first').parameters);
    assert.equal(await log.findSubmission('second'), null);
  });

  test('of several concurrent recordings, exactly one is accepted', async (t) => {
    const log = await open(t);
    const names = Array.from({ length: 20 }, (_, index) => `sig ${index}`);
    const taken = await Promise.all(names.map((name) => log.recordSigned(exampleIntent(name), null)));
    assert.equal(taken.filter(Boolean).length, 1);
    assert.equal((await log.find(ID))?.submission.signature, names[taken.indexOf(true)]);
    assert.equal((await log.unsettled()).length, 1);
  });

  test('a submission is replaced only by a process that saw the current one', async (t) => {
    const log = await open(t);
    await log.recordSigned(exampleIntent('first'), null);
    await log.settle('first', { state: 'expired', slot: null, error: null, response: null });
    assert.equal(await log.recordSigned(exampleIntent('late'), 'something else'), false);
    assert.equal(await log.recordSigned(exampleIntent('second'), 'first'), true);
    assert.equal(
      await log.recordSigned(exampleIntent('third'), 'first'),
      false,
      'the first is no longer current: another process was faster',
    );
    assert.equal((await log.find(ID))?.submission.signature, 'second');
    assert.equal(
      (await log.findSubmission('first'))?.state,
      'expired',
      'the outcome of the first stays known',
    );
  });

  test('replacing a submission that does not exist is refused, and leaves nothing behind', async (t) => {
    const log = await open(t);
    assert.equal(await log.recordSigned(exampleIntent('sig'), 'never seen'), false);
    assert.equal(await log.find(ID), null);
    assert.equal(await log.findSubmission('sig'), null);
  });

  test('a replacement has its own parameters and age and drops the earlier response', async (t) => {
    const log = await open(t);
    await log.recordSigned(exampleIntent('first'), null);
    await log.settle('first', CONFIRMED);
    const changes = { parameters: 'new', source: 'mcp', createdAtMs: 1_900_000_000_000 } as const;
    await log.recordSigned(exampleIntent('second', changes), 'first');
    const { parameters, source, createdAtMs, response } = (await log.find(ID))!;
    assert.deepEqual({ parameters, source, createdAtMs, response }, { ...changes, response: null });
  });

  test('recording the same transaction again puts it in flight again', async (t) => {
    const log = await open(t);
    await log.recordSigned(exampleIntent('sig'), null);
    await log.settle('sig', { state: 'refused', slot: null, error: '"BlockhashNotFound"', response: null });
    assert.equal(await log.recordSigned(exampleIntent('sig'), 'sig'), true);
    const { state, error } = (await log.findSubmission('sig'))!;
    assert.deepEqual([state, error], ['signed', null]);
  });

  test('a transaction that the chain executed keeps its outcome when it is recorded again', async (t) => {
    const log = await open(t);
    for (const state of ['confirmed', 'failed'] as const) {
      await log.recordSigned(exampleIntent(state, { key: state }), null);
      await log.settle(state, { state, slot: 7n, error: '"why"', response: null });
      await log.recordSigned(exampleIntent(state, { key: state }), state);
      const found = (await log.findSubmission(state))!;
      assert.deepEqual([found.state, found.slot, found.error], [state, 7n, '"why"']);
    }
  });

  test('a submission belongs to one intent: another intent with the same transaction is refused, and leaves nothing behind', async (t) => {
    const log = await open(t);
    for (const state of ['confirmed', 'failed', 'refused', 'expired', 'signed'] as const) {
      await log.recordSigned(exampleIntent(state, { key: state }), null);
      await log.settle(state, { ...CONFIRMED, state });
      const other = { ...ID, key: `${state} again` };
      assert.equal(await log.recordSigned(exampleIntent(state, other), null), false);
      assert.equal(await log.find(other), null);
      assert.equal((await log.findSubmission(state))?.state, state);
    }
  });

  test('exactly one of the intents that record the same transaction concurrently is accepted', async (t) => {
    const log = await open(t);
    const keys = Array.from({ length: 10 }, (_, index) => `key ${index}`);
    const taken = await Promise.all(keys.map((key) => log.recordSigned(exampleIntent('sig', { key }), null)));
    assert.equal(taken.filter(Boolean).length, 1);
    assert.equal((await log.unsettled()).length, 1);
  });

  test('a refused or expired transaction is in flight again when it is sent again, and a landed one stays as it is', async (t) => {
    const log = await open(t);
    for (const state of ['refused', 'expired', 'confirmed', 'failed'] as const) {
      await log.recordSigned(exampleIntent(state, { key: state }), null);
      await log.settle(state, { state, slot: null, error: '"why"', response: null });
      await log.resendSubmission(state);
      const landed = state === 'confirmed' || state === 'failed';
      const found = await log.findSubmission(state);
      assert.deepEqual([found?.state, found?.error], landed ? [state, '"why"'] : ['signed', null]);
    }
  });

  test('unsettled intents are exactly those that are still in flight', async (t) => {
    const log = await open(t);
    const states = ['signed', 'confirmed', 'failed', 'expired', 'refused'] as const;
    for (const state of states) {
      await log.recordSigned(exampleIntent(state, { key: state }), null);
      if (state !== 'signed') await log.settle(state, { ...CONFIRMED, state });
    }
    assert.deepEqual(
      (await log.unsettled()).map(({ key }) => key),
      ['signed'],
    );
  });

  test('pruning keeps every stake that was made, everything in flight and everything newer, and deletes the rest along with its transactions', async (t) => {
    const log = await open(t);
    const record = async (name: string, intent: Parameters<typeof exampleIntent>[1]): Promise<void> => {
      await log.recordSigned(exampleIntent(name, { key: name, createdAtMs: 1_000, ...intent }), null);
    };
    for (const operation of ['stake', 'unstake', 'withdraw', 'submit', 'donate', 'rearrange'] as const) {
      await record(`settled ${operation}`, { operation });
      await log.settle(`settled ${operation}`, CONFIRMED);
      await record(`under way ${operation}`, { operation });
      await record(`young ${operation}`, { operation, createdAtMs: 2_000 });
      await log.settle(`young ${operation}`, CONFIRMED);
    }
    assert.equal(await log.pruneBefore(2_000), 5);
    for (const operation of ['unstake', 'withdraw', 'submit', 'donate', 'rearrange'] as const) {
      assert.equal(await log.find({ ...ID, operation, key: `settled ${operation}` }), null, operation);
      assert.equal(await log.findSubmission(`settled ${operation}`), null, operation);
      assert.ok(await log.find({ ...ID, operation, key: `young ${operation}` }), operation);
      assert.ok(await log.find({ ...ID, operation, key: `under way ${operation}` }), operation);
    }
    assert.equal((await log.find({ ...ID, key: 'settled stake' }))?.response, CONFIRMED.response);
    assert.equal(await log.pruneBefore(2_000), 0);
    for (const state of ['failed', 'expired', 'refused'] as const) {
      await record(`${state} stake`, { operation: 'stake' });
      await log.settle(`${state} stake`, { state, slot: null, error: null, response: null });
    }
    assert.equal(await log.pruneBefore(2_000), 3, 'a stake that was not made is not kept');
    assert.equal(await log.findSubmission('refused stake'), null);
  });

  test('pruning deletes replaced submissions, but none that are in flight', async (t) => {
    const log = await open(t);
    await log.recordSigned(exampleIntent('first'), null);
    await log.settle('first', { state: 'expired', slot: null, error: null, response: null });
    await log.recordSigned(exampleIntent('second'), 'first');
    await log.pruneBefore(0);
    assert.equal(await log.findSubmission('first'), null);
    assert.equal((await log.findSubmission('second'))?.state, 'signed');
  });

  test('pruning deletes all due rows, even if there are more than one statement can delete', async (t) => {
    const log = await open(t);
    for (let index = 0; index < 1_100; index += 1) {
      const name = `sig ${index}`;
      await log.recordSigned(exampleIntent(name, { operation: 'withdraw', key: name, createdAtMs: 1 }), null);
      await log.settle(name, CONFIRMED);
    }
    assert.equal(await log.pruneBefore(2), 1_100);
    for (const index of [0, 499, 500, 999, 1_000, 1_099])
      assert.equal(await log.findSubmission(`sig ${index}`), null, `${index}`);
  });

  test('two processes that open a new store concurrently create it once, and share its intents without overlap', async (t) => {
    const { location } = await makeVenue(t);
    const count = 200;
    const processes = ['one', 'two'].map((name) =>
      spawnProcess(t, { file: 'test/support/intent-recorder.ts', args: [location, name, String(count)] }),
    );
    const won = await Promise.all(
      processes.map(async (recorder) => Number((await recorder.output(/won (\d+)/))[1])),
    );
    assert.equal(won[0]! + won[1]!, count, `won ${won.join(' and ')}`);
    const { intents } = await openTestStore(t, location);
    for (let index = 0; index < count; index += 1)
      assert.match(
        (await intents.find({ ...ID, key: `key ${index}` }))!.submission.signature,
        /^(one|two) \d+$/,
      );
  });
};
