// Tests that an unfinished transaction is found again after a reload, and that other data in the storage is
// ignored.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import type { HoldfastError } from '../holdfast-error.ts';
import {
  newRecord,
  requestOf,
  slotStore,
  storageSlot,
  type TransactionRecord,
} from './pending-transaction.ts';
import type { Prepared } from './prepared-transaction.ts';
import { Declined } from './staking-errors.ts';
import type { StakingRequest } from './staking-request.ts';

const record: TransactionRecord = {
  version: 1,
  kind: 'stake',
  walletAddress: 'wallet',
  amountLamports: '9007199254740993',
  cluster: 'sandbox',
  voteAccount: 'vote',
  idempotencyKey: 'key',
  begunAtMs: 1,
};

const storageWith = (text: string | null) => {
  let stored = text;
  return {
    getItem: () => stored,
    setItem: (_key: string, value: string) => {
      stored = value;
    },
    removeItem: () => {
      stored = null;
    },
    stored: () => stored,
  };
};

describe('the record of a transaction', () => {
  it('is read back unchanged, and is removed when the flow ends', () => {
    const storage = storageWith(null);
    const slot = storageSlot(storage, 'place');
    assert.equal(slot.read(), null);
    slot.write(record);
    assert.deepEqual(slot.read(), record);
    slot.write(null);
    assert.equal(storage.stored(), null);
  });

  it('leaves the record of a different transaction in place', () => {
    const slot = storageSlot(storageWith(null), 'place');
    const store = slotStore(slot);
    const other = { ...record, idempotencyKey: 'other' };
    store.save(other);
    store.saveIfPossible(record);
    store.remove(record);
    assert.deepEqual(slot.read(), other);
    store.remove(other);
    assert.equal(slot.read(), null);
  });

  it('other stored data is ignored', () => {
    const { idempotencyKey: _dropped, ...incomplete } = record;
    for (const text of [
      '{',
      'null',
      '5',
      '[]',
      JSON.stringify({ ...record, version: 2 }),
      JSON.stringify({ ...record, kind: 'donate' }),
      JSON.stringify({ ...record, walletAddress: 5 }),
      JSON.stringify(incomplete),
      ...['1.5', '-1', '', '9'.repeat(21), 5].map((amountLamports) =>
        JSON.stringify({ ...record, amountLamports }),
      ),
      JSON.stringify({ ...record, begunAtMs: 'now' }),
      JSON.stringify({ ...record, lastValidBlockHeight: '150' }),
      JSON.stringify({ ...record, signature: null }),
      JSON.stringify({ ...record, explorerUrl: {} }),
      JSON.stringify({ ...record, cluster: undefined }),
      ...[
        null,
        {},
        { goal: 'steal' },
        { goal: 'tidy', accounts: 'all' },
        { goal: 'tidy', accounts: [5] },
      ].map((change) => JSON.stringify({ ...record, change })),
    ])
      assert.equal(storageSlot(storageWith(text), 'place').read(), null, text);
    for (const kind of ['stake', 'unstake', 'withdraw'] as const)
      assert.equal(storageSlot(storageWith(JSON.stringify({ ...record, kind })), 'place').read()?.kind, kind);
  });

  it('storage that cannot be read counts as empty', () => {
    const storage = {
      ...storageWith(null),
      getItem: () => {
        throw new Error('denied');
      },
    };
    assert.equal(storageSlot(storage, 'place').read(), null);
  });
});

describe('a request that a program without types makes', () => {
  const about = { cluster: 'sandbox', voteAccount: 'vote', idempotencyKey: 'key', begunAtMs: 1 };
  const refusal = (request: object) => {
    let refused: unknown;
    try {
      requestOf(newRecord({ walletAddress: 'wallet', ...request } as StakingRequest, about));
    } catch (error) {
      refused = error;
    }
    const { name, errorCode, message, suggestedAction } = refused as HoldfastError;
    return [name, errorCode, message, suggestedAction];
  };

  it('is refused with the name of the missing field', () => {
    for (const [kind, field] of [
      ['stake', 'amountLamports'],
      ['unstake', 'stakeAccountAddress'],
      ['withdraw', 'stakeAccountAddress'],
      ['restake', 'stakeAccountAddress'],
    ])
      assert.deepEqual(refusal({ kind }), [
        'HoldfastError',
        'INVALID_INPUT',
        `A request to ${kind} needs ${field}. Nothing was sent.`,
        `Add ${field} to the request. Then try again.`,
      ]);
  });

  it('is refused with a field of the verifier, which would otherwise withdraw everything', () => {
    const account = { kind: 'withdraw', stakeAccountAddress: 'account' };
    for (const [request, field, instead] of [
      [{ ...account, lamports: 5n }, 'lamports', 'amountLamports'],
      [{ kind: 'withdraw', accounts: ['account'] }, 'accounts', 'stakeAccountAddress'],
    ] as const)
      assert.deepEqual(refusal(request), [
        'HoldfastError',
        'INVALID_INPUT',
        `A request to withdraw has no field ${field}. Nothing was sent.`,
        `Send ${instead} instead of ${field}.`,
      ]);
    const tidy = { kind: 'rearrange', walletAddress: 'wallet', goal: 'tidy', accounts: ['a'] } as const;
    assert.deepEqual(requestOf(newRecord(tidy, about)), {
      ...tidy,
      amountLamports: undefined,
      stakeAccountAddress: undefined,
    });
  });
});

it('a decline prints its message without the transactions', () => {
  const prepared = { built: { transaction: 'BYTES' } } as Prepared;
  const declined = new Declined('Not signed.', prepared);
  assert.equal(declined.prepared, prepared);
  assert.doesNotMatch(inspect(declined), /prepared|BYTES/);
});
