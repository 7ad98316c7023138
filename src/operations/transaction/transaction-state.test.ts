import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { actContext, createScriptedSubmitter } from '../../../test/support/act-context.ts';
import type { ContextParts } from '../../../test/support/context-parts.ts';
import { exampleIntent } from '../../../test/support/intent-examples.ts';
import { openTestStore } from '../../../test/support/store-fixture.ts';
import type { SignatureStatus, SubmissionOutcome } from '../../chain/ports.ts';
import { AppError, isAppError } from '../../kernel/app-error.ts';
import type { SubmissionState } from '../../store/schema.ts';
import { transactionState } from './transaction-state.ts';

const SIGNATURE = '5'.repeat(88);

interface World {
  /** Status of the signature on the cluster. */
  readonly status?: SignatureStatus | 'away';
  /** State in this service's record. */
  readonly recorded?: SubmissionState;
  /** The submitter's proof of expiry or landing, if any. */
  readonly proof?: SubmissionOutcome | null;
}

const ask = async (t: TestContext, { status, recorded, proof = null }: World) => {
  const { intents } = await openTestStore(t);
  if (recorded) {
    await intents.recordSigned(exampleIntent(SIGNATURE), null);
    if (recorded !== 'signed')
      await intents.settle(SIGNATURE, {
        state: recorded,
        slot: recorded === 'confirmed' || recorded === 'failed' ? 8n : null,
        error: recorded === 'failed' ? '"AccountInUse"' : null,
        response: null,
      });
  }
  const signatureStatuses = async () => {
    if (status === 'away') throw new AppError('UPSTREAM_UNAVAILABLE', 'away');
    return { slot: 1n, statuses: [status ?? null] };
  };
  const ctx = actContext(intents, { ...createScriptedSubmitter(), settle: async () => proof }, {
    chain: { reads: { signatureStatuses } },
    service: { settings: { explorerUrl: 'https://explorer.example', explorerQuery: '' } },
  } as unknown as ContextParts);
  const { body } = await transactionState.run({
    ctx,
    input: { signature: SIGNATURE },
    signal: new AbortController().signal,
    source: 'rest',
    client: 'test',
  });
  return body;
};

const landed = (
  confirmationStatus: SignatureStatus['confirmationStatus'],
  error: unknown = null,
): SignatureStatus => ({ slot: 9n, confirmationStatus, error });

for (const state of ['confirmed', 'finalized'] as const)
  test(`a transaction that is ${state} on chain is reported as ${state}, whoever sent it`, async (t) => {
    const { error, slot, recordedHere, ...body } = await ask(t, { status: landed(state) });
    assert.deepEqual(
      [body.state, slot, error, recordedHere, body.lastValidBlockHeight],
      [state, 9, null, false, null],
    );
  });

test("a transaction that landed but failed is reported as failed, with the chain's error", async (t) => {
  const chainError = { InstructionError: [0, { Custom: 2 }] };
  const { state, error } = await ask(t, { status: landed('confirmed', chainError) });
  assert.deepEqual([state, error], ['failed', chainError]);
});

test('a transaction at processed is pending even if it failed, because its fork may be abandoned', async (t) => {
  for (const error of [null, 'AccountInUse']) {
    const body = await ask(t, { status: landed('processed', error) });
    assert.deepEqual([body.state, body.slot, body.error], ['pending', null, null]);
  }
});

test('a sent transaction that no node has seen yet is pending, with the height up to which it can land', async (t) => {
  const body = await ask(t, { recorded: 'signed' });
  assert.deepEqual([body.state, body.recordedHere, body.lastValidBlockHeight], ['pending', true, 1_000]);
});

test('expired is reported only with proof', async (t) => {
  assert.equal((await ask(t, { recorded: 'signed', proof: { kind: 'expired' } })).state, 'expired');
  const { state, messageSentences } = await ask(t, { recorded: 'expired' });
  assert.deepEqual([state, messageSentences.map(({ code }) => code)], ['expired', ['TRANSACTION_EXPIRED']]);
  assert.equal((await ask(t, { recorded: 'signed', proof: { kind: 'unresolved' } })).state, 'pending');
});

test('a transaction refused by a preflight is pending until its blockhash expires, because its signer may send it elsewhere', async (t) => {
  assert.equal((await ask(t, { recorded: 'refused' })).state, 'pending');
  assert.equal((await ask(t, { recorded: 'refused', proof: { kind: 'expired' } })).state, 'expired');
});

test('if the expiry check finds that the transaction landed after all, its slot is returned', async (t) => {
  const confirmed = await ask(t, { recorded: 'signed', proof: { kind: 'confirmed', slot: 3n } });
  assert.deepEqual([confirmed.state, confirmed.slot], ['confirmed', 3]);
  const failed = await ask(t, { recorded: 'signed', proof: { kind: 'failed', slot: 4n, error: 'X' } });
  assert.deepEqual([failed.state, failed.slot, failed.error], ['failed', 4, 'X']);
});

test('a recorded result stays proven after the nodes have pruned the transaction', async (t) => {
  const forgotten = { proof: { kind: 'expired' } } as const;
  const confirmed = await ask(t, { ...forgotten, recorded: 'confirmed' });
  assert.deepEqual([confirmed.state, confirmed.slot, confirmed.error], ['confirmed', 8, null]);
  const failed = await ask(t, { ...forgotten, recorded: 'failed' });
  assert.deepEqual([failed.state, failed.slot, failed.error], ['failed', 8, 'AccountInUse']);
});

test('the chain takes precedence over the record', async (t) => {
  const body = await ask(t, { status: landed('finalized'), recorded: 'expired' });
  assert.deepEqual([body.state, body.recordedHere], ['finalized', true]);
});

test('a signature unknown to the cluster and the record is NOT_FOUND, except while the RPC is unavailable', async (t) => {
  await assert.rejects(ask(t, {}), (error: unknown) => isAppError(error, 'NOT_FOUND'));
  await assert.rejects(ask(t, { status: 'away' }), (error: unknown) =>
    isAppError(error, 'UPSTREAM_UNAVAILABLE'),
  );
});

test('while the RPC is unavailable, a recorded outcome is returned, and an open one names its signature', async (t) => {
  for (const recorded of ['confirmed', 'failed', 'expired'] as const)
    assert.equal((await ask(t, { status: 'away', recorded })).state, recorded);
  for (const recorded of ['signed', 'refused'] as const)
    await assert.rejects(ask(t, { status: 'away', recorded }), (error: unknown) => {
      assert.ok(isAppError(error, 'UPSTREAM_UNAVAILABLE'));
      assert.deepEqual([error.reason, error.body], ['OUTCOME_UNREAD', { signature: SIGNATURE }]);
      assert.match(String(error.suggestedAction), /Do not sign another transaction/);
      return true;
    });
});
