// Errors for missing and unknown fields suggest the intended name, and the error for a missing key suggests
// the unsigned transaction.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { guidanceText } from '../../test/support/guidance-text.ts';
import { AppError } from '../kernel/app-error.ts';
import { setSandboxValidator } from '../operations/cluster/sandbox-operations.ts';
import { planStakeChange } from '../operations/plan/plan-stake-change.ts';
import { createStakeTransaction } from '../operations/stake/create-stake-transaction.ts';
import { stake } from '../operations/stake/stake.ts';
import { requireStakeTarget } from '../operations/stake/stake-input.ts';
import { unstake } from '../operations/stake/unstake.ts';
import { generate } from '../operations/wallet/generate-wallet.ts';
import { registerWebhook } from '../operations/webhooks/register-webhook.ts';
import { validateInput } from './validate-input.ts';

const walletAddress = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2';

const refusal = (operation: Parameters<typeof validateInput>[0], given: object, sent?: readonly string[]) => {
  try {
    validateInput(operation, { ...given }, [], sent && { sent });
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  return assert.fail('it was accepted');
};
const messageOf = (...given: Parameters<typeof refusal>) => refusal(...given).message;

it('the error for a missing field suggests the field that was sent instead', () => {
  for (const name of ['amount', 'sol', 'amount_sol', 'AmountSol', 'amuntSol', 'amountLamports'])
    assert.equal(
      messageOf(createStakeTransaction, { walletAddress, [name]: 5 }),
      `amountSol: is required (you sent ${name})`,
    );
  assert.equal(
    messageOf(createStakeTransaction, { wallet: walletAddress, amount: 5 }),
    'amountSol: is required (you sent amount); walletAddress: is required (you sent wallet)',
  );
});

it('if at least one of several fields is required, the error suggests the one that was probably intended', () => {
  const { message } = refusal(unstake, { walletAddress, amount: 1, secretKey: 1 });
  assert.match(message, /^amountSol: is required \(you sent amount\)/);
});

it('an unknown field is refused with the nearest name as a suggestion, unless it explains a missing field', () => {
  const given = { walletAddress, amountSol: 5 };
  const unknownIn = (fields: object) => refusal(createStakeTransaction, { ...given, ...fields }).details;
  assert.deepEqual(unknownIn({ priorty: 'high' }), [
    {
      path: 'priorty',
      code: 'unknown_field',
      message: 'is not a known field; did you mean priority?',
      params: { nearest: 'priority' },
    },
  ]);
  assert.equal(unknownIn({ version: 0 })?.[0]?.params?.nearest, 'transactionVersion');
  // The nearest name is not suggested if the request already contains it.
  assert.equal(unknownIn({ amountsol: 6 })?.[0]?.params?.nearest, undefined);
  assert.deepEqual(
    refusal(createStakeTransaction, { walletAddress, color: 5 }).details?.map(
      ({ path, code }) => `${path} ${code}`,
    ),
    ['amountSol required', 'color unknown_field'],
  );
  // An operation with few fields names them.
  assert.equal(
    refusal(setSandboxValidator, { voting: false }).message,
    'voting: is not a known field; the fields are commissionBps, votes, ticketSol',
  );
});

it('a request with many unknown fields causes only a few issues', () => {
  const names = Array.from({ length: 60 }, (_, index) => `q${'z'.repeat(index % 30)}${'y'.repeat(index)}`);
  const sent = ['walletAddress', 'amountSol', ...names];
  const { details } = refusal(createStakeTransaction, { walletAddress, amountSol: 5 }, sent);
  assert.equal(details?.length, 8);
});

it('unknown names that may be a secret are refused without repeating them', () => {
  for (const name of [`amount${'x'.repeat(40)}`, 'amount5']) {
    const { message, details } = refusal(createStakeTransaction, { walletAddress, amountSol: 5, [name]: 5 });
    assert.deepEqual([details?.[0]?.path, details?.[0]?.code], ['', 'unknown_field']);
    assert.ok(!message.includes(name));
  }
});

it('an operation without input fields ignores all fields', () => {
  assert.deepEqual(validateInput(generate, { random_string: 'x' }), {});
});

it('the error for a missing key suggests an operation that needs no key', () => {
  const { message, suggestedAction } = refusal(stake, { walletAddress, amountSol: 5 });
  assert.equal(message, 'secretKey: was not given');
  assert.match(
    guidanceText(suggestedAction),
    /Never ask a person for a secret key\. createStakeTransaction does the same/,
  );
});

it('the suggestion names each field, its meaning and the allowed values', () => {
  const suggested = (...given: Parameters<typeof refusal>) =>
    guidanceText(refusal(...given).suggestedAction!);
  assert.equal(
    suggested(createStakeTransaction, { walletAddress }),
    'Add amountSol (total moved out of the wallet in SOL, rent included) or from. Then try again.',
  );
  assert.equal(
    suggested(createStakeTransaction, { walletAddress, amount: 5 }),
    'Rename amount to amountSol (total moved out of the wallet in SOL, rent included). Then try again.',
  );
  assert.equal(
    suggested(createStakeTransaction, { walletAddress, amountSol: '5', priorty: 'high', color: 1 }),
    'Change amountSol (total moved out of the wallet in SOL, rent included): it must be a number, without quotes; rename priorty to priority; leave out color. Then try again.',
  );
  assert.match(suggested(planStakeChange, { walletAddress }), /^Add goal \(.+: one of unstake, .+\)\./);
  assert.match(
    suggested(registerWebhook, { walletAddress, callbackUrl: 'https://a.b', events: ['x'] }),
    /^Change events\.0 \([^)]+\): use one of the values in the message\. Then try again\.$/,
  );
  assert.equal(
    suggested(registerWebhook, { walletAddress, callbackUrl: 'https://a.b', events: ['stake.activated'] }),
    'Change events.0 to stake_activated. Then try again.',
  );
  assert.equal(
    suggested(registerWebhook, { walletAddress, events: ['stake_activated'] }),
    'Add callbackUrl (or url). Then try again.',
  );
  assert.equal(
    suggested(createStakeTransaction, { walletAddress, amountSol: 5, amount5: 5 }),
    'Leave out the field with the unknown name. Then try again.',
  );
  const unknown = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`${name}${name}${name}`, 1]));
  assert.equal(
    suggested(createStakeTransaction, { walletAddress, amountSol: 5, ...unknown }),
    'Leave out aaa; leave out bbb; leave out ccc; see details for the rest. Then try again.',
  );
});

it('an operation’s own rule states which fields to leave out', () => {
  for (const [given, expected] of [
    [{ amountSol: 5, from: ['inactive'] }, 'Leave out amountSol. Then try again.'],
    [
      { amountSol: 5, from: ['idle'], into: walletAddress },
      'Leave out amountSol or from and into. Then try again.',
    ],
  ] as const)
    assert.throws(
      () => requireStakeTarget({ ...given, amountSol: 5n } as never),
      (error) => error instanceof AppError && error.suggestedAction === expected,
    );
});
