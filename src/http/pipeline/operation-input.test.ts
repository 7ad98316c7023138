// Tests that an operation's input is collected from all its sources, validated as a whole, and never echoed in
// an error.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { parseJsonBody } from '../../adapter/parse-json-body.ts';
import { parseInput } from '../../adapter/validation-issues.ts';
import { AppError } from '../../kernel/app-error.ts';
import type { OperationName } from '../../kernel/guidance.ts';
import { JsonNumber } from '../../kernel/json-number.ts';
import { defineOperation } from '../../operations/operation.ts';
import { idempotencyKeySchema, solAmount } from '../../operations/shared-schemas.ts';
import { planInput, type RawInput, readInput } from './operation-input.ts';
import { parseQuery } from './parse-query.ts';
import type { Route } from './route.ts';

const operation = defineOperation({
  name: 'sample' as OperationName,
  summary: 's',
  description: 'd',
  effect: 'read',
  input: z.object({
    id: z.string(),
    wallet: z.string(),
    limit: z.number().int().max(200).nullable().default(50),
    all: z.boolean().optional(),
    idempotencyKey: idempotencyKeySchema,
  }),
  output: z.object({}),
  errors: [],
  run: async () => ({ body: {} }),
});

const routeOf = (route: Partial<Route>): Route => ({
  operation,
  method: 'GET',
  path: '/x/{id}',
  browsers: 'public',
  tag: 'Service',
  ...route,
});

const read = (route: Partial<Route>, raw: Partial<RawInput>) =>
  readInput(planInput(routeOf(route)), {
    path: { id: '1' },
    query: new Map(),
    body: {},
    idempotencyKey: undefined,
    bearerToken: undefined,
    ...raw,
  });

const issuesOf = (run: () => unknown): string[] => {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error.details?.map(({ path, code }) => `${path} ${code}`) ?? [];
    throw error;
  }
  return ['nothing was refused'];
};

describe('the input of an operation', () => {
  it('GET takes all fields from path and query, converted to the types of the schema', () => {
    const input = read({}, { query: parseQuery('/x?wallet=5&limit=7&all=true', ['wallet', 'limit', 'all']) });
    assert.deepEqual(input, { id: '1', wallet: '5', limit: 7, all: true });
    assert.deepEqual(
      issuesOf(() => read({}, { body: { wallet: 'w' } })),
      ['wallet required'],
    );
  });

  it('POST takes all fields except those of the path from the body', () => {
    assert.equal(read({ method: 'POST' }, { body: { wallet: 'w' } }).wallet, 'w');
    assert.deepEqual(
      issuesOf(() => read({ method: 'POST' }, { query: new Map([['wallet', 'w']]) })),
      ['wallet required'],
    );
    const route = { method: 'POST', query: ['limit'] } as const;
    assert.equal(read(route, { body: { wallet: 'w' }, query: new Map([['limit', '9']]) }).limit, 9);
  });

  it('DELETE takes fields from the query or the body, and refuses two different values', () => {
    const query = new Map([['wallet', 'w']]);
    assert.equal(read({ method: 'DELETE' }, { query }).wallet, 'w');
    assert.equal(read({ method: 'DELETE' }, { body: { wallet: 'w' } }).wallet, 'w');
    assert.equal(read({ method: 'DELETE' }, { query, body: { wallet: 'w' } }).wallet, 'w');
    assert.deepEqual(
      issuesOf(() => read({ method: 'DELETE' }, { query, body: { wallet: 'v' } })),
      ['wallet conflict'],
    );
    assert.deepEqual(
      issuesOf(() => read({ method: 'DELETE' }, { query, body: { id: '2' } })),
      ['id conflict'],
    );
  });

  it('text becomes a number only if it consists of plain decimal digits', () => {
    for (const text of ['', 'x', '1x', '0x10', 'Infinity', ' 1', '1e3', '--1'])
      assert.deepEqual(
        issuesOf(() =>
          read(
            {},
            {
              query: new Map([
                ['wallet', 'w'],
                ['limit', text],
              ]),
            },
          ),
        ),
        ['limit invalid_type'],
        text,
      );
  });

  it('the header sets the idempotency key', () => {
    const raw = { body: { wallet: 'w', idempotencyKey: 'body' }, idempotencyKey: 'header' };
    assert.equal(read({ method: 'POST' }, raw).idempotencyKey, 'header');
    assert.deepEqual(
      issuesOf(() => read({ method: 'POST' }, { ...raw, idempotencyKey: 'a b' })),
      ['idempotencyKey invalid_format'],
    );
  });

  it('a path parameter missing in the input is a programming error that startup reports', () => {
    assert.throws(() => planInput(routeOf({ path: '/x/{nobody}' })), /nobody/);
  });
});

describe('amounts', () => {
  const amount = z.object({ amountSol: solAmount('a') });
  const lamports = (text: string) =>
    amount.safeParse(parseJsonBody(Buffer.from(`{"amountSol":${text}}`))).data?.amountSol;

  it('keep the text of the request', () => {
    const body = parseJsonBody(Buffer.from('{"amountSol":0.1,"other":0.1,"list":[{"minSol":1e-9}]}'));
    assert.deepEqual(body, {
      amountSol: new JsonNumber('0.1'),
      other: 0.1,
      list: [{ minSol: new JsonNumber('1e-9') }],
    });
    assert.deepEqual(parseJsonBody(Buffer.from('{"amount\\u0053ol":2}')), { amountSol: new JsonNumber('2') });
  });

  it('are exact even if a double is not', () => {
    assert.equal(lamports('8999999.999999999'), 8_999_999_999_999_999n);
    assert.equal(lamports('1.0000000001'), undefined);
    assert.equal(lamports('"1"'), undefined);
    const { issues } = parseInput(z.object({ amountSol: solAmount('x') }), { amountSol: '1' });
    assert.deepEqual(issues, [
      {
        path: 'amountSol',
        code: 'invalid_type',
        message: 'must be a number, without quotes',
        params: { expected: 'number' },
      },
    ]);
  });
});

describe('refusals', () => {
  it('list every issue without the values', () => {
    const run = () =>
      read(
        { method: 'POST' },
        { body: { wallet: 5, limit: 'MARKED', all: 'MARKED', limt: 'MARKED', MARKED1: 1 } },
      );
    assert.deepEqual(issuesOf(run), [
      'wallet invalid_type',
      'limit invalid_type',
      'all invalid_type',
      'limt unknown_field',
      ' unknown_field',
    ]);
    assert.throws(
      run,
      (error: AppError) => !JSON.stringify([error.message, error.details]).includes('MARKED'),
    );
  });

  it('that are caused by broken JSON do not quote it', () => {
    for (const text of ['{"MARKED', 'MARKED', '{"a":"MARKED\u0001"}', '[{"MARKED":1}]'])
      assert.throws(
        () => parseJsonBody(Buffer.from(text)),
        (error: AppError) => error.code === 'VALIDATION_ERROR' && !error.message.includes('MARKED'),
      );
  });

  it('include broken encodings and repeated fields in the query', () => {
    assert.deepEqual(
      issuesOf(() => parseQuery('/x?a=%zz&b=%ff&c=1&c=2', ['c'])),
      ['query invalid_encoding', 'query invalid_encoding', 'c conflict'],
    );
    assert.deepEqual(
      [...parseQuery('/x?c=1&c=1&d=a+b%2B&d2=1&e&&=x', ['c', 'd', 'e'])],
      [
        ['c', '1'],
        ['d', 'a b+'],
        ['e', ''],
      ],
    );
  });
});
