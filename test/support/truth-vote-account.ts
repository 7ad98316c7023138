// A vote account for runtimes in which no validator votes.
import type { Address } from '@solana/kit';

export const VOTE_PROGRAM = 'Vote111111111111111111111111111111111111111' as Address;

/**
 * Returns an initialized vote account (VoteState v3) that has never voted, or that earned `credits` once, in
 * epoch 0.
 */
export const voteAccountData = (key: Uint8Array, credits = 0n): Uint8Array => {
  const data = new Uint8Array(3_762);
  const view = new DataView(data.buffer);
  view.setUint32(0, 2, true);
  data.set(key, 4);
  data.set(key, 36);
  // The commission, no votes, no root, then one authorized voter from epoch 0 on, and empty prior voters.
  view.setBigUint64(69 + 8 + 1, 1n, true);
  data.set(key, 69 + 8 + 1 + 8 + 8);
  const priorVotersEnd = 69 + 8 + 1 + 8 + 8 + 32 + 32 * 48 + 8;
  data[priorVotersEnd] = 1;
  if (credits > 0n) {
    // One entry: epoch 0, the credits, and the credits before it.
    view.setBigUint64(priorVotersEnd + 1, 1n, true);
    view.setBigUint64(priorVotersEnd + 1 + 8 + 8, credits, true);
  }
  return data;
};
