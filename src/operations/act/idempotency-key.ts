// Generates idempotency keys for callers who sent none, so that every intent has a key under which its status can be requested.
import { randomBytes } from 'node:crypto';
import { AppError } from '../../kernel/app-error.ts';

/** Returns the caller's key, or a new one of 128 random bits. `callers` is true for the caller's. */
export const idempotencyKeyFor = (callersKey: string | undefined): { key: string; callers: boolean } =>
  callersKey === undefined
    ? { key: `hf_${randomBytes(16).toString('hex')}`, callers: false }
    : { key: callersKey, callers: true };

/**
 * Error for a stake account address that outsiders made unusable. The suggested new key leads to another address and can be used
 * immediately.
 */
export const spoiltAddress = (stakeAccountAddress: string, message: string): AppError => {
  const { key } = idempotencyKeyFor(undefined);
  return new AppError('STAKE_ADDRESS_OCCUPIED', message, {
    suggestedAction: `Repeat the request with a new idempotency key to get another address, for example ${key}.`,
    body: { stakeAccountAddress, freshIdempotencyKey: key },
  });
};
