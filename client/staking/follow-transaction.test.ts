// Tests that a signed transaction is followed until its outcome is certain, and that nothing is sent after the
// caller aborts.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HoldfastError } from '../holdfast-error.ts';
import { followTransaction } from './follow-transaction.ts';
import type { TransactionRecord } from './pending-transaction.ts';
import type { StakingService } from './staking-request.ts';

const RECORD: TransactionRecord = {
  version: 1,
  kind: 'stake',
  walletAddress: 'wallet',
  cluster: 'sandbox',
  voteAccount: 'vote',
  idempotencyKey: 'key',
  begunAtMs: 0,
  signature: 'mine',
  lastValidBlockHeight: 150,
};
const SIGNED: TransactionRecord = { ...RECORD, signedTransaction: 'AAAA' };
const LANDED = { signature: 'landed', explorerUrl: 'https://explorer' };

const fail = (errorCode: string, more: object = {}) =>
  new HoldfastError({ errorCode, message: errorCode, operation: 'test', ...more });
type State = Awaited<ReturnType<StakingService['stateOf']>>;
const answered = (state: State['state'], error: unknown = null): State => ({
  state,
  error,
  explorerUrl: 'https://told',
});

type Script = Partial<Record<'submit' | 'stateOf' | 'blockHeight', unknown[]>>;

/** Follows a transaction with scripted responses, one per call. The caller aborts after `turns` waits. */
const follow = async (record: TransactionRecord, script: Script, turns = 50) => {
  const calls: string[] = [];
  const slept: number[] = [];
  const next = async (name: keyof Script): Promise<never> => {
    calls.push(name);
    const response = script[name]?.shift();
    if (response === undefined) throw new assert.AssertionError({ message: `no response for ${calls}` });
    if (response instanceof Error) throw response;
    return response as never;
  };
  const service = {
    submit: () => next('submit'),
    stateOf: () => next('stateOf'),
    blockHeight: () => next('blockHeight'),
  };
  const leaving = new AbortController();
  if (turns === 0) leaving.abort();
  let left = turns;
  let acknowledged = 0;
  const end = await followTransaction(
    {
      service,
      sleep: async (ms) => {
        slept.push(ms);
        left -= 1;
        if (left <= 0) leaving.abort();
      },
      signal: leaving.signal,
      onAcknowledged: () => {
        acknowledged += 1;
      },
    },
    record,
  );
  return { end, calls, slept, acknowledged };
};

