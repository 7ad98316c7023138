import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { actContext, createScriptedSubmitter } from '../../../test/support/act-context.ts';
import { type ContextParts, withParts } from '../../../test/support/context-parts.ts';
import { patience } from '../../../test/support/patience.ts';
import { exampleKey, PLAN, planContext } from '../../../test/support/plan-context.ts';
import { createManualClock } from '../../../test/support/steerable-clock.ts';
import { openTestStore } from '../../../test/support/store-fixture.ts';
import type { SignatureStatus } from '../../chain/ports.ts';
import { buildTransaction, encodeWire } from '../../chain/transactions/transaction.ts';
import type { TransactionKind } from '../../domain/transaction/transaction-kinds.ts';
import { AppError, isAppError } from '../../kernel/app-error.ts';
import { findAction } from '../routes/transaction-builders.ts';
import { createActionCompletion } from './action-completion.ts';

const SIGNATURE = '5'.repeat(88);
const donationAddress = exampleKey(7);
const donation = encodeWire(
  buildTransaction.donate({
    wallet: PLAN.wallet,
    memo: PLAN.memo,
    blockhash: exampleKey(9),
    donationAddress,
    lamports: 5n,
  }),
);
const seen = (
  confirmationStatus: SignatureStatus['confirmationStatus'] = 'confirmed',
  error: unknown = null,
): SignatureStatus => ({ slot: 9n, confirmationStatus, error });

/**
 * Creates a cluster that returns the responses in `said` in order and repeats the last one. Every wait ends
 * immediately and is counted.
 */
const open = async (
  t: TestContext,
  said: readonly (SignatureStatus | null)[],
  wire: Uint8Array | Error | (() => void) = donation,
  slot = 9n,
) => {
  const { intents, transactions } = await openTestStore(t);
  const clock = createManualClock();
  const waited: number[] = [];
  const logged: [level: string, message: string][] = [];
  const note = (level: string) => (facts: { err: Error }) => void logged.push([level, facts.err.message]);
  const position = { absoluteSlot: 8_640_000n };
  const base = planContext({ walletLamports: 0n, account: null, position });
  let asked = 0;
  const parts = {
    store: { intents, transactions },
    clock: {
      ...clock,
      sleep: async (ms: number, signal?: AbortSignal) => {
        signal?.throwIfAborted();
        waited.push(ms);
      },
    },
    logger: { warn: note('warn'), error: note('error') },
    chain: {
      index: null,
      reads: {
        ...base.chain.reads,
        signatureStatuses: async () => {
          const status = said[Math.min(asked, said.length - 1)] ?? null;
          asked += 1;
          return { slot: 1n, statuses: [status] };
        },
        transaction: async () => {
          if (wire instanceof Error) throw wire;
          if (typeof wire === 'function') {
            wire();
            throw new Error('given up');
          }
          return { slot, wireBytes: wire, error: null, blockTimeSeconds: null };
        },
      },
    },
    service: {
      publicUrl: () => 'https://stake.example',
      settings: {
        voteAccount: PLAN.voteAccount,
        memo: PLAN.memo,
        donationAddress,
        explorerUrl: 'https://explorer.example',
        explorerQuery: '',
      },
    },
    validator: { status: { notices: () => [], warnings: () => [], current: () => null } },
  } as unknown as ContextParts;
  const ctx = actContext(intents, createScriptedSubmitter(), withParts(base, parts));
  const done = (
    name: TransactionKind = 'donate',
    body: object = { account: PLAN.wallet, signature: SIGNATURE },
    signal = patience(),
  ) =>
    createActionCompletion(findAction(name)!, { ...body }, { ctx, signal, source: 'rest', client: 'test' });
  const history = async () => (await transactions.pageWalletHistory(PLAN.wallet)).entries;
  return { done, waited, logged, history };
};

