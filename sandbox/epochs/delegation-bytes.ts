// Reads the delegation from a stake account's 200 bytes and writes a reward back without changing any other
// byte.

import { encodeBase58 } from '../base58.ts';

export const STAKE_PROGRAM = 'Stake11111111111111111111111111111111111111';
export const STAKE_ACCOUNT_SPACE = 200;

/** Epoch value for activation or deactivation that means "never". */
export const NO_EPOCH = 0xffff_ffff_ffff_ffffn;

/** Delegation fields of a stake account. Amounts are in lamports. */
export type Delegation = {
  readonly voter: string;
  readonly stakeLamports: bigint;
  readonly activationEpoch: bigint;
  readonly deactivationEpoch: bigint;
  readonly creditsObserved: bigint;
};

/**
 * Returns the delegation, or `null` unless the state tag is 2. An account from which MoveStake moved all stake
 * has tag 1 but keeps its old delegation bytes.
 */
export function readDelegation(data: Buffer): Delegation | null {
  if (data.length !== STAKE_ACCOUNT_SPACE || data.readUInt32LE(0) !== 2) return null;
  return {
    voter: encodeBase58(data.subarray(124, 156)),
    stakeLamports: data.readBigUInt64LE(156),
    activationEpoch: data.readBigUInt64LE(164),
    deactivationEpoch: data.readBigUInt64LE(172),
    creditsObserved: data.readBigUInt64LE(188),
  };
}

/**
 * Returns the account data with a new delegated amount and observed credits, as the runtime writes it after a
 * reward.
 */
export function withReward(data: Buffer, stakeLamports: bigint, creditsObserved: bigint): Buffer {
  const rewarded = Buffer.from(data);
  rewarded.writeBigUInt64LE(stakeLamports, 156);
  rewarded.writeBigUInt64LE(creditsObserved, 188);
  return rewarded;
}
