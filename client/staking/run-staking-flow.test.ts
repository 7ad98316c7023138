// Tests plans of several transactions: all are verified before any is signed, one approval covers exactly these
// bytes, and a plan that stops halfway is reported.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Address } from '@solana/kit';
import { buildTransaction } from '../../src/chain/transactions/transaction.ts';
import { fromBase64, toBase64 } from '../../src/chain/transactions/wire-base64.ts';
import { decodeWire } from '../../src/chain/transactions/wire-transaction.ts';
import { NO_LOCKUP } from '../../src/domain/stake/stake-account.ts';
import { priorityFeeView } from '../../src/operations/act/choose-priority-fee.ts';
import { json, type ScriptedResponse } from '../../test/client/scripted-service.ts';
import {
  built,
  changeBytes,
  confirms,
  OUTSIDER,
  refuses,
  SECOND_ACCOUNT,
  STAKE_ACCOUNT,
  signer,
  stakeBytes,
  VOTE_ACCOUNT,
} from '../../test/support/honest-responses.ts';
import { startFlow } from '../../test/support/staking-flow-world.ts';
import { isHoldfastError } from '../holdfast-error.ts';
import type { TransactionRecord } from './pending-transaction.ts';
import { Declined, NotAsAsked, StoppedHalfway } from './staking-errors.ts';
import type { StakingRequest } from './staking-request.ts';
import { verifyTransaction } from './verify-against-request.ts';
import { takeApart } from './wire-signatures.ts';

const { walletAddress } = signer;
const authority = walletAddress as Address;
const withdrawal = (account: string, lamports: bigint, to: string = walletAddress): string =>
  changeBytes(
    ...[1n, lamports].map((part) => ({
      type: 'withdraw' as const,
      account: account as Address,
      to: to as Address,
      lamports: part,
      authority,
    })),
  );
const [FIRST, SECOND] = [withdrawal(STAKE_ACCOUNT, 5n), withdrawal(OUTSIDER, 7n)];
const all: StakingRequest = { kind: 'rearrange', walletAddress, goal: 'withdraw-all' };
const amount: StakingRequest = {
  kind: 'rearrange',
  walletAddress,
  goal: 'withdraw-amount',
  amountLamports: 14n,
};

const plans = (...transactions: readonly string[]): ScriptedResponse => {
  const { warnings, _meta } = built('');
  const responses = transactions.map((transaction) => ({ ...built(transaction) }));
  return json(200, { feasible: true, refusal: null, plan: null, transactions: responses, warnings, _meta });
};

const messageOf = (transaction: string): string => toBase64(takeApart(fromBase64(transaction)).message);

const SUBMIT = '/transaction/submit';

test('two transactions are approved together, and exactly the displayed bytes are signed, in order', async (t) => {
  for (const request of [all, amount]) {
    const flow = await startFlow(t, [plans(FIRST, SECOND), confirms, confirms]);
    const { landed } = await flow.run(request);
    assert.equal(landed.length, 2);
    assert.deepEqual(flow.signed, [messageOf(FIRST), messageOf(SECOND)]);
    assert.deepEqual(
      flow.asked.map(({ why, following }) => [why, following.length]),
      [['first', 1]],
    );
    assert.deepEqual(flow.paths(), ['/plan', SUBMIT, SUBMIT]);
    assert.deepEqual(flow.keys(), ['key', 'key', 'key-2']);
  }
});

test('the user’s node is queried once for the accounts of all transactions together', async (t) => {
  const flow = await startFlow(t, [plans(FIRST, SECOND), confirms, confirms]);
  const asked: string[][] = [];
  await flow.run(all, {
    nodeFacts: async (_, verdicts) => {
      asked.push(verdicts.map(({ effectsFingerprint }) => effectsFingerprint));
      return null;
    },
  });
  assert.equal(asked.length, 1);
  assert.equal(new Set(asked[0]).size, 2);
});

test('nothing is signed if a later transaction of the plan does something that was not requested', async (t) => {
  const flow = await startFlow(t, [plans(FIRST, withdrawal(OUTSIDER, 7n, OUTSIDER))]);
  await assert.rejects(flow.run(all), (error) => error instanceof NotAsAsked && error.from === 'service');
  assert.deepEqual([flow.signed, flow.asked], [[], []]);
});

