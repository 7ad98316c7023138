// A step is printed with its own parameters first and then those of the request, in the terms of the caller's
// interface.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guidance, step, wording } from '../kernel/guidance.ts';
import { createGuidancePrinter } from './print-guidance.ts';

const print = createGuidancePrinter({
  routes: [
    {
      method: 'GET',
      path: '/api/v1/transaction/{signature}',
      operation: { name: 'transactionState' },
    },
  ],
  tools: [],
  publicUrl: () => 'https://stake.example',
});
const printed = (suggestedAction: ReturnType<typeof guidance>, source: 'rest' | 'page' = 'rest') =>
  print({ suggestedAction }, source, { signature: 'asked' }).suggestedAction;

test('a parameter of the step takes precedence over the same parameter of the request', () => {
  const own = guidance`Ask ${step('transactionState', { signature: 'own' })}.`;
  assert.equal(printed(own), 'Ask GET /api/v1/transaction/own.');
  assert.equal(printed(guidance`Ask ${step('transactionState')}.`), 'Ask GET /api/v1/transaction/asked.');
});

test('a link to an operation that is not served is left out, and a sentence refers to the documentation instead', () => {
  const nextSteps = { state: step('transactionState'), stake: step('stake') };
  assert.deepEqual(print({ nextSteps }, 'rest', { signature: 'asked' }).nextSteps, {
    state: '/api/v1/transaction/asked',
  });
  assert.equal(printed(guidance`Use ${step('stake')}.`), 'Use the documentation.');
});

test('guidance on the page uses words instead of field names', () => {
  const leaveOut = guidance`Leave ${wording('amountSol', 'the amount')} out.`;
  assert.deepEqual(
    [printed(leaveOut), printed(leaveOut, 'page')],
    ['Leave amountSol out.', 'Leave the amount out.'],
  );
});
