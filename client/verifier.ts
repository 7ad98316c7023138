// The transaction verifier for use without the service: bytes in, verdict out; no network, no clock, no trust in anybody.
import { fromBase64 } from '../src/chain/transactions/wire-base64.ts';
import { decodeWire, verifySignatures } from '../src/chain/transactions/wire-transaction.ts';
import type { DecodedInstruction } from '../src/domain/transaction/instruction-types.ts';
import {
  type Expectations,
  type Recognised,
  recogniseTransaction,
} from '../src/domain/transaction/stake-verifier.ts';
import { type FieldVerdict, fieldVerdicts } from '../src/operations/verify/field-verdicts.ts';

export type { Expectations, FieldVerdict, Recognised };

/** What a transaction was found to be. */
export interface Verdict {
  /** True only when it does this one thing for the wallet, and nothing else. */
  readonly ok: boolean;
  readonly recognised: Recognised;
  /** Every checked field with what was expected, what was found, and what is wrong. */
  readonly fields: readonly FieldVerdict[];
  readonly instructions: readonly Pick<DecodedInstruction, 'program' | 'name' | 'summary'>[];
  /** By required signer, the fee payer first. */
  readonly signatures: ReadonlyMap<string, 'valid' | 'missing' | 'invalid'>;
  readonly networkFeeLamports: bigint;
}

/**
 * Checks a transaction in base64, signed or not. Give `wallet`: without it the fee payer is taken for the wallet, whoever that is.
 * Throws `AppError` `INVALID_TRANSACTION` for what is not exactly one well-formed transaction.
 */
export const verifyTransactionBytes = (transaction: string, expected: Expectations): Verdict => {
  const wire = decodeWire(fromBase64(transaction));
  const recognised = recogniseTransaction(wire, expected);
  const { valid, missing } = verifySignatures(wire);
  return {
    ok: recognised.ok,
    recognised,
    fields: fieldVerdicts(wire, recognised, expected),
    instructions: wire.instructions.map(({ program, name, summary }) => ({ program, name, summary })),
    signatures: new Map(
      wire.requiredSigners.map((signer) => [
        signer,
        valid.includes(signer) ? 'valid' : missing.includes(signer) ? 'missing' : 'invalid',
      ]),
    ),
    networkFeeLamports: wire.networkFeeLamports,
  };
};
