// Checks how the typed client handles failures: it retries only safe calls, with the same key and within the
// configured time, and reports the outcome.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ClientClock } from '../../client/client-clock.ts';
import { createHoldfastClient, type HoldfastClientOptions } from '../../client/holdfast-client.ts';
import { isHoldfastError } from '../../client/holdfast-error.ts';
import { createManualClock } from '../support/steerable-clock.ts';
import { newWallet } from '../support/wallets.ts';
import { json, type ScriptedResponse, startScriptedService } from './scripted-service.ts';

const { walletAddress } = newWallet();
const down = json(502, { errorCode: 'UPSTREAM_UNAVAILABLE', error: 'x', message: 'No RPC answers.' });
const fine = json(200, { fine: true });
const limit = 1;

/**
 * Creates a clock that ends the client's own waits immediately and records them. Its time limits never expire.
 */
const impatientClock = () => {
  const waitedMs: number[] = [];
  const clock: ClientClock = {
    now: () => 0,
    sleep: (ms, signal) => {
      if (ms >= 30_000)
        return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      waitedMs.push(ms);
      return signal?.aborted ? Promise.reject(signal.reason) : Promise.resolve();
    },
  };
  return { clock, waitedMs };
};

const start = async (
  t: TestContext,
  responses: readonly ScriptedResponse[],
  options: Partial<HoldfastClientOptions> = {},
) => {
  const service = await startScriptedService(t, responses);
  const { clock, waitedMs } = impatientClock();
  const client = createHoldfastClient({ baseUrl: service.url, clock, random: () => 1, ...options });
  return { service, client, waitedMs };
};

test('a read is retried through an outage with increasing waits, up to the given number of retries', async (t) => {
  const { client, service, waitedMs } = await start(t, [down, 'drop', down, fine]);
  assert.deepEqual(await client.epoch(), { fine: true });
  assert.deepEqual(waitedMs, [300, 600, 1200]);
  assert.equal(service.seen.length, 4);
  const stubborn = await start(t, [down]);
  await assert.rejects(stubborn.client.epoch({}, { retries: limit }), { errorCode: 'UPSTREAM_UNAVAILABLE' });
  assert.equal(stubborn.service.seen.length, limit + 1);
});

test('a request is retried with the same idempotency key, whether the client or the caller created it', async (t) => {
  const { client, service } = await start(t, ['drop', down, fine]);
  await client.stake({ walletAddress, secretKey: 'x', amountSol: 2 });
  const keys = new Set(service.seen.map(({ headers }) => headers['idempotency-key']));
  assert.equal(service.seen.length, 3);
  assert.equal(keys.size, 1);
  assert.match(String([...keys][0]), /^[0-9a-f-]{36}$/);
  const given = await start(t, ['drop', fine]);
  await given.client.stake({ walletAddress, secretKey: 'x', amountSol: 2 }, { idempotencyKey: 'order-7' });
  assert.deepEqual(
    given.service.seen.map(({ headers }) => headers['idempotency-key']),
    ['order-7', 'order-7'],
  );
});

test('a signed transaction is resubmitted without an idempotency key, because the same bytes can land only once', async (t) => {
  const { client, service } = await start(t, ['drop', fine]);
  await client.submitTransaction({ signedTransaction: 'AAAA' });
  assert.deepEqual(
    service.seen.map(({ headers }) => headers['idempotency-key']),
    [undefined, undefined],
  );
});

test('a request without an idempotency key is sent only once, because a failed attempt may have succeeded', async (t) => {
  for (const response of ['drop', down] as const) {
    const { client, service } = await start(t, [response]);
    await assert.rejects(
      client.sandboxEndEpochs({ count: 1 }),
      (error) => isHoldfastError(error) && error.retryable,
    );
    assert.equal(service.seen.length, 1);
  }
});

test('after a rate limit, every call waits as requested, but a wait of more than 30 s is left to the caller', async (t) => {
  const limited = (seconds: string) =>
    json(429, { errorCode: 'RATE_LIMITED', error: 'x', message: 'Slow down.' }, { 'retry-after': seconds });
  const { client, service, waitedMs } = await start(t, [limited('3'), fine]);
  await client.sandboxEndEpochs({ count: 1 });
  assert.deepEqual([waitedMs, service.seen.length], [[3500], 2]);
  const long = await start(t, [limited('60')]);
  await assert.rejects(long.client.epoch(), { errorCode: 'RATE_LIMITED', retryAfterSeconds: 60 });
  assert.equal(long.service.seen.length, 1);
});

test('refusals are never retried', async (t) => {
  const { client, service } = await start(t, [
    json(400, { errorCode: 'VALIDATION_ERROR', error: 'x', message: 'No.' }),
  ]);
  await assert.rejects(client.epoch(), { errorCode: 'VALIDATION_ERROR', message: 'No.' });
  assert.equal(service.seen.length, 1);
});

test('an unknown error code from a newer service is passed on', async (t) => {
  const { client } = await start(t, [
    json(400, { errorCode: 'OF_TOMORROW', error: 'Tomorrow', message: 'New.', extra: 7 }),
  ]);
  await assert.rejects(client.epoch(), (error) => {
    assert.ok(isHoldfastError(error, 'OF_TOMORROW'));
    assert.equal(error.body?.extra, 7);
    return true;
  });
});

