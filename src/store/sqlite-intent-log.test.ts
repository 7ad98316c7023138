import assert from 'node:assert/strict';
import { closeSync, mkdirSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { exampleIntent, exampleSubmission } from '../../test/support/intent-examples.ts';
import { spawnProcess } from '../../test/support/spawned-process.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { isAppError } from '../kernel/app-error.ts';
import type { IntentLog } from './intent-log.ts';
import { openSqliteIntentLog, type SqliteIntentLog } from './sqlite-intent-log.ts';

const ID = { operation: 'stake', wallet: 'wallet', key: 'key' } as const;
const IDENTITY = { genesisHash: 'genesis', voteAccount: 'vote', serverSecretFingerprint: 'secret' };
const CONFIRMED = { state: 'confirmed', slot: 42n, error: null, answer: '{"amountSol":2}' } as const;

const unavailable = (error: unknown): boolean => isAppError(error, 'STORE_UNAVAILABLE');

const storePath = (t: TestContext): string => join(temporaryFolder(t), 'store.db');

const open = (t: TestContext, path = ':memory:'): SqliteIntentLog => {
  const log = openSqliteIntentLog(path);
  t.after(() => {
    try {
      log.close();
    } catch {
      // A test closed it itself.
    }
  });
  return log;
};

/** What another process would read now. */
const reopened = <Result>(t: TestContext, path: string, look: (log: IntentLog) => Result): Result =>
  look(open(t, path));

test('what recordSigned acknowledged is read back whole by whoever opens the file next', (t) => {
  const path = storePath(t);
  const log = open(t, path);
  const submission = exampleSubmission('sig', {
    wireBytes: Uint8Array.from({ length: 1232 }, (_, index) => index % 256),
    lastValidBlockHeight: 2n ** 62n,
    nonce: { account: 'nonce account', value: 'nonce value' },
  });
  const intent = exampleIntent('sig', { source: 'mcp', key: "k'; DROP TABLE intents; --", submission });
  assert.equal(log.recordSigned(intent, null), true);
  // Not closed: an acknowledged write must not wait for an orderly end.
  const found = reopened(t, path, (other) => other.find(intent));
  assert.deepEqual(found, {
    ...intent,
    submission: { ...submission, state: 'signed', slot: null, error: null },
    answer: null,
  });
  assert.deepEqual(
    reopened(t, path, (other) => other.findSubmission('sig')),
    found?.submission,
  );
});

test('an outcome survives the reopening, with its answer character by character', (t) => {
  const path = storePath(t);
  const log = open(t, path);
  log.recordSigned(exampleIntent('sig'), null);
  const answer = '{"amountSol":8999999.123456789,"message":"schön"}';
  log.settle('sig', { state: 'confirmed', slot: 2n ** 60n, error: null, answer });
  log.close();
  const found = reopened(t, path, (other) => other.find(ID));
  assert.equal(found?.answer, answer);
  assert.equal(found?.submission.state, 'confirmed');
  assert.equal(found?.submission.slot, 2n ** 60n);
});

test('a failure keeps the error of the chain, and no answer', (t) => {
  const log = open(t);
  log.recordSigned(exampleIntent('sig'), null);
  const error = '{"InstructionError":[2,{"Custom":12}]}';
  log.settle('sig', { state: 'failed', slot: 7n, error, answer: null });
  const { answer, submission } = log.find(ID)!;
  assert.deepEqual([answer, submission.state, submission.error], [null, 'failed', error]);
});

test('an intent that was never recorded is null, and so is its submission', (t) => {
  const log = open(t);
  log.recordSigned(exampleIntent('sig'), null);
  for (const other of [{ operation: 'unstake' }, { wallet: 'other' }, { key: 'KEY' }] as const)
    assert.equal(log.find({ ...ID, ...other }), null, JSON.stringify(other));
  assert.equal(log.findSubmission('SIG'), null);
});

test('only one of two first recordings of an intent is taken, and the loser changes nothing', (t) => {
  const log = open(t);
  assert.equal(log.recordSigned(exampleIntent('first'), null), true);
  assert.equal(log.recordSigned(exampleIntent('second', { parameters: 'other' }), null), false);
  assert.equal(log.find(ID)?.submission.signature, 'first');
  assert.equal(log.find(ID)?.parameters, exampleIntent('first').parameters);
  assert.equal(log.findSubmission('second'), null);
});

test('a submission is replaced only by whoever saw the one that stands', (t) => {
  const log = open(t);
  log.recordSigned(exampleIntent('first'), null);
  log.settle('first', { state: 'expired', slot: null, error: null, answer: null });
  assert.equal(log.recordSigned(exampleIntent('late'), 'something else'), false);
  assert.equal(log.recordSigned(exampleIntent('second'), 'first'), true);
  assert.equal(
    log.recordSigned(exampleIntent('third'), 'first'),
    false,
    'the first stands no more: somebody was quicker',
  );
  assert.equal(log.find(ID)?.submission.signature, 'second');
  assert.equal(log.findSubmission('first')?.state, 'expired', 'what became of the first stays known');
});

test('a replacement brings its own parameters and forgets the earlier answer', (t) => {
  const log = open(t);
  log.recordSigned(exampleIntent('first'), null);
  log.settle('first', CONFIRMED);
  log.recordSigned(exampleIntent('second', { parameters: 'new' }), 'first');
  assert.deepEqual([log.find(ID)?.parameters, log.find(ID)?.answer], ['new', null]);
});

test('the same bytes recorded again are under way again', (t) => {
  const log = open(t);
  log.recordSigned(exampleIntent('sig'), null);
  log.settle('sig', { state: 'refused', slot: null, error: '"BlockhashNotFound"', answer: null });
  assert.equal(log.recordSigned(exampleIntent('sig'), 'sig'), true);
  const { state, error } = log.findSubmission('sig')!;
  assert.deepEqual([state, error], ['signed', null]);
});

test('the same signed bytes may serve two intents, and both learn how they ended', (t) => {
  const log = open(t);
  log.recordSigned(exampleIntent('sig', { key: 'one' }), null);
  log.recordSigned(exampleIntent('sig', { key: 'two' }), null);
  log.settle('sig', CONFIRMED);
  for (const key of ['one', 'two']) assert.equal(log.find({ ...ID, key })?.submission.state, 'confirmed');
});

test('unsettled intents are exactly those still under way', (t) => {
  const log = open(t);
  const states = ['signed', 'confirmed', 'failed', 'expired', 'refused'] as const;
  for (const state of states) {
    log.recordSigned(exampleIntent(state, { key: state }), null);
    if (state !== 'signed') log.settle(state, { ...CONFIRMED, state });
  }
  assert.deepEqual(
    log.unsettled().map(({ key }) => key),
    ['signed'],
  );
});

test('forgetting keeps every stake, everything under way and everything younger, and drops the rest with its bytes', (t) => {
  const log = open(t);
  const record = (name: string, intent: Parameters<typeof exampleIntent>[1]): void => {
    log.recordSigned(exampleIntent(name, { key: name, createdAtMs: 1_000, ...intent }), null);
  };
  for (const operation of ['stake', 'unstake', 'withdraw', 'donate', 'other'] as const) {
    record(`settled ${operation}`, { operation });
    log.settle(`settled ${operation}`, CONFIRMED);
    record(`under way ${operation}`, { operation });
    record(`young ${operation}`, { operation, createdAtMs: 2_000 });
    log.settle(`young ${operation}`, CONFIRMED);
  }
  assert.equal(log.forgetBefore(2_000), 4);
  for (const operation of ['unstake', 'withdraw', 'donate', 'other'] as const) {
    assert.equal(log.find({ ...ID, operation, key: `settled ${operation}` }), null, operation);
    assert.equal(log.findSubmission(`settled ${operation}`), null, operation);
    assert.ok(log.find({ ...ID, operation, key: `young ${operation}` }), operation);
    assert.ok(log.find({ ...ID, operation, key: `under way ${operation}` }), operation);
  }
  assert.equal(log.find({ ...ID, key: 'settled stake' })?.answer, CONFIRMED.answer);
  assert.equal(log.forgetBefore(2_000), 0);
});

test('forgetting drops submissions that were replaced, and never one that is under way', (t) => {
  const log = open(t);
  log.recordSigned(exampleIntent('first'), null);
  log.settle('first', { state: 'expired', slot: null, error: null, answer: null });
  log.recordSigned(exampleIntent('second'), 'first');
  log.forgetBefore(0);
  assert.equal(log.findSubmission('first'), null);
  assert.equal(log.findSubmission('second')?.state, 'signed');
});

test('a new store belongs to whoever claims it first; others learn in what they differ', (t) => {
  const path = storePath(t);
  assert.deepEqual(open(t, path).claim(IDENTITY), []);
  assert.deepEqual(open(t, path).claim(IDENTITY), [], 'the same cluster, validator and secret may come back');
  for (const name of Object.keys(IDENTITY) as (keyof typeof IDENTITY)[])
    assert.deepEqual(open(t, path).claim({ ...IDENTITY, [name]: 'another' }), [name]);
  assert.deepEqual(
    open(t, path).claim({ genesisHash: 'a', voteAccount: 'b', serverSecretFingerprint: 'c' }),
    Object.keys(IDENTITY),
  );
  assert.deepEqual(open(t, path).claim(IDENTITY), [], 'a refused claim leaves the store as it was');
});

test('only the owner of the process may read the file, whatever the umask was', (t) => {
  const path = storePath(t);
  const before = process.umask(0);
  t.after(() => process.umask(before));
  const log = open(t, path);
  log.recordSigned(exampleIntent('sig'), null);
  for (const suffix of ['', '-wal', '-shm'])
    assert.equal(statSync(path + suffix).mode & 0o777, 0o600, `store.db${suffix}`);
});

test('a path that is a folder, or lies in none, is STORE_UNAVAILABLE', (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'store.db'));
  assert.throws(() => openSqliteIntentLog(join(folder, 'store.db')), unavailable);
  assert.throws(() => openSqliteIntentLog(join(folder, 'missing', 'store.db')), unavailable);
});

