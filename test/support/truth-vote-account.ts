// A vote account for runtimes in which no validator votes.

/** An initialized vote account (VoteState v3) that never voted. */
export const voteAccountData = (key: Uint8Array): Uint8Array => {
  const data = new Uint8Array(3_762);
  const view = new DataView(data.buffer);
  view.setUint32(0, 2, true);
  data.set(key, 4);
  data.set(key, 36);
  // Commission, no votes, no root, then one authorized voter from epoch 0; empty prior voters.
  view.setBigUint64(69 + 8 + 1, 1n, true);
  data.set(key, 69 + 8 + 1 + 8 + 8);
  data[69 + 8 + 1 + 8 + 8 + 32 + 32 * 48 + 8] = 1;
  return data;
};
