// Signs a built transaction with all required keys, which are held only during this call.
import { getBase58Decoder, type Signature } from '@solana/kit';
import type { RecentBlockhash, Submission } from '../../chain/ports.ts';
import { type BuiltTransaction, encodeWire } from '../../chain/transactions/transaction.ts';

/** A signer for an address. */
interface Signer {
  readonly address: string;
  readonly sign: (message: Uint8Array) => Uint8Array;
}

const base58 = getBase58Decoder();

/**
 * Returns the signed submission. Throws if a required signer is not among `signers`, which would be a bug,
 * not invalid input.
 */
export const signBuilt = (
  built: BuiltTransaction,
  { blockhash, lastValidBlockHeight }: Pick<RecentBlockhash, 'blockhash' | 'lastValidBlockHeight'>,
  signers: readonly Signer[],
): Submission => {
  const signatures = new Map(signers.map((signer) => [signer.address, signer.sign(built.messageBytes)]));
  const missing = built.requiredSigners.find((address) => !signatures.has(address));
  if (missing) throw new Error(`no signer for ${missing}`);
  const [feePayerSignature] = built.requiredSigners.map((address) => signatures.get(address)!);
  return {
    wireBytes: encodeWire(built, signatures),
    signature: base58.decode(feePayerSignature!) as Signature,
    blockhash,
    lastValidBlockHeight,
  };
};
