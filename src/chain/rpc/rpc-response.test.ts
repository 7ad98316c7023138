// A response from a node is classified correctly, in particular whether the request may have arrived, which
// determines whether a stake may be sent again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NodeFailure, RpcError } from './rpc-error.ts';
import { connectionFailure, resultOf, statusFailure } from './rpc-response.ts';

const ID = 7;
const thrownBy = (text: string): unknown => {
  try {
    return assert.fail(`a response: ${resultOf(text, ID)}`);
  } catch (error) {
    return error;
  }
};
const garbage = (text: string): void => {
  const error = thrownBy(text);
  assert.ok(error instanceof NodeFailure, text);
  assert.deepEqual([error.word, error.mayHaveArrived], ['garbage', true], text);
};

test('only a request that got no connection is certain not to have arrived', () => {
  const described = (code: unknown) => {
    const { word, mayHaveArrived } = connectionFailure(Object.assign(new Error('x'), { code }));
    return [word, mayHaveArrived];
  };
  for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])
    assert.deepEqual(described(code), ['unreachable', false], code);
  for (const code of ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])
    assert.deepEqual(described(code), ['timeout', true]);
  assert.deepEqual(described('UND_ERR_RES_EXCEEDED_MAX_SIZE'), ['garbage', true]);
  for (const code of ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'of a later version', undefined, 42])
    assert.deepEqual(described(code), ['reset', true], String(code));
});

test('only statuses 200 and 400 carry a response, and only a 429 proves that the request was not processed', () => {
  assert.equal(statusFailure(200, undefined, ''), null);
  assert.equal(statusFailure(400, '5', ''), null);
  for (const status of [201, 204, 301, 401, 403, 404, 413, 500, 502, 503, 504]) {
    const failure = statusFailure(status, '5', '<html>');
    assert.ok(failure instanceof NodeFailure);
    assert.deepEqual(
      [failure.word, failure.mayHaveArrived, failure.retryAfterMs],
      ['http-error', true, undefined],
      String(status),
    );
  }
});

test('after a 429 the caller waits for Retry-After, up to a minute; an invalid number of seconds is ignored', () => {
  const waitMs = (header: string | string[] | undefined) => {
    const failure = statusFailure(429, header, '');
    assert.ok(failure instanceof NodeFailure);
    assert.deepEqual([failure.word, failure.mayHaveArrived], ['rate-limited', false]);
    return failure.retryAfterMs;
  };
  assert.deepEqual(['0', '1', '60', '61', '86400'].map(waitMs), [0, 1_000, 60_000, 60_000, 60_000]);
  for (const header of [undefined, '', '-1', '1.5', '1e3', ' 5', 'Wed, 21 Oct 2026 07:28:00 GMT'])
    assert.equal(waitMs(header), undefined, String(header));
  assert.equal(waitMs(['1', '2']), undefined);
});

test("any value is a valid result, including null, but only for this request's id", () => {
  const responses: readonly [string, unknown][] = [
    ['null', null],
    ['false', false],
    ['0', 0],
    ['18446744073709551615', 2n ** 64n - 1n],
    ['{"error":{"code":1}}', { error: { code: 1 } }],
  ];
  for (const [text, value] of responses)
    assert.deepEqual(resultOf(`{"jsonrpc":"2.0","id":${ID},"result":${text}}`, ID), value);
  assert.equal(resultOf(`{"id":${ID},"result":1,"error":null}`, ID), 1);
  for (const id of ['8', '"7"', 'null', '7.5', '[7]']) garbage(`{"id":${id},"result":1}`);
  garbage('{"result":1}');
  garbage(`{"id":${ID}}`);
});

test('text that is not an RPC response is always reported as garbage', () => {
  for (const text of ['', 'null', '7', '"x"', '[]', '[{"id":7,"result":1}]', '{', '<html>', '\u0000'])
    garbage(text);
  for (const error of ['true', '"no"', '{}', '[]', '{"code":"-32002"}', '{"message":"x"}', '{"code":null}'])
    garbage(`{"id":${ID},"error":${error}}`);
});

test("an error keeps its code and data, even if the node omitted the request's id", () => {
  const error = thrownBy('{"id":null,"error":{"code":-32002,"message":"no","data":{"err":"AccountInUse"}}}');
  assert.ok(error instanceof RpcError);
  assert.deepEqual([error.code, error.message, error.data], [-32002, 'no', { err: 'AccountInUse' }]);
  const odd = thrownBy('{"error":{"code":-1,"message":{"a":1}}}');
  assert.ok(odd instanceof RpcError && typeof odd.message === 'string');
});

test('a rate limit reported as an RPC error counts as a rate limit, and the request was certainly not processed', () => {
  for (const code of [429, -32429]) {
    const error = thrownBy(`{"id":${ID},"error":{"code":${code},"message":"slow down"}}`);
    assert.ok(error instanceof NodeFailure);
    assert.deepEqual([error.word, error.mayHaveArrived], ['rate-limited', false]);
  }
});

test('a request that is wrong for every node is not retried; a request that one node cannot serve goes to the others', () => {
  const evaluated = (code: number) => {
    const error = new RpcError(code, '', undefined);
    return [error.worthAnotherNode, error.lasting];
  };
  for (const code of [-32002, -32003, -32600, -32602]) assert.deepEqual(evaluated(code), [false, false]);
  for (const code of [-32601, -32010]) assert.deepEqual(evaluated(code), [true, true]);
  for (const code of [-32005, -32016, -32603, 0]) assert.deepEqual(evaluated(code), [true, false]);
});
