// Writes stake accounts byte by byte, for states that would otherwise require years or transactions of other
// parties.

import type { Address } from '@solana/kit';
import { getAddressEncoder } from '@solana/kit';

const SYSTEM = '11111111111111111111111111111111';
const NEVER = 2n ** 64n - 1n;

/** Contents of the account. Everything except the wallet has a default. */
export interface StakeAccountFields {
  /** Stake and withdraw authority unless set separately. */
  readonly wallet: string;
  readonly stakeAuthority?: string;
  readonly withdrawAuthority?: string;
  readonly lockup?: { readonly unixTimestamp?: bigint; readonly epoch?: bigint; readonly custodian?: string };
  /** If absent, the account is only initialized. */
  readonly delegation?: {
    readonly voteAccount: string;
    readonly stakeLamports: bigint;
    /** Default: active since genesis. */
    readonly activationEpoch?: bigint;
    /** Default: never. */
    readonly deactivationEpoch?: bigint;
    readonly creditsObserved?: bigint;
  };
}

/** Returns the account's 200 bytes. */
export const stakeAccountBytes = (fields: StakeAccountFields): Uint8Array => {
  const data = Buffer.alloc(200);
  const writeKey = (key: string, at: number): void => {
    data.set(getAddressEncoder().encode(key as Address), at);
  };
  const { wallet, lockup, delegation } = fields;
  data.writeUInt32LE(delegation ? 2 : 1, 0);
  data.writeBigUInt64LE(2_282_880n, 4);
  writeKey(fields.stakeAuthority ?? wallet, 12);
  writeKey(fields.withdrawAuthority ?? wallet, 44);
  data.writeBigInt64LE(lockup?.unixTimestamp ?? 0n, 76);
  data.writeBigUInt64LE(lockup?.epoch ?? 0n, 84);
  writeKey(lockup?.custodian ?? SYSTEM, 92);
  if (delegation) {
    writeKey(delegation.voteAccount, 124);
    data.writeBigUInt64LE(delegation.stakeLamports, 156);
    data.writeBigUInt64LE(delegation.activationEpoch ?? NEVER, 164);
    data.writeBigUInt64LE(delegation.deactivationEpoch ?? NEVER, 172);
    data.writeDoubleLE(0.25, 180);
    data.writeBigUInt64LE(delegation.creditsObserved ?? 0n, 188);
  }
  return data;
};
