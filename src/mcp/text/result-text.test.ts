// The text of a result states in one sentence what happened, contains every fact that the next call needs, and
// is much shorter than the JSON.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { solNumber } from '../../domain/lamports.ts';
import recorded from '../../http/openapi/recorded-examples.json' with { type: 'json' };
import { mcpTools } from '../tools.ts';
import { resultText } from './result-text.ts';

const answers = recorded.answers as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>;

test('the response of every tool begins with a sentence and is shorter than its JSON', () => {
  const seen: string[] = [];
  for (const { name, operation, instead } of mcpTools)
    for (const one of [operation, ...(instead ? [instead.operation] : [])]) {
      const body = answers[one.name];
      if (body === undefined) continue;
      const text = resultText(body);
      assert.match(text.split('\n')[0]!, /^[A-Z\d].*[.…]$/, `${name}: ${text.split('\n')[0]}`);
      const bytes = JSON.stringify(body).length;
      assert.ok(text.length < bytes, `${name}: ${text.length} of ${bytes}`);
      seen.push(name);
    }
  assert.ok(seen.length >= 28, seen.join());
});

test('an unsigned transaction comes with its bytes, signer, link and key, and without its instructions', () => {
  const body = answers.createStakeTransaction!;
  const text = resultText(body);
  for (const name of [
    'transaction',
    'stakeAccountAddress',
    'signUrl',
    'idempotencyKey',
    'estimatedExpiresAt',
  ])
    assert.ok(text.includes(`${name}: ${body[name]}`), `${name}\n${text}`);
  assert.ok(text.startsWith(`${body.message}\n`));
  assert.ok(!text.includes('programId'));
  assert.ok(text.length < JSON.stringify(body).length / 2);
});

test('a failure says what to do and keeps its code', () => {
  const text = resultText({
    error: 'Conflict',
    errorCode: 'X_Y',
    reason: 'X_Z',
    params: { seconds: 1 },
    message: 'It is busy.',
    suggestedAction: 'Wait.',
    details: [{ path: 'a', message: 'b' }],
  });
  assert.equal(text, 'It is busy. Wait.\nerrorCode: X_Y\ndetails:\n- path a, message b');
});

test('amounts are exact, long lists are cut, and no text starts a new line', () => {
  const accounts = Array.from({ length: 12 }, (_, index) => ({
    at: index,
    sol: solNumber(1n),
    inner: { deep: { deeper: 1 }, here: 2 },
  }));
  const text = resultText({
    totalStakedSol: solNumber(9_007_199_254_740_993n),
    accounts,
    empty: [],
    none: null,
    note: 'a\nsol: 5',
  });
  const lines = text.split('\n');
  assert.equal(lines[0], '9007199.254740993 SOL is staked in 12 accounts.');
  assert.equal(lines[3], '- at 0, sol 0.000000001, inner.here 2');
  assert.equal(lines[13], '- and 2 more in the structured content');
  assert.deepEqual(lines.slice(14), ['empty: none', String.raw`note: "a\nsol: 5"`]);
});

test('a sentence claims no more than the response: unread votes do not count as voting, and a failed transaction does not count as one without memo', () => {
  const first = (body: Record<string, unknown>): string => resultText(body).split('\n')[0]!;
  assert.equal(first({ delinquent: null }), 'The validator’s votes could not be read.');
  assert.equal(first({ delinquent: false }), 'The validator votes.');
  assert.equal(first({ delinquent: true }), 'The validator does not vote.');
  assert.match(
    first({ verified: false, memo: 'here' }),
    /^Not verified: the transaction failed or does not contain/,
  );
});
