// Creates the error for a stake account address that is already in use, or that outsiders made unusable by
// sending lamports to it first.
import { AppError } from '../../kernel/app-error.ts';
import type { ErrorReason } from '../../kernel/error-reasons.ts';
import { idempotencyKeyFor } from '../act/generate-idempotency-key.ts';

/** Creates the error. The suggested new key leads to a different address and can be used immediately. */
export const stakeAddressTaken = (
  stakeAccountAddress: string,
  reason: ErrorReason<'STAKE_ADDRESS_OCCUPIED'>,
  message: string,
): AppError => {
  const { key } = idempotencyKeyFor(undefined);
  return new AppError('STAKE_ADDRESS_OCCUPIED', message, {
    reason,
    params: { stakeAccountAddress, freshIdempotencyKey: key },
    suggestedAction:
      'Repeat the request with a new idempotency key to get another address, for example {freshIdempotencyKey}.',
    body: { stakeAccountAddress, freshIdempotencyKey: key },
  });
};
