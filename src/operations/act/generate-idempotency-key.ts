// Generates idempotency keys for callers who sent none, so that every intent has a key under which its status can be requested.
import { randomBytes } from 'node:crypto';

/** Returns the caller's key, or a new one of 128 random bits. `callers` is true for the caller's key. */
export const idempotencyKeyFor = (callersKey: string | undefined): { key: string; callers: boolean } =>
  callersKey === undefined
    ? { key: `hf_${randomBytes(16).toString('hex')}`, callers: false }
    : { key: callersKey, callers: true };