describe('a signed transaction', () => {
  it('is submitted first, and its state is requested afterwards', async () => {
    const { end, calls } = await follow(SIGNED, {
      submit: [fail('TIMEOUT')],
      stateOf: [answered('finalized')],
    });
    assert.deepEqual(end, { how: 'landed', response: { signature: 'mine', explorerUrl: 'https://told' } });
    assert.deepEqual(calls, ['submit', 'stateOf']);
  });

  it('is no longer followed after a final refusal, but is after a refusal that leaves the outcome open', async () => {
    for (const code of [
      'VALIDATION_ERROR',
      'INSUFFICIENT_BALANCE',
      'SUBMISSION_FAILED',
      'STAKE_BALANCE_CHANGED',
    ]) {
      const error = fail(code, { status: 400 });
      const { end, calls } = await follow(SIGNED, { submit: [error] });
      assert.deepEqual([end, calls], [{ how: 'failed', error }, ['submit']]);
    }
    for (const error of [
      fail('NETWORK'),
      fail('TIMEOUT'),
      fail('ABORTED'),
      fail('BAD_ANSWER', { status: 200 }),
      fail('SUBMISSION_UNRESOLVED', { status: 504 }),
      new TypeError('not even an error of the client'),
    ]) {
      const { end } = await follow(SIGNED, { submit: [error], stateOf: [answered('confirmed')] });
      assert.equal(end.how, 'landed', String(error));
    }
  });

  it('is submitted again if the service does not know it, and the response then decides the outcome like that to the first submission', async () => {
    const again = (second: unknown) =>
      follow(SIGNED, { submit: [fail('NETWORK'), second], stateOf: [fail('NOT_FOUND')] });
    assert.deepEqual((await again(LANDED)).end, { how: 'landed', response: LANDED });
    const expired = fail('BLOCKHASH_EXPIRED');
    assert.deepEqual((await again(expired)).end, { how: 'expired', error: expired });
    const refused = fail('SUBMISSION_FAILED');
    assert.deepEqual((await again(refused)).end, { how: 'failed', error: refused });
  });

  it('is followed until the chain’s result, which for a failure includes the reason', async () => {
    const lost = { submit: [fail('NETWORK')] };
    const { end: expired } = await follow(SIGNED, { ...lost, stateOf: [answered('expired')] });
    assert.deepEqual(expired, { how: 'expired', error: undefined });
    const { end: failed } = await follow(SIGNED, {
      submit: [fail('NETWORK')],
      stateOf: [answered('pending'), answered('failed', { InstructionError: [2, { Custom: 6 }] })],
    });
    assert.ok(failed.how === 'failed' && failed.error instanceof Error);
    assert.match(failed.error.message, /InstructionError.*Custom":6/);
  });
});

describe('a transaction that the wallet sent itself', () => {
  it('is never submitted, and counts as expired only above its last valid block height', async () => {
    const { end, calls } = await follow(RECORD, {
      stateOf: Array.from({ length: 4 }, () => fail('NOT_FOUND')),
      blockHeight: [149, 150, 151],
    });
    assert.equal(end.how, 'expired');
    const round = ['stateOf', 'blockHeight'];
    assert.deepEqual(calls, [...round, ...round, ...round, 'stateOf']);
  });

  it('counts as landed if it landed in its last valid block between two polls', async () => {
    for (const response of [answered('confirmed'), answered('failed', { Custom: 6 }), answered('pending')]) {
      const { end } = await follow(RECORD, {
        stateOf: [fail('NOT_FOUND'), response, answered('finalized')],
        blockHeight: [151],
      });
      assert.equal(end.how, response.state === 'failed' ? 'failed' : 'landed', response.state);
    }
  });

  it('is followed further while the block height is unavailable or its last valid height is unknown', async () => {
    const blind = await follow(RECORD, {
      stateOf: [fail('NOT_FOUND'), answered('confirmed')],
      blockHeight: [fail('UPSTREAM_UNAVAILABLE', { status: 502 })],
    });
    assert.equal(blind.end.how, 'landed');
    const { lastValidBlockHeight: _unknown, ...open } = RECORD;
    const unknown = await follow(open, { stateOf: [fail('NOT_FOUND'), answered('confirmed')] });
    assert.deepEqual([unknown.end.how, unknown.calls], ['landed', ['stateOf', 'stateOf']]);
  });
});

describe('the pace', () => {
  it('grows by half from one second to ten, unless the service requests a delay', async () => {
    const { slept } = await follow(
      RECORD,
      {
        stateOf: [
          ...Array.from({ length: 7 }, () => answered('pending')),
          fail('RATE_LIMITED', { status: 429, retryAfterSeconds: 42 }),
          answered('pending'),
        ],
      },
      9,
    );
    assert.deepEqual(slept, [1_000, 1_500, 2_250, 3_375, 5_062.5, 7_593.75, 10_000, 42_000, 10_000]);
  });

  it('is never zero and never exceeds the maximum timer delay', async () => {
    const limited = (retryAfterSeconds: number) => fail('RATE_LIMITED', { status: 429, retryAfterSeconds });
    const { slept } = await follow(RECORD, { stateOf: [limited(0), limited(0), limited(1e9)] }, 3);
    assert.deepEqual(slept, [1_000, 1_500, 120_000]);
  });

  it('ends when the caller aborts, and no request is sent afterwards', async () => {
    assert.deepEqual((await follow(SIGNED, {}, 0)).calls, []);
    const { end, calls } = await follow(SIGNED, { submit: [fail('NETWORK')] }, 1);
    assert.deepEqual([end.how, calls], ['open', ['submit']]);
  });
});
