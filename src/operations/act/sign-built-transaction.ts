// Signs a built transaction with all required keys, which are held only during this call.
import { getBase58Decoder, type Signature } from '@solana/kit';
import type { RecentBlockhash, Submission } from '../../chain/ports.ts';
import { type BuiltTransaction, encodeWire } from '../../chain/transactions/transaction.ts';

interface Signer {
  readonly address: string;
  readonly sign: (message: Uint8Array) => Uint8Array;
}

const base58 = getBase58Decoder();

/**
 * Returns the signed submission. A missing signer is a bug and not invalid input, so it throws a plain `Error`.
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