test('nothing is signed if a second transaction stakes the amount again, at a different address or the same one', async (t) => {
  const request: StakingRequest = {
    kind: 'rearrange',
    walletAddress,
    goal: 'top-up',
    amountLamports: 9n,
    stakeAccountAddress: STAKE_ACCOUNT,
  };
  const into = STAKE_ACCOUNT as Address;
  const newStake = (account: Address): string =>
    changeBytes(
      { type: 'create', account, payer: authority, lamports: 9n },
      {
        type: 'initialize',
        account,
        stakeAuthority: authority,
        withdrawAuthority: authority,
        lockup: NO_LOCKUP,
      },
      { type: 'delegate', account, voteAccount: VOTE_ACCOUNT as Address, authority },
    );
  const merge = changeBytes({ type: 'merge', account: into, from: OUTSIDER as Address, authority });
  const [one, other] = [OUTSIDER, SECOND_ACCOUNT] as [Address, Address];
  const honest = await startFlow(t, [plans(newStake(one), merge), confirms, confirms]);
  await honest.run(request);
  assert.equal(honest.signed.length, 2);
  for (const again of [one, other]) {
    const flow = await startFlow(t, [plans(newStake(one), merge, newStake(again))]);
    await assert.rejects(
      flow.run(request),
      (error) => error instanceof NotAsAsked && error.from === 'service',
    );
    assert.deepEqual([flow.signed, flow.asked], [[], []]);
  }
});

test('if accounts have changed, one new plan is made and approved, and a second refusal ends the flow', async (t) => {
  const changed = refuses('STAKE_BALANCE_CHANGED');
  const flow = await startFlow(t, [plans(FIRST), changed, plans(SECOND), confirms]);
  await flow.run(amount);
  assert.deepEqual(flow.signed, [FIRST, SECOND].map(messageOf));
  assert.equal(flow.asked.length, 2);
  assert.equal(flow.states.filter((name) => name === 'replanned').length, 1);
  const twice = await startFlow(t, [plans(FIRST), changed, plans(SECOND), changed]);
  await assert.rejects(twice.run(amount), (error) => isHoldfastError(error, 'STAKE_BALANCE_CHANGED'));
  assert.equal(twice.signed.length, 2);
});

test('an interruption between two transactions reports which one landed, and rejects as an interruption', async (t) => {
  const stop = new AbortController();
  const flow = await startFlow(t, [plans(FIRST, SECOND), confirms]);
  await assert.rejects(
    flow.run(all, {
      signal: stop.signal,
      onState: ({ name }) => name === 'landed' && stop.abort(new Error('Ctrl-C')),
    }),
    (error) =>
      error instanceof StoppedHalfway && error.count === 1 && isHoldfastError(error.cause, 'ABORTED'),
  );
  assert.deepEqual(flow.signed, [messageOf(FIRST)]);
});

test('no new plan is made once part of an amount has landed, while a goal without an amount continues with the rest', async (t) => {
  const responses = [
    plans(FIRST, SECOND),
    confirms,
    refuses('STAKE_BALANCE_CHANGED'),
    plans(SECOND),
    confirms,
  ];
  const part = await startFlow(t, responses);
  await assert.rejects(
    part.run(amount),
    (error) =>
      error instanceof StoppedHalfway && error.landed.length === 1 && /^1 transaction /.test(error.message),
  );
  assert.deepEqual(part.paths(), ['/plan', SUBMIT, SUBMIT]);
  const whole = await startFlow(t, responses);
  const { landed } = await whole.run(all);
  assert.equal(landed.length, 2);
  assert.deepEqual(whole.keys(), ['key', 'key', 'key-2', 'key-again', 'key-again']);
});

test('a rebuilt plan is presented for approval as a change if it differs, and as a renewal if it is equal', async (t) => {
  const expired = refuses('BLOCKHASH_EXPIRED');
  const flow = await startFlow(t, [plans(FIRST), expired, plans(FIRST), expired, plans(SECOND), confirms]);
  await flow.run(amount);
  assert.deepEqual(
    flow.asked.map(({ why }) => why),
    ['first', 'again', 'again'],
  );
  const proven = await startFlow(t, [plans(FIRST), expired, plans(FIRST), expired, plans(SECOND), confirms]);
  await proven.run(amount, { provesExpired: async () => true });
  assert.deepEqual(
    proven.asked.map(({ why }) => why),
    ['first', 'expired', 'changed'],
  );
});

