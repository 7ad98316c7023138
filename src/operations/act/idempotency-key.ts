// A key for callers who sent none, so that every intent has one and can be asked about again.
import { randomBytes } from 'node:crypto';

/** The caller's key, or a new one of 128 random bits. `callers` tells which. */
export const idempotencyKeyFor = (callersKey: string | undefined): { key: string; callers: boolean } =>
  callersKey === undefined
    ? { key: `hf_${randomBytes(16).toString('hex')}`, callers: false }
    : { key: callersKey, callers: true };