test('a file that is no store is STORE_UNAVAILABLE and stays as it was', (t) => {
  const path = storePath(t);
  writeFileSync(
    path,
    'a letter, not a database, and long enough to be read as a header of one page'.repeat(50),
  );
  const before = statSync(path).size;
  assert.throws(() => openSqliteIntentLog(path), unavailable);
  assert.equal(statSync(path).size, before);
});

test('a store that was damaged on disk answers STORE_UNAVAILABLE instead of half a record', (t) => {
  const path = storePath(t);
  const log = open(t, path);
  for (let index = 0; index < 50; index += 1)
    log.recordSigned(exampleIntent(`sig ${index}`, { key: `key ${index}` }), null);
  log.close();
  const pages = statSync(path).size;
  // The header and the schema page stay: only the rows are gone.
  const whole = Buffer.alloc(pages - 4096, 0xff);
  writeAt(path, 4096, whole);
  const damaged = open(t, path);
  assert.throws(() => damaged.find({ ...ID, key: 'key 7' }), unavailable);
  assert.throws(() => damaged.recordSigned(exampleIntent('new', { key: 'new' }), null), unavailable);
});

const writeAt = (path: string, position: number, bytes: Buffer): void => {
  const handle = openSync(path, 'r+');
  writeSync(handle, bytes, 0, bytes.length, position);
  closeSync(handle);
};

