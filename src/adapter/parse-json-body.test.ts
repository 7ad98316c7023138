// A body is one JSON object in strict UTF-8. Amounts keep the text that the caller wrote, and no error quotes
// the body.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { AppError } from '../kernel/app-error.ts';
import type { JsonNumber } from '../kernel/json-number.ts';
import { parseJson, parseJsonBody } from './parse-json-body.ts';

const body = (text: string) => parseJsonBody(Buffer.from(text));
const refusal = (run: () => unknown): AppError => {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'VALIDATION_ERROR', String(error));
    return error;
  }
  return assert.fail('the body should have been refused');
};

it('only amounts are kept as text, at any depth and under escaped names', () => {
  const parsed = body(
    '{"amountSol":1e-9,"deep":[{"keepLiquidSol":0.30000000000000004}],"minSweep\\u0053ol":1.10,"limit":1.10,"sol":2.50,"textSol":"1"}',
  ) as Record<string, unknown>;
  assert.equal((parsed.amountSol as JsonNumber).literal, '1e-9');
  assert.equal(
    (parsed.deep as { keepLiquidSol: JsonNumber }[])[0]?.keepLiquidSol.literal,
    '0.30000000000000004',
  );
  assert.equal((parsed.minSweepSol as JsonNumber).literal, '1.10');
  assert.deepEqual([parsed.limit, parsed.sol, parsed.textSol], [1.1, 2.5, '1']);
});

it('every amount in a body is kept exactly as written', () => {
  const literal = fc.stringMatching(/^-?(0|[1-9]\d{0,20})(\.\d{1,20})?([eE][+-]?\d{1,2})?$/);
  fc.assert(
    fc.property(literal, (text) => {
      assert.equal((body(`{"amountSol":${text}}`).amountSol as JsonNumber).literal, text);
    }),
    { seed: 5 },
  );
});

it('an empty body counts as an object without fields, and any value other than an object is refused', () => {
  assert.deepEqual(body(''), {});
  assert.deepEqual(body(' {} '), {});
  for (const text of ['[]', '1', '"x"', 'null', 'true']) {
    const { message, suggestedAction } = refusal(() => body(text));
    assert.match(message, /must be a JSON object/);
    assert.equal(suggestedAction, 'Send a JSON object with content-type application/json.');
    assert.doesNotThrow(() => parseJson(Buffer.from(text)));
  }
});

it('invalid JSON and invalid UTF-8 are refused without quoting the body', () => {
  for (const text of ['{"a":"MARKED"', 'MARKED', '{"amountSol":MARKED}', "{'a':'MARKED'}", ' '])
    assert.doesNotMatch(JSON.stringify(refusal(() => body(text))), /MARKED/);
  assert.match(
    refusal(() => parseJsonBody(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]))).message,
    /not valid UTF-8/,
  );
});

it('a field named __proto__ stays an own property and does not change the prototype', () => {
  const parsed = body('{"__proto__":{"amountSol":1},"constructor":2}');
  assert.deepEqual(Object.keys(parsed), ['__proto__', 'constructor']);
  assert.equal(Object.getPrototypeOf(parsed), Object.prototype);
});
