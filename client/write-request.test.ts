// Tests that a request matches its route, sends a secret key only over a private connection, and contains only
// the given fields.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HoldfastError } from './holdfast-error.ts';
import type { OperationFacts } from './operation-facts.ts';
import { type RequestParts, readBaseUrl, writeRequest } from './write-request.ts';

const facts: OperationFacts = { method: 'GET', path: '/api/{a}/{b}', effect: 'read', query: ['q'], body: [] };
const write = (more: Partial<RequestParts> = {}) =>
  writeRequest({
    operation: 'x',
    facts,
    baseUrl: 'http://127.0.0.1:3000',
    input: { a: 1, b: 'c' },
    idempotencyKey: undefined,
    bearer: undefined,
    alternative: false,
    ...more,
  });
const refusedFor = (more: Partial<RequestParts>): string => {
  try {
    write(more);
  } catch (error) {
    assert.ok(error instanceof HoldfastError);
    return error.errorCode;
  }
  return 'written';
};

test('a secret key is sent over https, or over http to this machine, and never otherwise', () => {
  const keyed = { ...facts, carriesSecretKey: true } as OperationFacts;
  const code = (baseUrl: string) => refusedFor({ facts: keyed, baseUrl });
  for (const url of [
    'https://stake.example',
    'http://localhost:1',
    'http://127.0.0.1',
    'http://127.1.2.3:9',
    'http://[::1]:3000',
  ])
    assert.equal(code(url), 'written', url);
  for (const url of [
    'http://stake.example',
    'http://10.0.0.1',
    'http://127.0.0.1.example.org',
    'http://localhost.example.org',
    'http://xlocalhost',
    'http://[::2]',
  ])
    assert.equal(code(url), 'INSECURE_URL', url);
  assert.equal(
    refusedFor({ baseUrl: 'http://stake.example' }),
    'written',
    'a request without a key contains no secret',
  );
});

test('each field of the path is encoded as one segment, and a missing field is refused', () => {
  assert.equal(write({ input: { a: '../x', b: 'y?z#1' } }).url, 'http://127.0.0.1:3000/api/..%2Fx/y%3Fz%231');
  for (const a of [undefined, null, '']) assert.equal(refusedFor({ input: { a, b: 1 } }), 'INVALID_INPUT');
  assert.equal(write({ input: { a: 0, b: false } }).url, 'http://127.0.0.1:3000/api/0/false');
});

test('a path field cannot change the route or contain half of a surrogate pair', () => {
  for (const a of ['.', '..', '\ud800', 'x\udc00']) {
    assert.equal(refusedFor({ input: { a, b: 1 } }), 'INVALID_INPUT', JSON.stringify(a));
    assert.equal(refusedFor({ input: { a: 1, b: a } }), 'INVALID_INPUT', JSON.stringify(a));
  }
  // A URL parser, as used by `fetch`, finds the same parts.
  for (const a of ['...', '.x', '%2e%2e', '..\\', 'ž漢😀', ' ', '\n'])
    assert.equal(decodeURIComponent(new URL(write({ input: { a, b: 1 } }).url).pathname), `/api/${a}/1`);
});

test('a value that a header cannot carry unchanged is refused before anything is sent, and never quoted', () => {
  for (const value of [
    'hunter2\nx: y',
    'hunter2\r',
    'hunter2\0',
    'hunter2ä',
    'заказ-hunter2',
    'hunter2\u007f',
  ])
    for (const name of ['idempotencyKey', 'bearer'])
      assert.throws(
        () => write({ [name]: value }),
        (error: HoldfastError) => {
          assert.equal(error.errorCode, 'INVALID_INPUT');
          assert.ok(error.message.startsWith(name) && !error.message.includes('hunter2'), error.message);
          return true;
        },
      );
});

test('a value that JSON cannot represent is refused with the original error as cause', () => {
  const posting = { ...facts, method: 'POST', body: ['n'] } as OperationFacts;
  const circle: unknown[] = [];
  circle.push(circle);
  for (const n of [1n, circle])
    assert.equal(refusedFor({ facts: posting, input: { a: 1, b: 2, n } }), 'INVALID_INPUT');
});

test('the query contains the given fields, and requests the alternative content type if asked to', () => {
  const url = (more: Partial<RequestParts>) => new URL(write(more).url).search;
  assert.equal(url({}), '');
  assert.equal(url({ input: { a: 1, b: 2, q: null, z: undefined } }), '');
  assert.equal(url({ input: { a: 1, b: 2, q: 0 } }), '?q=0');
  const csv = { ...facts, alternative: { type: 'text/csv', name: 'format', value: 'csv' } } as OperationFacts;
  assert.equal(url({ facts: csv, alternative: true }), '?format=csv');
  assert.equal(url({ facts: csv }), '');
  assert.equal(write({ facts: csv, alternative: true }).init.headers.accept, 'text/csv');
});

test('a field that the operation does not have is refused, and the error names the most similar one', () => {
  const acting = { ...facts, body: ['priority', 'voteAccount'] } as OperationFacts;
  const message = (name: string): string => {
    try {
      return write({ facts: acting, input: { a: 1, b: 2, [name]: 1 } }).url;
    } catch (error) {
      const { errorCode, message, suggestedAction } = error as HoldfastError;
      assert.equal(errorCode, 'INVALID_INPUT');
      return `${message} ${suggestedAction}`;
    }
  };
  assert.equal(
    message('priorty'),
    'x has no field priorty; did you mean priority? Nothing was sent. Rename priorty to priority.',
  );
  assert.match(message('vote_account'), /did you mean voteAccount\?/);
  assert.match(
    message('zz'),
    /^x has no field zz\. Nothing was sent\. Leave out zz\. The fields are .*priority, /,
  );
  assert.match(message('idempotencyKey'), /^http/);
});

test('a request has only the required headers', () => {
  assert.deepEqual(write().init, { method: 'GET', headers: { accept: 'application/json' } });
  const acting = { ...facts, method: 'POST', body: ['amountSol', 'absent'] } as OperationFacts;
  assert.deepEqual(
    write({
      facts: acting,
      input: { a: 1, b: 2, amountSol: '1.10', extra: undefined },
      idempotencyKey: 'k',
      bearer: 's',
    }).init,
    {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'idempotency-key': 'k',
        authorization: 'Bearer s',
      },
      body: '{"amountSol":1.1}',
    },
  );
  const text = { ...facts, text: { member: 'source', headers: {} } } as OperationFacts;
  assert.equal(write({ facts: text }).init.headers.accept, 'text/plain, application/json');
});

test('a base URL loses its trailing slashes and keeps its path; a base URL with a query or credentials is refused', () => {
  assert.equal(readBaseUrl('https://x.example/a/b//'), 'https://x.example/a/b');
  assert.equal(readBaseUrl('http://x.example'), 'http://x.example');
  for (const text of ['x', 'file:///x', 'https://u@x', 'https://:p@x', 'https://x/?a=1', 'https://x/#f'])
    assert.throws(
      () => readBaseUrl(text),
      /^TypeError: baseUrl (is not an http or https URL|must not contain)/,
      text,
    );
});