test('no second transaction is signed without proof or a person’s consent, whatever the service claims about the first', async (t) => {
  for (const [request, responses] of [
    [amount, [plans(FIRST), refuses('BLOCKHASH_EXPIRED'), plans(FIRST)]],
    [amount, [plans(FIRST), refuses('STAKE_BALANCE_CHANGED'), plans(SECOND)]],
    [all, [plans(FIRST, SECOND), refuses('STAKE_BALANCE_CHANGED'), plans(FIRST)]],
  ] as const) {
    const seen: unknown[] = [];
    const flow = await startFlow(t, responses);
    await assert.rejects(
      flow.run(request, {
        approveDespiteOpenSignature: undefined,
        provesExpired: async (signed) => {
          seen.push(signed);
          return false;
        },
      }),
      (error) =>
        isHoldfastError(error, 'STILL_POSSIBLE') &&
        isDeepStrictEqual(Object.keys(seen[0] as object), [
          'signature',
          'signedTransaction',
          'lastValidBlockHeight',
        ]) &&
        error.body?.signature === (seen[0] as { signature: string }).signature,
    );
    assert.deepEqual(flow.signed, [FIRST].map(messageOf));
  }
  const halfway = await startFlow(t, [
    ...[plans(FIRST, SECOND), confirms, refuses('BLOCKHASH_EXPIRED'), plans(SECOND)],
  ]);
  await assert.rejects(
    halfway.run(all, { approveDespiteOpenSignature: undefined }),
    (error) => error instanceof StoppedHalfway && isHoldfastError(error.cause, 'STILL_POSSIBLE'),
  );
  assert.equal(halfway.signed.length, 2);
  const declined = await startFlow(t, [plans(FIRST), refuses('BLOCKHASH_EXPIRED'), plans(FIRST)]);
  await assert.rejects(
    declined.run(amount, { approveDespiteOpenSignature: async () => 'decline' as const }),
    Declined,
  );
  assert.equal(declined.signed.length, 1);
});

test('a later transaction needs a separate approval after each refusal by the wallet', async (t) => {
  const flow = await startFlow(t, [plans(FIRST, SECOND), confirms, confirms]);
  const refusal = new Error('refused by the wallet');
  let refusals = 2;
  await flow.run(amount, {
    sign: (transaction) => {
      if (flow.signed.length === 1 && refusals-- > 0) throw refusal;
      return flow.sign(transaction);
    },
    canAskAgain: (error) => error === refusal,
  });
  assert.deepEqual(
    flow.asked.map(({ why }) => why),
    ['first', 'refused', 'refused'],
  );
  assert.deepEqual(flow.signed, [messageOf(FIRST), messageOf(SECOND)]);
});

test('if later transactions expire, the rest is planned again while plans make progress, unless the goal has an amount', async (t) => {
  const expired = refuses('BLOCKHASH_EXPIRED');
  const plan = plans(FIRST, SECOND);
  const flow = await startFlow(t, [
    plan,
    confirms,
    expired,
    plan,
    confirms,
    expired,
    plans(SECOND),
    confirms,
  ]);
  const { landed } = await flow.run(all);
  assert.equal(landed.length, 3);
  assert.deepEqual(
    flow.asked.map(({ why }) => why),
    ['first', 'again', 'again'],
  );
  const part = await startFlow(t, [plan, confirms, expired]);
  await assert.rejects(part.run(amount), StoppedHalfway);
  assert.deepEqual(part.paths(), ['/plan', SUBMIT, SUBMIT]);
});

test('at most ten plans are signed if the service claims after every first transaction that accounts have changed', async (t) => {
  const cycle = [plans(FIRST, SECOND), confirms, refuses('STAKE_BALANCE_CHANGED')];
  const flow = await startFlow(t, Array.from({ length: 12 }, () => cycle).flat());
  // Worst case: the node that the user trusts confirms every false claim.
  await assert.rejects(
    flow.run(all, { provesExpired: async () => true }),
    (error) => error instanceof StoppedHalfway && error.count === 10,
  );
  assert.equal(flow.paths().filter((path) => path === '/plan').length, 10);
});

