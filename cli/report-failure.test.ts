// Tests that every failure has an exit code, a JSON body and a text, and that bugs are not converted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HoldfastError } from '../client/holdfast-error.ts';
import type { TransactionRecord } from '../client/staking/pending-transaction.ts';
import { Declined, NotAsAsked, unresolvedError } from '../client/staking/staking-errors.ts';
import { ServiceChanged } from './local/known-services.ts';
import { PolicyRefused } from './policy/policy-refused.ts';
import { failureLines, failureOf } from './report-failure.ts';
import { instant, timeZone } from './show/format-cells.ts';
import type { Paint } from './show/terminal-colors.ts';
import { UsageError } from './usage-error.ts';

const unpainted: Paint = (_tone, text) => text;
const failed = (errorCode: string, more: Partial<ConstructorParameters<typeof HoldfastError>[0]> = {}) =>
  failureOf(new HoldfastError({ errorCode, message: 'M', operation: 'x', ...more }))!;

test('the exit code distinguishes refusals, usage errors, missing responses and interruptions', () => {
  for (const [errorCode, code] of [
    ['INSUFFICIENT_BALANCE', 1],
    ['RATE_LIMITED', 1],
    ['A_NEWER_CODE', 1],
    ['INVALID_INPUT', 2],
    ['INSECURE_URL', 2],
    ['NETWORK', 3],
    ['TIMEOUT', 3],
    ['BAD_ANSWER', 3],
    ['UPSTREAM_UNAVAILABLE', 3],
    ['ABORTED', 130],
  ] as const)
    assert.equal(failed(errorCode).exitCode, code, errorCode);
  assert.equal(failureOf(new UsageError('U'))?.exitCode, 2);
  assert.equal(failureOf(new Declined('D', {} as never))?.exitCode, 1);
  assert.equal(failureOf(new NotAsAsked('N', 'service'))?.exitCode, 1);
});

test('a bug is not converted, so its stack trace is printed', () => {
  assert.equal(failureOf(new TypeError('bug')), undefined);
  assert.equal(failureOf('text'), undefined);
});

test('the error body is the one that the service sent, or a new one with the known data', () => {
  const body = { error: 'E', errorCode: 'X', message: 'M', shortfallSol: 1 };
  assert.deepEqual(failed('X', { body }).body, body);
  assert.deepEqual(failed('X', { body, retryAfterSeconds: 0 }).body, { ...body, retryAfterSeconds: 0 });
  assert.deepEqual(failed('TIMEOUT', { suggestedAction: 'S', idempotencyKey: 'k' }).body, {
    error: 'No response',
    errorCode: 'TIMEOUT',
    message: 'M',
    suggestedAction: 'S',
    idempotencyKey: 'k',
  });
  assert.deepEqual(failed('INVALID_INPUT').body, {
    error: 'Failed',
    errorCode: 'INVALID_INPUT',
    message: 'M',
  });
  assert.match(String(failed('NETWORK').body.suggestedAction), /--url/);
  assert.equal(
    failed('NETWORK', { suggestedAction: 'It may have been carried out.' }).body.suggestedAction,
    'It may have been carried out.',
  );
});

test('the text shows what happened, what to do, and the error code of a refusal', () => {
  const body = { error: 'E', errorCode: 'X', message: 'No\u001b[2J.', suggestedAction: 'Do.' };
  assert.deepEqual(failureLines(failed('X', { body }), unpainted), ['✗ No\ufffd[2J.', '  Do.', '  X']);
  assert.deepEqual(failureLines(failed('BAD_ANSWER'), unpainted), ['✗ M']);
  assert.deepEqual(failureLines(failureOf(new UsageError('U'))!, unpainted), ['✗ U']);
});

test('an unknown outcome has the exit code of a missing response, not that of a refusal', () => {
  const body = {
    error: 'Outcome unknown',
    errorCode: 'SUBMISSION_UNRESOLVED',
    message: 'M',
    signature: 'sig',
  };
  assert.equal(failed('SUBMISSION_UNRESOLVED', { body }).exitCode, 3);
  for (const errorCode of ['STORE_UNAVAILABLE', 'RATE_LIMITED']) {
    const cause = new HoldfastError({
      errorCode,
      message: 'M',
      operation: 'submitTransaction',
      body: { error: 'Title of the service', errorCode, message: 'M' },
    });
    const record = { signature: 'sig', idempotencyKey: 'k' } as TransactionRecord;
    const { exitCode, body: unknown } = failureOf(unresolvedError(cause, record))!;
    assert.deepEqual([exitCode, unknown.error, unknown.errorCode], [3, 'Outcome unknown', errorCode]);
  }
});

test('while the service or its node does not respond, a signed transaction is checked with an RPC node', () => {
  for (const errorCode of ['NETWORK', 'UPSTREAM_UNAVAILABLE']) {
    const body = { error: 'Outcome unknown', errorCode, message: 'M', signature: 'sig' };
    assert.match(failureLines(failed(errorCode, { body }), unpainted)[1]!, /holdfast verify sig --rpc URL/);
  }
});

