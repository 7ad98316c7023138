// Tests that signatures are inserted at the right offset in real transactions of every version, and that
// invalid transactions are refused.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Address,
  appendTransactionMessageInstruction,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  generateKeyPairSigner,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import { signatureOf, takeApart, withSignature } from './wire-signatures.ts';

const BLOCKHASH = '7QxWirJqY61u7nP3sFASzsTgFPtBvXoLjLqku3GsprnQ' as Blockhash;

/** Creates a transaction that its payer and a new account must sign. */
const unsigned = async (version: 'legacy' | 0 | 1) => {
  const [payer, account] = await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()]);
  const message = pipe(
    createTransactionMessage({ version }),
    (draft) => setTransactionMessageFeePayer(payer.address, draft),
    (draft) =>
      setTransactionMessageLifetimeUsingBlockhash({ blockhash: BLOCKHASH, lastValidBlockHeight: 1n }, draft),
    (draft) =>
      appendTransactionMessageInstruction(
        getCreateAccountInstruction({
          payer,
          newAccount: account,
          lamports: 1n,
          space: 0,
          programAddress: payer.address,
        }),
        draft,
      ),
  );
  const compiled = compileTransaction(message as Parameters<typeof compileTransaction>[0]);
  return {
    wire: Uint8Array.from(getTransactionEncoder().encode(compiled)),
    messageBytes: Uint8Array.from(compiled.messageBytes),
    signers: [payer.address, account.address] as readonly Address[],
  };
};

/** Offset of the signatures: in version 1 they follow the message. */
const startOf = (version: 'legacy' | 0 | 1, wire: Uint8Array): number =>
  version === 1 ? wire.length - 128 : 1;

for (const version of ['legacy', 0, 1] as const)
  describe(`a transaction of version ${version}`, () => {
    it('is split into its message and its signers, the payer first', async () => {
      const { wire, messageBytes, signers } = await unsigned(version);
      const parts = takeApart(wire);
      assert.deepEqual(parts.message, messageBytes);
      assert.deepEqual(parts.signers, signers);
      assert.equal(parts.signaturesAt, startOf(version, wire));
    });

    it('gets each signature at its signer’s position, with all other bytes unchanged', async () => {
      const { wire, signers } = await unsigned(version);
      for (const [index, signer] of signers.entries()) {
        const signed = withSignature(wire, signer, new Uint8Array(64).fill(7));
        const expected = Uint8Array.from(wire);
        const start = startOf(version, wire) + index * 64;
        expected.fill(7, start, start + 64);
        assert.deepEqual(signed, expected);
      }
      assert.equal(wire[startOf(version, wire)], 0, 'the input is not changed');
    });

    it('is identified by its payer’s signature only', async () => {
      const { wire, signers } = await unsigned(version);
      assert.equal(signatureOf(wire), null);
      assert.equal(signatureOf(withSignature(wire, signers[1]!, new Uint8Array(64).fill(7))), null);
      const signed = withSignature(wire, signers[0]!, Uint8Array.from([...new Uint8Array(63), 1]));
      assert.equal(signatureOf(signed), `${'1'.repeat(63)}2`);
    });

    it('cannot be signed by an account that it does not list as a signer', async () => {
      const { wire } = await unsigned(version);
      assert.throws(() => withSignature(wire, BLOCKHASH, new Uint8Array(64)), /not a required signer/);
    });

    it('is refused if it is truncated, has the wrong number of signatures, or is of a later version', async () => {
      const { wire } = await unsigned(version);
      assert.throws(() => takeApart(wire.subarray(0, 100)), RangeError);
      if (version === 1) return;
      assert.throws(() => takeApart(new Uint8Array(0)), /too early/);
      assert.throws(() => takeApart(Uint8Array.from([0x80, 0x80, 0x80, 0x80])), /too early/);
      assert.throws(() => takeApart(Uint8Array.from([0x80, 0x80, 0x80, 0x80, 1, ...wire])), /too early/);
      const fewer = Uint8Array.from([1, ...wire.subarray(65)]);
      assert.throws(() => takeApart(fewer), /do not match/);
      // Two signers, but only one account address.
      const nobody = Uint8Array.from(wire);
      nobody[version === 0 ? 133 : 132] = 1;
      assert.throws(() => takeApart(nobody), /do not match/);
      const later = Uint8Array.from(wire);
      later[129] = 0x82;
      assert.throws(() => takeApart(later), /version of the transaction/);
    });
  });
