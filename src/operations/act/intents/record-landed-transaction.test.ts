import assert from 'node:assert/strict';
import { test } from 'node:test';
import { epochOfSlot } from '../../../domain/epoch-of-slot.ts';
import type { Recognized } from '../../../domain/transaction/stake-verifier.ts';
import type { Context } from '../../context.ts';
import type { RecognizedWire } from './recognize-transaction.ts';
import { readLanded, recordOf } from './record-landed-transaction.ts';

const grid = { epoch: 10n, slotsInEpoch: 100n, firstSlot: 1_000n };

test('the epoch of a slot is correct on both sides of every boundary', () => {
  for (const [slot, epoch] of [
    [1_000n, 10n],
    [1_099n, 10n],
    [1_100n, 11n],
    [999n, 9n],
    [900n, 9n],
    [899n, 8n],
    [0n, 0n],
  ] as const)
    assert.equal(epochOfSlot(slot, grid), epoch, String(slot));
});

const facts = { signature: 'sig', slot: 1n, epoch: 2n, confirmedAtMs: 3, source: 'rest', legs: [] } as const;
const seen = (overrides: Partial<Recognized>): Recognized =>
  ({
    kind: 'stake',
    wallet: 'wallet',
    stakeAccount: 'stake',
    lamports: 5n,
    ok: true,
    ...overrides,
  }) as Recognized;

test('only transactions of this service are recorded, for the wallet that signed them', () => {
  assert.deepEqual(recordOf(seen({}), facts), {
    ...facts,
    type: 'stake',
    wallet: 'wallet',
    stakeAccountAddress: 'stake',
    amountLamports: 5n,
    hasMemo: true,
  });
  assert.equal(recordOf(seen({ ok: false }), facts), null);
  assert.equal(recordOf(seen({ kind: 'other' }), facts), null);
  assert.equal(recordOf(seen({ kind: 'nonce' }), facts), null, 'no stake, no donation');
});

test('an unstake is recorded with an amount of 0, and a donation without a stake account', () => {
  const { lamports: _, ...unstake } = seen({ kind: 'unstake' });
  assert.equal(recordOf(unstake, facts)?.amountLamports, 0n);
  const { stakeAccount: __, ...donation } = seen({ kind: 'donate' });
  assert.equal(recordOf(donation, facts)?.stakeAccountAddress, null);
});

test('an already decoded landed transaction is not decoded again unless its bytes differ', () => {
  const known = { wire: { signature: 'sig' }, seen: seen({}) } as RecognizedWire;
  const context = { service: { settings: {} } } as Context;
  // No transaction begins with this byte, so decoding fails.
  const wireBytes = new Uint8Array([255]);
  const read = readLanded(context, { signature: 'sig', slot: 1n, wireBytes }, known);
  assert.equal(read?.wire, known.wire);
  assert.equal(readLanded(context, { signature: 'other', slot: 1n, wireBytes }, known), null);
  assert.equal(readLanded(context, { signature: 'sig', slot: null, wireBytes }, known), null);
});
