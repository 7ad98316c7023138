// Every signature is checked here, locally, before a transaction is sent: what fails here would fail there, later and in fewer words.
import { verifySignatures, type WireTransaction } from '../../chain/transactions/wire-transaction.ts';
import { AppError } from '../../kernel/app-error.ts';

/** Throws `INVALID_TRANSACTION` naming the addresses whose signature is missing or does not fit the message. */
export const requireSignatures = (wire: WireTransaction): void => {
  const { missing, invalid } = verifySignatures(wire);
  if (missing.length === 0 && invalid.length === 0) return;
  const parts = [
    missing.length > 0 ? `not signed by ${missing.join(', ')}` : '',
    invalid.length > 0 ? `signature of ${invalid.join(', ')} does not fit the message` : '',
  ].filter(Boolean);
  throw new AppError('INVALID_TRANSACTION', `The transaction cannot be sent: ${parts.join('; ')}.`, {
    suggestedAction:
      'Sign exactly the bytes that were built. A wallet that changes them (a new blockhash, a priority fee) needs cosign: on-submit and the same idempotency key here.',
    body: { missingSigners: missing, invalidSigners: invalid },
  });
};