test('a proxy’s error pages do not count as responses of the service, whatever their status', async (t) => {
  for (const [status, body] of [
    [200, '<html>'],
    [502, '<html>'],
    [404, '{"detail":"x"}'],
    [200, '[]'],
  ] as const) {
    const { client, service } = await start(t, [{ status, body }], { retries: limit });
    await assert.rejects(client.epoch(), { errorCode: 'BAD_ANSWER', status });
    assert.equal(service.seen.length, status === 502 ? 2 : 1);
  }
});

test('a redirect is not followed, because it could send a key or an amount to any server', async (t) => {
  const elsewhere = await startScriptedService(t, [fine]);
  const { client } = await start(t, [{ status: 307, headers: { location: elsewhere.url }, body: '' }], {
    retries: 0,
  });
  await assert.rejects(client.stake({ walletAddress, secretKey: 'x', amountSol: 2 }), {
    errorCode: 'NETWORK',
  });
  assert.equal(elsewhere.seen.length, 0);
});

test('an unreachable service is reported as NETWORK, and the message contains the origin but not the path', async (t) => {
  const { client, service } = await start(t, ['drop'], { retries: 0 });
  await assert.rejects(client.balance({ walletAddress }), (error) => {
    assert.ok(isHoldfastError(error, 'NETWORK'));
    assert.ok(error.message.includes(service.url) && !error.message.includes(walletAddress));
    assert.ok(error.cause);
    return true;
  });
});

test('an attempt that reaches its time limit ends with TIMEOUT', async (t) => {
  const clock = createManualClock();
  const { client, service } = await start(t, ['hang'], { clock, retries: 0 });
  const call = client.epoch({}, { timeoutMs: 4000 });
  const outcome = assert.rejects(call, { errorCode: 'TIMEOUT', operation: 'epoch' });
  await service.arrived(1);
  assert.deepEqual(clock.due(), [4000]);
  clock.advance(4000);
  await outcome;
  assert.deepEqual(clock.due(), []);
});

test('aborting the signal ends a call in any state: waiting for a response, waiting to retry, or not started', async (t) => {
  const reason = new Error('enough');
  const hanging = await start(t, ['hang']);
  const stop = new AbortController();
  const waiting = assert.rejects(hanging.client.epoch({}, { signal: stop.signal }), {
    errorCode: 'ABORTED',
    cause: reason,
  });
  await hanging.service.arrived(1);
  stop.abort(reason);
  await waiting;

  const clock = createManualClock();
  const retrying = await start(
    t,
    [json(502, { errorCode: 'UPSTREAM_UNAVAILABLE' }, { 'retry-after': '20' })],
    { clock },
  );
  const halt = new AbortController();
  const between = assert.rejects(retrying.client.epoch({}, { signal: halt.signal }), {
    errorCode: 'ABORTED',
  });
  await retrying.service.arrived(1);
  while (!clock.due().includes(20_500))
    await clock.sleeping(1).then(() => new Promise((resolve) => setImmediate(resolve)));
  halt.abort();
  await between;
  assert.equal(retrying.service.seen.length, 1);

  await assert.rejects(hanging.client.epoch({}, { signal: AbortSignal.abort() }), { errorCode: 'ABORTED' });
  assert.equal(hanging.service.seen.length, 1);
});

test('each field is sent exactly where the route defines it: path, query, body or bearer token', async (t) => {
  const { client, service } = await start(t, [fine]);
  await client.walletHistory({ walletAddress, limit: 5, cursor: 'a b&c' }, { bearer: 'whsec_x' });
  await client.createStakeTransaction(
    { walletAddress, amountSol: '1.000000001' },
    {
      idempotencyKey: 'k',
    },
  );
  await client.sandboxEndEpochs();
  await client.sourceFile({ filename: '../x' as never }).catch(() => undefined);
  const [history, stake, epochs, file] = service.seen;
  assert.equal(history!.url, `/api/v1/stake/history/${walletAddress}?limit=5&cursor=a+b%26c`);
  assert.equal(history!.headers.authorization, 'Bearer whsec_x');
  assert.equal(stake!.body, `{"walletAddress":"${walletAddress}","amountSol":1.000000001}`);
  assert.equal(stake!.headers['idempotency-key'], 'k');
  assert.equal(stake!.headers['content-type'], 'application/json');
  assert.equal(epochs!.body, '{}');
  assert.equal(file!.url, '/api/v1/verify/source/..%2Fx');
});

test('an invalid value is reported before anything is sent', async (t) => {
  const { client, service } = await start(t, [fine]);
  await assert.rejects(client.balance({ walletAddress: '' }), { errorCode: 'INVALID_INPUT' });
  await assert.rejects(client.simulateStake({ amountSol: 'much' }), { errorCode: 'INVALID_INPUT' });
  await assert.rejects(client.epoch({ hidden: 1 } as never), { errorCode: 'INVALID_INPUT' });
  for (const name of ['nothing', 'toString'])
    await assert.rejects(client.send(name as never), { name: 'HoldfastError', errorCode: 'INVALID_INPUT' });
  assert.equal(service.seen.length, 0);
});

test('a base URL keeps its path, and one that is invalid or contains a secret is refused without being quoted', async (t) => {
  const service = await startScriptedService(t, [fine]);
  await createHoldfastClient({ baseUrl: `${service.url}/under/here/` }).epoch();
  assert.equal(service.seen[0]!.url, '/under/here/api/v1/epoch');
  for (const baseUrl of [
    '',
    'stake.example.org',
    'ftp://x',
    'https://user:hunter2@x',
    'https://x/?key=hunter2',
  ])
    assert.throws(
      () => createHoldfastClient({ baseUrl }),
      (error: Error) => !error.message.includes('hunter2'),
    );
});