test('if the bytes differ from the request, only the wrong fields are reported, one by one', () => {
  const field = (name: 'amount' | 'memo', ok: boolean) => ({
    field: name,
    ok,
    expected: '1',
    found: '2',
    problem: ok ? null : 'It differs.',
    problemSentences: [],
  });
  const failure = failureOf(
    new NotAsAsked('Not asked for.', 'service', [field('amount', false), field('memo', true)]),
  )!;
  assert.equal((failure.body.fields as object[]).length, 2);
  assert.deepEqual(failureLines(failure, unpainted), [
    '✗ Not asked for.',
    '    amount: It differs. Found: 2',
    '  NOT_AS_ASKED',
  ]);
});

test('a changed service is reported with the remembered and the current value of each change', () => {
  const changes = [
    { name: 'voteAccount', remembered: 'old', now: 'new' },
    { name: 'donationAddress', remembered: null, now: 'new' },
  ] as const;
  const error = new ServiceChanged('https://stake.example', changes);
  assert.deepEqual(failureLines(failureOf(error)!, unpainted), [
    `✗ ${error.message}`,
    '    validator',
    '      remembered: old',
    '      now:        new',
    '    donation address',
    '      remembered: not given',
    '      now:        new',
    '  SERVICE_CHANGED',
  ]);
});

test('the text suggests a command of this program as the next step, while the JSON body stays unchanged', () => {
  const lines = (errorCode: string, more: object) => {
    const failure = failed(errorCode, { body: { errorCode, message: 'M', suggestedAction: 'S', ...more } });
    assert.equal(failure.body.suggestedAction, 'S');
    return failureLines(failure, unpainted)[1];
  };
  assert.equal(
    lines('STAKE_NOT_WITHDRAWABLE', { reason: 'STAKED', params: { address: 'hN9W' } }),
    '  Unstake it first: holdfast unstake hN9W. It can be withdrawn once the epoch has ended.',
  );
  const activating = { stateDescriptionSentences: [{ code: 'ACTIVATING' }] };
  assert.equal(
    lines('STAKE_NOT_WITHDRAWABLE', { reason: 'STAKED', params: { address: 'hN9W' }, ...activating }),
    '  Unstake it first: holdfast unstake hN9W. It can then be withdrawn at once, because it is not active yet.',
  );
  assert.match(lines('STAKE_NOT_WITHDRAWABLE', { reason: 'DEACTIVATING' })!, /holdfast accounts/);
  assert.equal(lines('STAKE_NOT_WITHDRAWABLE', { reason: 'STAKED_BY_OTHER' }), '  S');
  assert.match(lines('INVALID_TRANSACTION', { reason: 'UNSIGNED' })!, /Sign it first: holdfast sign/);
  assert.match(
    lines('UPSTREAM_UNAVAILABLE', { reason: 'RPC_UNAVAILABLE' })!,
    /your own RPC node, .*--direct/,
  );
  assert.match(lines('UNDO_TOO_LATE', {})!, /holdfast restake .* holdfast withdraw ALL/);
  for (const reason of ['NOT_OF_WALLET', 'NOT_OF_WALLET_AND_SECRET', 'NO_WEBHOOK'])
    assert.match(lines('NOT_FOUND', { reason })!, /holdfast webhooks list/);
  assert.match(lines('NOT_FOUND', { reason: 'WEBHOOK_DELETED' })!, /holdfast webhooks restore ID/);
  assert.equal(lines('NOT_FOUND', {}), '  S');
  const needed = failureOf(new PolicyRefused({ code: 'POLICY_NEEDS_PERSON', message: 'M' }))!;
  assert.equal(
    failureLines(needed, unpainted)[1],
    '  Run it on a terminal without --yes to approve it yourself.',
  );
  const linked = { ...needed, body: { ...needed.body, signUrl: 'https://x/sign?request=y' } };
  assert.match(failureLines(linked, unpainted)[1]!, / on the page: https:\/\/x\/sign\?request=y$/);
  const keyed = new PolicyRefused({ code: 'POLICY_NEEDS_PERSON', message: 'M', idempotencyKey: 'k' });
  // Without a policy, a critical notice needs a person too.
  assert.deepEqual(
    [failureOf(keyed)!.body.error, failureOf(keyed)!.body.idempotencyKey],
    ['Needs a person', 'k'],
  );
  const freesAt = '2026-11-29T05:38:53.224Z';
  const message = `It is possible from ${freesAt}.`;
  const limited = failureOf(new PolicyRefused({ code: 'POLICY_LIMIT', message, details: { freesAt } }))!;
  assert.equal(limited.body.message, message, 'JSON keeps the time in UTC');
  assert.equal(
    failureLines(limited, unpainted)[0],
    `✗ It is possible from ${instant(freesAt, 'second')} (${timeZone()}).`,
  );
  const refused = failureOf(new PolicyRefused({ code: 'POLICY_LIMIT', message: 'M' }))!;
  assert.match(
    String(refused.body.suggestedAction),
    /^Only the owner of the policy can change the policy\. .*do not look for another way/,
  );
  assert.equal(
    failureLines(refused, unpainted)[1],
    '  Ask the owner of the policy to change it, or stay within it.',
  );
});
