// Tests that a tool runs the operation of its REST counterpart with its own argument names, and takes a key
// only from the extracted bytes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { printGuidance } from '../../test/support/guidance-text.ts';
import type { CachedResponse, CachedResponses } from '../adapter/cached-responses.ts';
import { solNumber } from '../domain/lamports.ts';
import { AppError } from '../kernel/app-error.ts';
import { systemClock } from '../kernel/clock.ts';
import type { OperationName } from '../kernel/guidance.ts';
import { SecretBytes } from '../kernel/secret-bytes.ts';
import type { Context } from '../operations/context.ts';
import { defineOperation } from '../operations/operation.ts';
import { cachedToolResponse, type Runnable, runTool, type ToolCall, type ToolServing } from './tool-call.ts';

const operationWith = (run: () => Promise<{ body: { answered: string } }>, seen: unknown[] = []) =>
  defineOperation({
    name: 'act' as OperationName,
    summary: 'Act',
    description: 'Acts.',
    effect: 'act',
    errors: ['NOT_FOUND'],
    input: z.object({ id: z.string().min(2), walletAddress: z.string(), secretKey: z.unknown().optional() }),
    output: z.object({ answered: z.string() }),
    run: async ({ input }) => {
      seen.push(input);
      return run();
    },
  });

const play = (
  tool: Omit<Runnable, 'operation'>,
  call: Partial<ToolCall>,
  run = async () => ({ body: { answered: 'a\nb' } }),
) => {
  const seen: Record<string, unknown>[] = [];
  const serving: ToolServing = {
    ctx: { clock: systemClock } as unknown as Context,
    source: { documentationUrl: 'http://here/docs', clusterName: () => 'test', printGuidance },
    cachedResponses: (() => assert.fail('no response is cached in this test')) as unknown as CachedResponses,
    endpointOf: () => null,
  };
  const whole: ToolCall = {
    arguments: {},
    secret: undefined,
    client: 'c',
    signal: new AbortController().signal,
    ...call,
  };
  return { response: runTool(serving, { operation: operationWith(run, seen), ...tool }, whole), seen };
};
const RENAMED = { argumentNames: { id: 'webhookId' } };

test('an argument is accepted under the tool’s own name for it and not under the name of the field', async () => {
  const good = play(RENAMED, { arguments: { webhookId: 'abc', walletAddress: 'w', id: 'other' } });
  const { isError, status, body, json, text } = await good.response;
  assert.deepEqual(
    [isError, status, body.answered, good.seen],
    [false, 200, 'a b', [{ id: 'abc', walletAddress: 'w' }]],
  );
  assert.equal(text, 'answered: a b');
  assert.deepEqual(JSON.parse(json), body);
  assert.ok(body._meta);
  const bad = await play(RENAMED, { arguments: { id: 'abc', walletAddress: 'w' } }).response;
  assert.deepEqual([bad.isError, bad.status, bad.body.errorCode], [true, 400, 'VALIDATION_ERROR']);
});

test('a problem with an argument is reported under the name that the caller used', async () => {
  const { body } = await play(RENAMED, { arguments: { webhookId: 'a' } }).response;
  const paths = (body.details as { path: string }[]).map(({ path }) => path);
  assert.deepEqual(paths, ['webhookId', 'walletAddress']);
});

test('an argument can select a different operation, which refuses unknown fields', async () => {
  const seen: unknown[] = [];
  const operation = defineOperation({
    name: 'other' as OperationName,
    summary: 'Other',
    description: 'Another.',
    effect: 'build',
    errors: [],
    input: z.object({ walletAddress: z.string(), accountAddress: z.string() }),
    output: z.object({}),
    run: async ({ input }) => {
      seen.push(input);
      return { body: {} };
    },
  });
  const instead = { member: 'accountAddress', operation };
  const meant = { walletAddress: 'w', accountAddress: 'a' };
  const { isError } = await play({ instead }, { arguments: meant }).response;
  assert.deepEqual([isError, seen], [false, [meant]]);
  const { body: nothing } = await play({ instead }, { arguments: {} }).response;
  assert.deepEqual(
    (nothing.details as { path: string; message: string }[]).map(({ path, message }) => [path, message]),
    [
      ['id', 'is required, unless you pass accountAddress'],
      ['walletAddress', 'is required'],
    ],
  );
  const both = await play({ instead }, { arguments: { ...meant, id: 'abc' } }).response;
  assert.deepEqual(
    [both.body.errorCode, (both.body.details as { path: string }[]).map(({ path }) => path)],
    ['VALIDATION_ERROR', ['id']],
  );
  const without = play({ instead }, { arguments: { walletAddress: 'w', id: 'abc', accountAddress: null } });
  await without.response;
  assert.deepEqual([without.seen.length, seen.length], [1, 1]);
});

