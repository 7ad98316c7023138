// Generates an idempotency key if the caller sent none, so the status of every intent can be queried.
import { randomBytes } from 'node:crypto';

/** Returns the caller's key or a new one of 128 random bits. `callers` is true if the key is the caller's. */
export const idempotencyKeyFor = (callersKey: string | undefined): { key: string; callers: boolean } =>
  callersKey === undefined
    ? { key: `hf_${randomBytes(16).toString('hex')}`, callers: false }
    : { key: callersKey, callers: true };
