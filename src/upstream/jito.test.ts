// Jito's requests and warnings. The test of guarantee UP-1 mutates every field of its responses.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  type ProviderCall,
  type ProviderResponse,
  startScriptedProvider,
} from '../../test/support/scripted-provider.ts';
import { createManualClock } from '../../test/support/steerable-clock.ts';
import { createLogger } from '../kernel/log/logger.ts';
import { createJito } from './jito.ts';
import { stakersMevLamports } from './mev-statistics.ts';

const OURS = 'Babwmn9mc6PDaj1MHY6cgZ7YSTbqfASo8XXbDfEmQ3ua';
const signal = new AbortController().signal;
const fixture = (name: string) => readFile(join(import.meta.dirname, 'fixtures', name), 'utf8');
const [LIST, REWARDS] = await Promise.all([
  fixture('jito-validators.json'),
  fixture('jito-validator-rewards.json'),
]);

const provider = async (script: (call: ProviderCall) => ProviderResponse) => {
  const server = await startScriptedProvider(script);
  const clock = createManualClock();
  const jito = createJito({
    url: server.url,
    voteAccount: OURS,
    timeoutMs: 60_000,
    clock,
    logger: createLogger('silent'),
    lifetimes: { commissionMs: 60_000, rewardsMs: 60_000 },
  });
  return {
    server,
    clock,
    jito,
    [Symbol.asyncDispose]: async () => {
      await jito.close();
      await server[Symbol.asyncDispose]();
    },
  };
};

const byMethod = (list: ProviderResponse, rewards: ProviderResponse) => (call: ProviderCall) =>
  call.method === 'POST' ? list : rewards;

/** Returns the list with changes to our entry. */
const listWith = (changes: Readonly<Record<string, unknown>>): ProviderResponse => {
  const { validators } = JSON.parse(LIST);
  return { body: JSON.stringify({ validators: [{ ...validators[0], ...changes }, ...validators.slice(1)] }) };
};

test('the epoch of a commission is sent in the request body, which is the only way to choose it', async () => {
  await using it = await provider(byMethod({ body: LIST }, { status: 500, body: '' }));
  const { value, warnings } = await it.jito.commission(1_047, signal);
  assert.deepEqual(value, { epoch: 1_047, commissionBps: 0, runsJito: true });
  assert.deepEqual(warnings, []);
  const [call] = it.server.calls;
  assert.deepEqual(
    [call?.method, call?.url, call?.body, call?.headers['content-type']],
    ['POST', '/api/v1/validators', '{"epoch":1047}', 'application/json'],
  );
});

test('each epoch is requested once and then served from the cache', async () => {
  await using it = await provider(byMethod({ body: LIST }, { body: REWARDS }));
  await it.jito.commission(1_047, signal);
  await it.jito.commission(1_047, signal);
  await it.jito.commission(1_048, signal);
  assert.deepEqual(
    it.server.calls.map(({ body }) => body),
    ['{"epoch":1047}', '{"epoch":1048}'],
  );
});

test('rewards are exact amounts in lamports by epoch, newest first', async () => {
  const entries = [
    { epoch: 5, mev_commission_bps: 800, mev_rewards: 1 },
    { epoch: 7, mev_commission_bps: 0, mev_rewards: 'BIG' },
  ];
  const body = JSON.stringify(entries).replace('"BIG"', '123456789012345678');
  await using it = await provider(() => ({ body }));
  const { value, warnings } = await it.jito.rewards(signal);
  assert.deepEqual(value, [
    { epoch: 7, mevLamports: 123_456_789_012_345_678n, commissionBps: 0 },
    { epoch: 5, mevLamports: 1n, commissionBps: 800 },
  ]);
  assert.deepEqual(warnings, []);
  assert.deepEqual(
    it.server.calls.map(({ method, url }) => `${method} ${url}`),
    [`GET /api/v1/validators/${OURS}`],
  );
});

test('a validator without a commission in this epoch gets the commission of the latest finished epoch, together with that epoch', async () => {
  for (const [list, runsJito, words] of [
    [{ body: '{"validators":[]}' }, null, ['validator-missing']],
    [listWith({ mev_commission_bps: null }), true, ['field-missing']],
    [listWith({ mev_commission_bps: 10_001 }), true, ['field-invalid']],
    [{ status: 500, body: '{"validators":[]}' }, null, ['http-error']],
  ] as const) {
    await using it = await provider(byMethod(list, { body: REWARDS }));
    const { value, warnings } = await it.jito.commission(1_047, signal);
    assert.deepEqual(value, { epoch: 1_046, commissionBps: 0, runsJito });
    assert.deepEqual(
      warnings.map(({ word }) => word),
      words,
    );
  }
});

test('a validator that does not run Jito has no commission, even with an old entry', async () => {
  const stopped = listWith({ running_jito: false, mev_commission_bps: 800 });
  await using it = await provider(byMethod(stopped, { body: REWARDS }));
  const { value, warnings } = await it.jito.commission(1_047, signal);
  assert.deepEqual([value, warnings], [{ epoch: 1_047, commissionBps: null, runsJito: false }, []]);
  assert.equal(it.server.calls.length, 1);
});

test('a validator that Jito has never seen has no rewards and no commission, without a failure', async () => {
  await using it = await provider(byMethod({ body: '{"validators":[]}' }, { body: '[]' }));
  assert.deepEqual((await it.jito.rewards(signal)).value, []);
  assert.deepEqual((await it.jito.commission(1_047, signal)).value, {
    epoch: null,
    commissionBps: null,
    runsJito: null,
  });
});

test('a response that is not a list of validators is garbage, not a list without our validator', async () => {
  for (const body of ['[]', '{"validators":[1,2]}', '']) {
    await using it = await provider(byMethod({ body }, { status: 503, body: '' }));
    const { value, warnings } = await it.jito.commission(1_047, signal);
    assert.equal(value, null, body);
    assert.deepEqual(warnings, [{ provider: 'jito', word: 'garbage' }]);
  }
});

test("the stakers' share is the remainder after the commission, rounded down, and is unknown if the tips or the commission are unknown", () => {
  const entry = {
    epoch: 1,
    mevLamports: 4_000_000_001n,
    commissionBps: 800,
  };
  assert.equal(stakersMevLamports(entry), 3_680_000_000n);
  assert.equal(stakersMevLamports({ ...entry, commissionBps: 10_000 }), 0n);
  assert.equal(stakersMevLamports({ ...entry, commissionBps: 0 }), 4_000_000_001n);
  assert.equal(stakersMevLamports({ ...entry, commissionBps: null }), null);
  assert.equal(stakersMevLamports({ ...entry, mevLamports: null }), null);
});
