// The transaction verifier for use without the service: bytes in, verdict out; no network, no clock, no trust in anybody.
import { fromBase64 } from '../src/chain/transactions/wire-base64.ts';
import { decodeWire, verifySignatures } from '../src/chain/transactions/wire-transaction.ts';
import type { Expectations, Recognised } from '../src/domain/transaction/stake-verifier.ts';
import type { FieldVerdict } from '../src/operations/verify/field-verdicts.ts';
import { type TransactionVerdict, verifyMessage } from './staking/verify-against-request.ts';

export type { Expectations, FieldVerdict, Recognised };

/** What a transaction was found to be. */
export interface Verdict extends Omit<TransactionVerdict, 'effectsFingerprint' | 'message'> {
  /** By required signer, the fee payer first. */
  readonly signatures: ReadonlyMap<string, 'valid' | 'missing' | 'invalid'>;
}

/**
 * Checks a transaction in base64, signed or not. Give `wallet`: without it the fee payer is taken for the wallet, whoever that is.
 * Without `memo` any of at most 128 bytes passes. Throws `AppError` `INVALID_TRANSACTION` for what is not exactly one well-formed
 * transaction.
 */
export const verifyTransactionBytes = (
  transaction: string,
  expected: Omit<Expectations, 'memo'> & { readonly memo?: string | undefined },
): Verdict => {
  const wire = decodeWire(fromBase64(transaction));
  const { valid, missing } = verifySignatures(wire);
  return {
    ...verifyMessage(wire, expected),
    signatures: new Map(
      wire.requiredSigners.map((signer) => [
        signer,
        valid.includes(signer) ? 'valid' : missing.includes(signer) ? 'missing' : 'invalid',
      ]),
    ),
  };
};