test('a transaction of a plan that is resumed after a restart is followed to its outcome, and is never planned or signed again', async (t) => {
  const signedTransaction = FIRST;
  const halfway = async (
    more: Partial<TransactionRecord>,
    responses: readonly ScriptedResponse[],
    count: number,
  ): Promise<void> => {
    const flow = await startFlow(t, responses);
    await assert.rejects(
      flow.run(amount, {}, more),
      (error) => error instanceof StoppedHalfway && error.count === count,
    );
    assert.deepEqual([flow.signed, flow.asked], [[], []]);
    assert.deepEqual(flow.paths(), responses.length === 0 ? [] : [SUBMIT]);
  };
  const signature = 'signature';
  await halfway({ part: { index: 1, of: 2 }, signature, signedTransaction }, [confirms], 1);
  await halfway({ part: { index: 2, of: 3 }, signature, signedTransaction }, [confirms], 2);
  await halfway(
    { part: { index: 2, of: 3 }, signature, signedTransaction },
    [refuses('BLOCKHASH_EXPIRED')],
    1,
  );
  await halfway({ part: { index: 2, of: 3 } }, [], 1);
  await halfway({ part: { index: 2, of: 3 }, signature, confirmedAtMs: 1 }, [], 2);
  const last = await startFlow(t, [confirms]);
  const { landed } = await last.run(amount, {}, { part: { index: 3, of: 3 }, signature, signedTransaction });
  assert.equal(landed.length, 1);
});

test('a priority fee must equal the announced fee to the lamport', async (t) => {
  const unitPrice = { microLamports: 50_000n, maxFeeLamports: 1_000_000n };
  const transaction = stakeBytes({ unitPrice });
  const { priorityFee } = buildTransaction.stake({
    wallet: authority,
    stakeAccount: STAKE_ACCOUNT,
    voteAccount: VOTE_ACCOUNT,
    lamports: 2_000_000_000n,
    memo: 'stake.example',
    blockhash: STAKE_ACCOUNT,
    unitPrice,
  });
  const lamports = Number(priorityFee!.lamports);
  const asked: StakingRequest = {
    kind: 'stake',
    walletAddress,
    amountLamports: 2_000_000_000n,
    priority: 'low',
  };
  for (const announced of [lamports - 1, lamports + 1, undefined]) {
    const response = { ...built(transaction), ...(announced && { priorityFee: { lamports: announced } }) };
    const { run, signed } = await startFlow(t, [json(200, response)]);
    await assert.rejects(run(asked), (error) => error instanceof NotAsAsked && error.from === 'service');
    assert.deepEqual(signed, []);
  }
  const { run, signed } = await startFlow(t, [
    json(200, { ...built(transaction), priorityFee: { lamports } }),
    confirms,
  ]);
  await run(asked);
  assert.equal(signed.length, 1);
});

test('a version 1 header must have exactly the announced fee and limits', async (t) => {
  const unitPrice = { microLamports: 50_000n, maxFeeLamports: 1_000_000n };
  const transaction = stakeBytes({ unitPrice, version: 1 });
  const announced = priorityFeeView(decodeWire(Buffer.from(transaction, 'base64')), null);
  const asked: StakingRequest = {
    kind: 'stake',
    walletAddress,
    amountLamports: 2_000_000_000n,
    priority: 'low',
  };
  for (const change of [
    { lamports: announced.lamports + 1 },
    { computeUnitLimit: announced.computeUnitLimit! + 1 },
    { loadedAccountsDataBytes: announced.loadedAccountsDataBytes! - 1 },
    { loadedAccountsDataBytes: undefined },
  ]) {
    const response = { ...built(transaction), priorityFee: { ...announced, ...change } };
    const { run, signed } = await startFlow(t, [json(200, response)]);
    await assert.rejects(run(asked), (error) => error instanceof NotAsAsked && error.from === 'service');
    assert.deepEqual(signed, []);
  }
  const { run, signed } = await startFlow(t, [json(200, { ...built(transaction), priorityFee: announced })]);
  await assert.rejects(run({ ...asked, priority: 'none' }), NotAsAsked);
  assert.deepEqual(signed, [], 'the header has a fee that was not requested');
  const willing = await startFlow(t, [
    json(200, { ...built(transaction), priorityFee: announced }),
    confirms,
  ]);
  await willing.run(asked);
  assert.equal(willing.signed.length, 1);
  const shown = (bytes: string): boolean =>
    verifyTransaction(fromBase64(bytes), { voteAccount: VOTE_ACCOUNT }).shownByHardwareWallets;
  assert.deepEqual([stakeBytes(), transaction].map(shown), [true, false]);
});
