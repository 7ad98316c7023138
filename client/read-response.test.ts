// Tests that a response is classified as a result, a refusal by the service, or a response from another server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HoldfastError } from './holdfast-error.ts';
import type { OperationFacts } from './operation-facts.ts';
import { type ReceivedResponse, readResponse, retryAfterSeconds } from './read-response.ts';

const facts: OperationFacts = { method: 'GET', path: '/x', effect: 'read', query: [], body: [] };
const NOW_MS = Date.parse('2026-11-21T10:00:00Z');

const received = (more: Partial<ReceivedResponse>): ReceivedResponse => ({
  operation: 'epoch',
  facts,
  status: 200,
  headers: new Headers(),
  text: '{}',
  idempotencyKey: undefined,
  alternative: false,
  nowMs: NOW_MS,
  ...more,
});
const refusal = (more: Partial<ReceivedResponse>): HoldfastError => {
  try {
    readResponse(received(more));
  } catch (error) {
    assert.ok(error instanceof HoldfastError);
    return error;
  }
  return assert.fail('it should have been refused');
};

test('Retry-After is read as seconds or as a date, and ignored if it is neither', () => {
  assert.equal(retryAfterSeconds('0', NOW_MS), 0);
  assert.equal(retryAfterSeconds('56', NOW_MS), 56);
  assert.equal(retryAfterSeconds('Sat, 21 Nov 2026 10:00:30 GMT', NOW_MS), 30);
  assert.equal(retryAfterSeconds('Sat, 21 Nov 2026 10:00:30 GMT', NOW_MS + 29_500), 1);
  assert.equal(retryAfterSeconds('Sat, 21 Nov 2026 09:00:00 GMT', NOW_MS), 0);
  assert.equal(retryAfterSeconds('Saturday, 21-Nov-26 10:00:30 GMT', NOW_MS), 30);
  // `Date.parse` would accept texts such as `-5` as days of 2001, so the client would not wait at all.
  for (const none of [null, 'soon', '', '-x', '-5', '1.5', 'in 5', '5 s', '1e3', '9999999999', 'x GMT'])
    assert.equal(retryAfterSeconds(none, NOW_MS), undefined, String(none));
});

test('only a JSON object with a status from 200 to 299 is a result', () => {
  assert.deepEqual(readResponse(received({ status: 299, text: '{"a":1}' })), { a: 1 });
  for (const text of ['[]', 'null', '1', '"x"', '', '<html>'])
    assert.equal(refusal({ text }).errorCode, 'BAD_ANSWER', text);
  for (const status of [199, 300, 404, 502])
    for (const text of ['{"a":1}', '{"errorCode":7}', '<html>', '[]'])
      assert.equal(refusal({ status, text }).errorCode, 'BAD_ANSWER', `${status} ${text}`);
});

test("an error contains the service's whole response, and the data needed to find and repeat the call", () => {
  const body = {
    error: 'E',
    errorCode: 'NEW_CODE',
    message: 'M',
    suggestedAction: 'S',
    details: [{ path: 'a' }],
  };
  const headers = new Headers({ 'x-request-id': 'r-1', 'retry-after': '7' });
  const error = refusal({ status: 409, headers, text: JSON.stringify(body), idempotencyKey: 'k' });
  const { errorCode, message, suggestedAction, details, status, requestId, idempotencyKey } = error;
  assert.deepEqual(
    [
      errorCode,
      message,
      suggestedAction,
      details,
      status,
      requestId,
      error.retryAfterSeconds,
      idempotencyKey,
    ],
    ['NEW_CODE', 'M', 'S', [{ path: 'a' }], 409, 'r-1', 7, 'k'],
  );
  assert.deepEqual(error.body, body);
});

test('an error without a message uses its title or status, and ignores fields of the wrong type', () => {
  const refused = (body: object) =>
    refusal({ status: 418, text: JSON.stringify({ errorCode: 'X', ...body }) });
  assert.equal(refused({ error: 'Title' }).message, 'Title');
  assert.equal(refused({}).message, 'The service responded with status 418.');
  const { message, suggestedAction, details } = refused({ message: 7, suggestedAction: {}, details: 'x' });
  assert.deepEqual(
    [message, suggestedAction, details],
    ['The service responded with status 418.', undefined, undefined],
  );
});

test('text is returned unchanged, with its headers if the operation returns text', () => {
  assert.equal(readResponse(received({ alternative: true, text: 'epoch,sol\n' })), 'epoch,sol\n');
  const text = { member: 'source', headers: { 'X-SHA256': 'sha256', 'X-Other': 'other' } };
  const headers = new Headers({ 'x-sha256': 'abc' });
  assert.deepEqual(readResponse(received({ facts: { ...facts, text }, headers, text: '// code' })), {
    source: '// code',
    sha256: 'abc',
    other: '',
  });
});
