// Checks that the page shows the service's English texts in German by code and with their figures. It shows
// texts with an unknown code or without figures as the service sent them.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { z } from 'zod';
import { parseInput } from '../../src/adapter/validation-issues.ts';
import { errorCodes } from '../../src/kernel/error-codes.ts';
import { addressSchema, solAmount } from '../../src/operations/shared-schemas.ts';

Object.assign(globalThis, { document: { documentElement: { dataset: { languages: 'en de' } } } });
Object.defineProperty(globalThis, 'navigator', { value: { languages: ['de-DE'] } });
const { addTranslations } = await import('../../web/src/words/define-words.ts');
const { german } = await import('../../web/src/words/de/german.ts');
const { describeError } = await import('../../web/src/api/describe-error.ts');
const { errorText } = await import('../../web/src/text/service-text.ts');
const { HoldfastError } = await import('../../client/holdfast-error.ts');
addTranslations(german);

/** Codes whose texts the page does not show. */
const NOT_ON_THE_PAGE =
  /^(?:METHOD|UNSUPPORTED|BODY|HEADERS|REQUEST_TIMEOUT|INVALID_SECRET|SECRET_KEY|MISSING|OPERATOR|RATE)/;

it('every error of the service has a German title, and a text if the page can receive it', () => {
  for (const errorCode of Object.keys(errorCodes)) {
    const { title } = describeError(new HoldfastError({ errorCode, message: '', operation: 'x' }));
    assert.notEqual(title.toLowerCase(), errorCode.replaceAll('_', ' ').toLowerCase());
    if (!NOT_ON_THE_PAGE.test(errorCode)) assert.ok(german.serviceErrors[errorCode], errorCode);
  }
});

it('figures are formatted as elsewhere on the page', () => {
  const params = { balanceSol: 1234.5, shortfallSol: 0.25 };
  assert.equal(
    errorText({ errorCode: 'INSUFFICIENT_BALANCE', reason: 'WALLET_SHORT', params }, 'English.'),
    'Die Wallet hat 1.234,5 SOL. Dafür fehlen 0,25 SOL. Zahlen Sie mindestens 0,25 SOL ein, und versuchen Sie es dann erneut.',
  );
});

it('a refused request lists each broken rule in German after the name of its field', () => {
  const { issues } = parseInput(
    z.object({
      walletAddress: addressSchema(''),
      amountSol: solAmount(''),
      limit: z.int().max(9),
      events: z.array(z.enum(['a', 'b'])).min(1),
      note: z.string(),
    }),
    { walletAddress: 'x', amountSol: 0, limit: 10, events: [] },
  );
  const { detail } = describeError(
    new HoldfastError({
      errorCode: 'VALIDATION_ERROR',
      message: 'English.',
      operation: 'x',
      details: issues,
    }),
  );
  assert.equal(
    detail,
    'Die Anfrage ist ungültig. walletAddress: muss eine gültige Solana-Adresse sein; amountSol: muss größer als 0 sein; limit: darf höchstens 9 sein; events: muss mindestens 1 Eintrag haben; note: fehlt.',
  );
});

it('every rule of the service’s own checks has a German text', () => {
  const rules = globSync('src/**/*.ts', { cwd: join(import.meta.dirname, '../..') })
    .filter((path) => !path.includes('.test.') && !path.includes('operator-profile'))
    .flatMap((path) => [
      ...readFileSync(join(import.meta.dirname, '../..', path), 'utf8').matchAll(/code: '([a-z][a-z_]+)'/g),
    ])
    .map(([, code]) => code!);
  assert.ok(rules.length > 25, String(rules.length));
  assert.deepEqual(
    rules.filter((code) => code !== 'custom' && german.serviceIssues[code] === undefined),
    [],
  );
});

it('a response that did not come from the service is also described in German', () => {
  const message = 'Something other than this service responded with status 502.';
  const { detail } = describeError(new HoldfastError({ errorCode: 'BAD_ANSWER', message, operation: 'x' }));
  assert.match(detail, /^Etwas anderes als dieser Dienst hat geantwortet/);
});

it('a reason without its own text uses the text of its code, and an unknown code keeps the service’s English text', () => {
  assert.equal(
    errorText({ errorCode: 'INSUFFICIENT_BALANCE', reason: 'NEW' }, 'English.'),
    'Die Wallet hat dafür nicht genug SOL.',
  );
  assert.equal(errorText({ errorCode: 'PLAN_NEEDS_SEVERAL' }, 'English.'), 'English.');
  assert.equal(errorText({ errorCode: 'NEW' }, 'English.'), 'English.');
});
