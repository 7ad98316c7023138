// Tests that every operation is a method, options apply to each call, responses keep all digits, and only the
// client's own error is thrown.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { json, type ScriptedResponse, startScriptedService } from '../test/client/scripted-service.ts';
import { operations } from './generated/all-operations.ts';
import { createHoldfastClient, type HoldfastClient, type HoldfastClientOptions } from './holdfast-client.ts';

const start = async (
  t: TestContext,
  responses: readonly ScriptedResponse[],
  options: Partial<HoldfastClientOptions> = {},
) => {
  const service = await startScriptedService(t, responses);
  return { service, client: createHoldfastClient({ baseUrl: `${service.url}//`, ...options }) };
};

test('every operation has a method, and a second one if it has an alternative content type', () => {
  const client = createHoldfastClient({ baseUrl: 'https://stake.example' }) as unknown as Record<
    string,
    unknown
  >;
  for (const name of Object.keys(operations)) assert.equal(typeof client[name], 'function', name);
  assert.equal(typeof client.stakingRewardsCsv, 'function');
  assert.equal(client.baseUrl, 'https://stake.example');
});

test('a call that requires at least one of several fields does not compile if all are missing', () => {
  const neverCalled = ({
    createStakeTransaction,
    createUnstakeTransaction,
    createWithdrawTransaction,
  }: HoldfastClient) => {
    const wallet = { walletAddress: 'w' };
    // @ts-expect-error an amount or sources are needed
    createStakeTransaction(wallet);
    // @ts-expect-error undefined is not an amount
    createStakeTransaction({ ...wallet, amountSol: undefined });
    // @ts-expect-error an account or an amount is needed
    createUnstakeTransaction(wallet);
    // @ts-expect-error an account or all is needed
    createWithdrawTransaction({ ...wallet, amountSol: 2 });
    createStakeTransaction({ ...wallet, from: ['idle'] });
    createStakeTransaction({ ...wallet, amountSol: 2, into: 'a' });
    createUnstakeTransaction({ ...wallet, stakeAccountAddress: 'a', amountSol: '1.5' });
    createWithdrawTransaction({ ...wallet, all: true });
  };
  assert.equal(typeof neverCalled, 'function');
});

test('send returns the original text in addition to the parsed body, which may have lost digits', async (t) => {
  const text = '{"lamports":9007199254740993, "sol":9007199.254740993}';
  const { client } = await start(t, [{ status: 203, headers: { 'x-request-id': 'r-1' }, body: text }]);
  const sent = await client.send('epoch');
  assert.deepEqual(
    [sent.text, sent.status, sent.headers.get('x-request-id'), sent.idempotencyKey],
    [text, 203, 'r-1', undefined],
  );
  assert.equal((sent.body as unknown as { lamports: number }).lamports, 9_007_199_254_740_992);
});

test('an alternative content type is requested by its name and returned as text, and a refusal still rejects with an error', async (t) => {
  const { client, service } = await start(t, [
    { status: 200, body: 'epoch,sol\n' },
    json(400, { errorCode: 'VALIDATION_ERROR', message: 'No.' }),
  ]);
  assert.equal(await client.stakingRewardsCsv({ walletAddress: 'w', epochs: 3 }), 'epoch,sol\n');
  const [{ url, headers }] = service.seen as [(typeof service.seen)[0]];
  assert.deepEqual([url, headers.accept], ['/api/v1/stake/rewards/w?epochs=3&format=csv', 'text/csv']);
  await assert.rejects(client.stakingRewardsCsv({ walletAddress: 'w' }), { errorCode: 'VALIDATION_ERROR' });
});

test('idempotency keys are random and different for each call, or come from the caller’s own function', async (t) => {
  const { client, service } = await start(t, [json(200, {})]);
  for (let call = 0; call < 3; call += 1)
    await client.createStakeTransaction({ walletAddress: 'w', amountSol: 2 });
  const keys = service.seen.map(({ headers }) => headers['idempotency-key']);
  assert.equal(new Set(keys).size, 3);
  const own = await start(t, [json(200, {})], { idempotencyKey: (operation) => `mine-${operation}` });
  const { idempotencyKey } = await own.client.send('createStakeTransaction', {
    walletAddress: 'w',
    amountSol: 2,
  });
  assert.equal(idempotencyKey, 'mine-createStakeTransaction');
});

test('if the browser lacks randomUUID, idempotency keys are still 128 random bits', async (t) => {
  const { client, service } = await start(t, [json(200, {})]);
  const original = crypto.randomUUID;
  // `randomUUID` is missing on pages over plain HTTP.
  Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
  t.after(() => Object.defineProperty(crypto, 'randomUUID', { value: original, configurable: true }));
  for (let call = 0; call < 2; call += 1)
    await client.createStakeTransaction({ walletAddress: 'w', amountSol: 2 });
  const [one, other] = service.seen.map(({ headers }) => headers['idempotency-key']);
  assert.match(String(one), /^[0-9a-f]{32}$/);
  assert.notEqual(one, other);
});

test('the number of retries set for a call takes precedence over the number set for the client', async (t) => {
  const down = json(503, { errorCode: 'UPSTREAM_UNAVAILABLE' }, { 'retry-after': '0' });
  const { client, service } = await start(t, [down], { retries: 1, random: () => 0 });
  await assert.rejects(client.epoch(), { errorCode: 'UPSTREAM_UNAVAILABLE', retryAfterSeconds: 0 });
  assert.equal(service.seen.length, 2);
  await assert.rejects(client.epoch({}, { retries: 2 }));
  assert.equal(service.seen.length, 5);
  await assert.rejects(client.epoch({}, { retries: 0 }));
  assert.equal(service.seen.length, 6);
});

test('fields that cannot be part of a URL are refused with the client’s own error, before any request', async (t) => {
  const { client, service } = await start(t, [json(200, {})]);
  for (const id of ['..', '.', '\ud800', ''])
    await assert.rejects(client.rotateWebhookSecret({ id }, { bearer: 'whsec_x' }), {
      name: 'HoldfastError',
      errorCode: 'INVALID_INPUT',
      operation: 'rotateWebhookSecret',
    });
  assert.equal(service.seen.length, 0);
});