test('a store that another process holds locked for too long is STORE_UNAVAILABLE, and works again afterwards', (t) => {
  const path = storePath(t);
  const log = openSqliteIntentLog(path, { busyTimeoutMs: 50 });
  t.after(() => log.close());
  const holder = new DatabaseSync(path);
  t.after(() => holder.close());
  holder.exec('BEGIN IMMEDIATE');
  assert.throws(() => log.recordSigned(exampleIntent('sig'), null), unavailable);
  assert.equal(log.find(ID), null, 'reading goes on beside a writer');
  holder.exec('ROLLBACK');
  assert.equal(log.recordSigned(exampleIntent('sig'), null), true);
});

test('a closed store is STORE_UNAVAILABLE, for probes as for everybody', (t) => {
  const log = open(t);
  log.check();
  log.close();
  assert.throws(() => log.check(), unavailable);
  assert.throws(() => log.find(ID), unavailable);
});

test('the error tells callers nothing about the file; its cause does, for the log', (t) => {
  const path = join(temporaryFolder(t), 'missing', 'store.db');
  assert.throws(
    () => openSqliteIntentLog(path),
    (error: unknown) => {
      assert.ok(isAppError(error));
      assert.equal(error.retryAfterSeconds, 5);
      assert.ok(!error.message.includes(path) && !error.message.includes('sqlite'));
      assert.ok(error.cause instanceof Error);
      return true;
    },
  );
});

test('two processes that record the same intents at the same time share them without overlap', async (t) => {
  const path = storePath(t);
  const intents = 200;
  const processes = ['one', 'two'].map((name) =>
    spawnProcess(t, { file: 'test/support/intent-recorder.ts', args: [path, name, String(intents)] }),
  );
  const won = await Promise.all(
    processes.map(async (recorder) => Number((await recorder.output(/won (\d+)/))[1])),
  );
  assert.equal(won[0]! + won[1]!, intents, `won ${won.join(' and ')}`);
  const log = open(t, path);
  for (let index = 0; index < intents; index += 1)
    assert.match(log.find({ ...ID, key: `key ${index}` })!.submission.signature, /^(one|two) \d+$/);
});

test('what was acknowledged before `kill -9` is there afterwards', async (t) => {
  const path = storePath(t);
  const recorder = spawnProcess(t, {
    file: 'test/support/intent-recorder.ts',
    args: [path, 'one', '1000000'],
  });
  await recorder.output(/recorded 500\n/);
  await recorder.stop('SIGKILL');
  const acknowledged = Number([...recorder.stdout.matchAll(/recorded (\d+)\n/g)].at(-1)![1]);
  const log = open(t, path);
  for (let index = 0; index < acknowledged; index += 1)
    assert.ok(log.find({ ...ID, key: `key ${index}` }), `intent ${index} of ${acknowledged}`);
});
