// Tests that the browser's check and the stand-alone verifier agree on every transaction and on every changed
// byte.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Address } from '@solana/kit';
import { buildTransaction } from '../../src/chain/transactions/transaction.ts';
import { encodeWire } from '../../src/chain/transactions/wire-transaction.ts';
import { encodeBase58 } from '../../src/kernel/base58.ts';
import { effectsOf } from '../../web/src/flow/kind-words.ts';
import { verifyTransactionBytes } from '../verify-transaction-bytes.ts';
import { toBase64 } from './base64.ts';
import { verifyTransaction } from './verify-against-request.ts';
import { signatureOf, takeApart, withSignature } from './wire-signatures.ts';

const key = (tag: number): Address => encodeBase58(new Uint8Array(32).fill(tag)) as Address;
const [wallet, stakeAccount, voteAccount, donationAddress] = [1, 2, 3, 4].map(key) as [
  Address,
  Address,
  Address,
  Address,
];
const common = { wallet, memo: 'example.org', blockhash: key(16) };
const expected = { wallet, voteAccount, donationAddress, memo: 'example.org' };

const ours: Readonly<Record<string, Uint8Array>> = {
  stake: encodeWire(
    buildTransaction.stake({ ...common, stakeAccount, voteAccount, lamports: 2_500_000_000n }),
  ),
  unstake: encodeWire(buildTransaction.unstake({ ...common, stakeAccount })),
  withdraw: encodeWire(buildTransaction.withdraw({ ...common, stakeAccount, lamports: 1_000_000_000n })),
  donate: encodeWire(buildTransaction.donate({ ...common, donationAddress, lamports: 5_000_000n })),
};

type Outcome =
  | { readonly ok: boolean; readonly kind: string; readonly fields: unknown; readonly instructions: unknown }
  | 'unreadable';

const here = (wire: Uint8Array): Outcome => {
  try {
    const { ok, recognized, fields, instructions } = verifyTransaction(wire, expected);
    return { ok, kind: recognized.kind, fields, instructions };
  } catch {
    return 'unreadable';
  }
};

const standAlone = (wire: Uint8Array): Outcome => {
  try {
    const { ok, recognized, fields, instructions } = verifyTransactionBytes(toBase64(wire), expected);
    return { ok, kind: recognized.kind, fields, instructions };
  } catch {
    return 'unreadable';
  }
};

describe('the check in the browser', () => {
  for (const [kind, wire] of Object.entries(ours)) {
    it(`recognizes a ${kind} transaction of the service, as the stand-alone verifier does`, () => {
      const outcome = here(wire);
      assert.deepEqual(outcome, standAlone(wire));
      assert.ok(outcome !== 'unreadable' && outcome.ok && outcome.kind === kind);
    });

    it(`gives the same result as the stand-alone verifier for a ${kind} transaction with any single byte changed`, () => {
      let refused = 0;
      for (let at = 0; at < wire.length; at += 1) {
        const changed = Uint8Array.from(wire);
        changed[at]! ^= 0x04;
        const outcome = here(changed);
        assert.deepEqual(outcome, standAlone(changed), `byte ${at}`);
        if (outcome === 'unreadable' || !outcome.ok) refused += 1;
      }
      // A change is refused in every byte except those of the signatures, the blockhash and, if none was
      // specified, the amount.
      assert.ok(refused > wire.length / 4, `${refused} of ${wire.length}`);
    });
  }

  it('refuses an amount or an account other than the requested one', () => {
    const problems = (more: object) =>
      verifyTransaction(ours.stake!, { ...expected, ...more })
        .fields.filter(({ ok }) => !ok)
        .map(({ field }) => field);
    assert.deepEqual(problems({ lamports: 2_500_000_000n, stakeAccount }), []);
    assert.deepEqual(problems({ lamports: 2_500_000_001n }), ['amount']);
    assert.deepEqual(problems({ stakeAccount: wallet }), ['stakeAccount']);
  });

  it('refuses unparsable input: other versions, trailing bytes, empty input', () => {
    const { stake } = ours;
    for (const wire of [
      new Uint8Array(),
      stake!.subarray(0, 80),
      Uint8Array.from([...stake!, 0]),
      Uint8Array.from([0x81, ...stake!]),
    ])
      assert.throws(() => verifyTransaction(wire, expected));
  });
});

describe('the words of the review', () => {
  it('contain amount, account and validator as in the bytes', () => {
    const titles = (name: string) =>
      effectsOf(verifyTransaction(ours[name]!, expected), 'Validator X').map(({ title }) => title);
    assert.deepEqual(titles('stake'), [
      'Move 2.5 SOL into a new stake account',
      'Stay in control',
      'Delegate it to Validator X',
    ]);
    assert.match(titles('unstake')[0]!, /^Stop delegating /);
    assert.match(titles('withdraw')[0]!, /^Withdraw 1 SOL from /);
    assert.deepEqual(titles('donate'), ['Unknown transaction']);
  });
});

describe('signatures in a transaction', () => {
  it('are at their signer’s position, and the fee payer’s signature identifies the transaction', () => {
    const { signers } = takeApart(ours.stake!);
    assert.deepEqual(signers, [wallet, stakeAccount]);
    assert.equal(signatureOf(ours.stake!), null);
    const signed = withSignature(ours.stake!, wallet, new Uint8Array(64).fill(9));
    assert.equal(signatureOf(signed), encodeBase58(new Uint8Array(64).fill(9)));
    assert.deepEqual(takeApart(signed).message, takeApart(ours.stake!).message);
    assert.equal(signatureOf(withSignature(ours.stake!, stakeAccount, new Uint8Array(64).fill(9))), null);
    assert.throws(() => withSignature(ours.stake!, voteAccount, new Uint8Array(64)));
  });
});