test('a landed transaction completes with its effect and appears in the history', async (t) => {
  const { done, waited, history } = await open(t, [seen('finalized')]);
  const end = await done();
  assert.ok(end.type === 'completed');
  assert.deepEqual([end.title, end.label], ['Transaction confirmed', 'Confirmed']);
  assert.match(end.icon, /^https:\/\/stake\.example\//);
  assert.match(
    end.description,
    /^Donation of 0\.000000005 SOL confirmed\. Thank you\. See https:\/\/explorer\.example\/tx\/5+$/,
  );
  assert.deepEqual(
    (await history()).map(({ type, amountLamports }) => [type, amountLamports]),
    [['donate', 5n]],
  );
  assert.deepEqual(waited, []);
});

test('a stake that landed in an earlier epoch is not said to become active at the next boundary', async (t) => {
  const stake = encodeWire(
    buildTransaction.stake({
      ...PLAN,
      stakeAccount: exampleKey(6),
      blockhash: exampleKey(9),
      lamports: 3_000_000_000n,
    }),
  );
  for (const [slot, afterwards] of [
    [8_640_000n, 'It becomes active at the next epoch boundary at the earliest. '],
    [9n, ''],
  ] as const) {
    const { done } = await open(t, [seen()], stake, slot);
    const end = await done('stake');
    assert.ok(end.type === 'completed');
    assert.ok(end.description.startsWith(`Stake of 3 SOL confirmed. ${afterwards}See `), end.description);
  }
});

test('the completion describes the transaction that landed, not the Action that was asked about', async (t) => {
  const { done } = await open(t, [seen()]);
  const end = await done('withdraw');
  assert.ok(end.type === 'completed');
  assert.match(end.description, /^Donation of 0\.000000005 SOL confirmed\. Thank you\. See /);
});

test('a transaction of another wallet is attributed to that wallet and promises the account nothing', async (t) => {
  const { done } = await open(t, [seen()]);
  for (const account of [exampleKey(8), undefined, 5]) {
    const end = await done('donate', { account, signature: SIGNATURE });
    assert.ok(end.type === 'completed');
    assert.ok(
      end.description.startsWith(
        `Donation of 0.000000005 SOL confirmed. It was made by ${PLAN.wallet}, which is not the account of this request. See `,
      ),
      end.description,
    );
  }
});

test('a node that is some slots behind is queried three times with pauses in between', async (t) => {
  const late = await open(t, [null, seen('processed'), seen()]);
  assert.equal((await late.done()).type, 'completed');
  assert.deepEqual(late.waited, [400, 400]);
  const unknown = await open(t, [null]);
  await assert.rejects(unknown.done(), (error) => isAppError(error, 'NOT_FOUND'));
  assert.deepEqual(unknown.waited, [400, 400]);
});

test('a transaction at processed is not reported as confirmed and is not recorded', async (t) => {
  const { done, history } = await open(t, [seen('processed')]);
  const end = await done();
  assert.ok(end.type === 'completed');
  assert.deepEqual([end.title, end.label], ['Transaction sent', 'Not confirmed yet']);
  assert.deepEqual(await history(), []);
});

test('a failed transaction leads back to the Action, which can be tried again and shows the reason instead of warnings', async (t) => {
  const { done, history } = await open(t, [seen('confirmed', { InstructionError: [0, 'Custom'] })]);
  const next = await done('stake');
  assert.ok(next.type === 'action');
  assert.match(next.error?.message ?? '', /failed on chain; only the fee was paid/);
  assert.deepEqual([next.disabled, next.links?.actions.length], [undefined, 4]);
  assert.deepEqual(await history(), []);
});

for (const [what, reason, level] of [
  ['no node returns', new AppError('UPSTREAM_UNAVAILABLE', 'away'), 'warn'],
  ['the store cannot record', new AppError('STORE_UNAVAILABLE', 'away'), 'warn'],
  ['cannot be recorded because of a bug', new TypeError('a bug'), 'error'],
] as const)
  test(`a transaction that ${what} is still completed, and the failure is logged as ${level}`, async (t) => {
    const { done, logged } = await open(t, [seen()], reason);
    const end = await done();
    assert.ok(end.type === 'completed');
    assert.match(end.description, /^It landed and succeeded\. This service does not know what it did\. See /);
    assert.deepEqual(logged, [[level, reason.message]]);
  });

test('sends no response and logs no failure if the caller disconnects while the transaction is being recorded', async (t) => {
  const gone = new Error('gone');
  const leaving = new AbortController();
  const { done, logged } = await open(t, [seen()], () => leaving.abort(gone));
  await assert.rejects(done('donate', { signature: SIGNATURE }, leaving.signal), (error) => error === gone);
  assert.deepEqual(logged, []);
});

test('a transaction that this service did not build is confirmed but neither described nor recorded', async (t) => {
  const { done, history } = await open(t, [seen()], new Uint8Array([1, 2, 3]));
  const end = await done();
  assert.ok(end.type === 'completed');
  assert.match(end.description, /^It landed and succeeded\. This service does not know what it did\. See /);
  assert.deepEqual(await history(), []);
});

for (const body of [
  {},
  { signature: 5 },
  { signature: 'x' },
  { signature: `${SIGNATURE}5` },
  { Signature: SIGNATURE },
])
  test(`${JSON.stringify(body).slice(0, 30)} is refused as an invalid signature without querying a node`, async (t) => {
    const { done, waited } = await open(t, [null]);
    await assert.rejects(done('stake', body), (error) => {
      assert.ok(isAppError(error, 'VALIDATION_ERROR'));
      assert.equal(error.details?.[0]?.path, 'signature');
      return true;
    });
    assert.deepEqual(waited, []);
  });

test('the completion stops waiting when the caller disconnects', async (t) => {
  const { done } = await open(t, [null]);
  const gone = new Error('gone');
  await assert.rejects(
    done('stake', { signature: SIGNATURE }, AbortSignal.abort(gone)),
    (error) => error === gone,
  );
});