test('an unknown argument is refused, unlike an argument that selects a form of the response', async () => {
  const args = { id: 'abc', walletAddress: 'w' };
  const misspelled = await play({}, { arguments: { ...args, walletAdress: 'w' } }).response;
  const issues = (misspelled.body.details as { path: string; code: string }[]).map(
    ({ path, code }) => `${path} ${code}`,
  );
  assert.deepEqual(issues, ['walletAdress unknown_field']);
  const view = { input: z.object({ detail: z.string() }), output: z.object({}), apply: () => ({}) };
  assert.equal((await play({ view }, { arguments: { ...args, detail: 'full' } }).response).isError, false);
});

test('a key is taken only from the extracted bytes, and a string argument with its name is ignored', async () => {
  const args = { id: 'abc', walletAddress: 'w', secretKey: 'MARKED' };
  using secret = new SecretBytes(64);
  const given = play({ carriesSecretKey: true }, { arguments: args, secret });
  await given.response;
  assert.equal(given.seen[0]?.secretKey, secret);
  const none = play({ carriesSecretKey: true }, { arguments: args });
  await none.response;
  assert.ok(!Object.hasOwn(none.seen[0] ?? {}, 'secretKey'));
  const unread = play({ carriesSecretKey: true }, { arguments: args, secret: null });
  await unread.response;
  assert.equal(unread.seen[0]?.secretKey, null);
});

test('a failure that the caller can fix becomes a response, and an internal error is thrown', async () => {
  const args = { id: 'abc', walletAddress: 'w' };
  const refused = await play({}, { arguments: args }, async () => {
    throw new AppError('NOT_FOUND', 'Nothing.\u0000', { retryAfterSeconds: 3 });
  }).response;
  assert.deepEqual(
    [refused.isError, refused.status, refused.retryAfterSeconds, refused.body.message],
    [true, 404, 3, 'Nothing.'],
  );
  const bug = new RangeError('inside');
  const broken = play({}, { arguments: args }, async () => {
    throw bug;
  }).response;
  await assert.rejects(broken, (error) => error === bug);
});

test('a cached response is the current one or the one being loaded, and is formatted for agents only once', async () => {
  const response = (answered: string): CachedResponse => ({
    response: { answered },
    bytes: Buffer.from(JSON.stringify({ answered })),
    etag: '"e"',
    filledAtMs: 0,
    basis: '',
  });
  const [fresh, filled] = [response('at hand\u0000'), response('filled')];
  assert.equal(cachedToolResponse(fresh, { printGuidance }), cachedToolResponse(fresh, { printGuidance }));
  assert.notEqual(
    cachedToolResponse(fresh, { printGuidance }),
    cachedToolResponse(filled, { printGuidance }),
  );
  const answered = async (peeked: CachedResponse | null): Promise<unknown> => {
    const operation = operationWith(() => assert.fail('a cached response does not run the operation'));
    const endpoint = { operation, path: '/cached', cacheTtlSeconds: 60 };
    const serving = {
      cachedResponses: () => ({ peek: () => peeked, refill: async () => filled }),
      endpointOf: () => endpoint,
      ctx: { clock: systemClock },
      source: { printGuidance },
    } as unknown as ToolServing;
    const call = { arguments: {}, secret: undefined, client: 'c', signal: new AbortController().signal };
    return (await runTool(serving, { operation }, call)).body.answered;
  };
  assert.deepEqual([await answered(fresh), await answered(null)], ['at hand', 'filled']);
});

test('an amount of a cached response is exact to the lamport even beyond the precision of doubles', () => {
  const response = { activatedStakeSol: solNumber(12_345_678_123_456_789n), commission: 5 };
  const cached = { response, bytes: Buffer.from(''), etag: '"e"', filledAtMs: 0, basis: '' };
  assert.equal(
    cachedToolResponse(cached, { printGuidance }).json,
    '{"activatedStakeSol":12345678.123456789,"commission":5}',
  );
});
