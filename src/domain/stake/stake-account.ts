// Decodes a stake account from its 200 bytes.
import type { Address } from '@solana/kit';
import { STAKE_PROGRAM, SYSTEM_PROGRAM } from '../instruction-programs.ts';
import { readAddressAt } from '../read-address-at.ts';

export const STAKE_ACCOUNT_BYTES = 200;

/**
 * Byte offsets in a stake account. Keys take 32 bytes, the tag 4, the flags 1 and other numbers 8, all
 * little-endian. Offsets from `voter` onwards are only valid if the tag is `STAKE_TAG`.
 */
export const stakeOffsets = {
  tag: 0,
  staker: 12,
  withdrawer: 44,
  lockupTimestamp: 76,
  lockupEpoch: 84,
  lockupCustodian: 92,
  voter: 124,
  stake: 156,
  activationEpoch: 164,
  deactivationEpoch: 172,
  creditsObserved: 188,
  flags: 196,
} as const;

/** Tag of an account that is or was delegated. */
const STAKE_TAG = 2;
/** `STAKE_TAG` as stored (4 bytes, little-endian) in base64, for filters. */
export const STAKE_TAG_BASE64 = 'AgAAAA==';

/** Epoch value that means "never": not deactivated. As an activation epoch, it means active since genesis. */
export const EPOCH_ABSENT = 2n ** 64n - 1n;

export interface OwnedAccount {
  readonly address: Address;
  readonly owner: Address;
  readonly lamports: bigint;
  readonly data: Uint8Array;
}

/**
 * The time until which only the custodian can approve withdrawals. Both fields are zero if there is no
 * lockup.
 */
export interface Lockup {
  /** Seconds since the Unix epoch; in force while greater than the cluster's clock. */
  readonly unixTimestamp: bigint;
  /** In force while greater than the current epoch. */
  readonly epoch: bigint;
  readonly custodian: Address;
}

/**
 * The absence of a lockup. The System program's address, which is 32 zero bytes, represents an absent
 * custodian.
 */
export const NO_LOCKUP: Lockup = { unixTimestamp: 0n, epoch: 0n, custodian: SYSTEM_PROGRAM };

/** Returns true if both lockups have the same time, epoch and custodian. */
export const isSameLockup = (a: Lockup, b: Lockup): boolean =>
  a.epoch === b.epoch && a.unixTimestamp === b.unixTimestamp && a.custodian === b.custodian;

/**
 * The delegation of a stake account. It exists as long as the tag is `STAKE_TAG`, even long after the
 * deactivation.
 */
export interface Delegation {
  readonly voteAccount: Address;
  /** The delegated amount, effective or not. */
  readonly stakeLamports: bigint;
  readonly activationEpoch: bigint;
  /** `EPOCH_ABSENT` if the stake was not deactivated. */
  readonly deactivationEpoch: bigint;
  readonly creditsObserved: bigint;
}

/** A decoded stake account. `kind` is its raw state, which stays `delegated` after the cooldown. */
export interface StakeAccount {
  readonly address: Address;
  /** The whole balance, including the rent-exempt minimum. */
  readonly lamports: bigint;
  readonly kind: 'initialized' | 'delegated';
  readonly stakeAuthority: Address;
  readonly withdrawAuthority: Address;
  readonly lockup: Lockup;
  readonly delegation: Delegation | null;
}

const TAG_INITIALIZED = 1;

const sameKey = (data: Uint8Array, one: number, other: number): boolean => {
  for (let i = 0; i < 32; i += 1) if (data[one + i] !== data[other + i]) return false;
  return true;
};

/**
 * Decodes an account. Returns null if it is not owned by the Stake program, does not have 200 bytes, or is
 * neither initialized nor delegated. The bytes from 124 on are only read if the tag is 2, because moving all
 * stake away leaves tag 1 and stale bytes. The rent reserve in the account is ignored, because the chain no
 * longer uses it. Layout: Stake program v5.0, verified by running it.
 */
export const decodeStakeAccount = (account: OwnedAccount): StakeAccount | null => {
  const { data } = account;
  if (account.owner !== STAKE_PROGRAM || data.length !== STAKE_ACCOUNT_BYTES) return null;
  const view = new DataView(data.buffer, data.byteOffset, STAKE_ACCOUNT_BYTES);
  const tag = view.getUint32(stakeOffsets.tag, true);
  if (tag !== TAG_INITIALIZED && tag !== STAKE_TAG) return null;
  const stakeAuthority = readAddressAt(data, stakeOffsets.staker);
  return {
    address: account.address,
    lamports: account.lamports,
    kind: tag === STAKE_TAG ? 'delegated' : 'initialized',
    stakeAuthority,
    withdrawAuthority: sameKey(data, stakeOffsets.staker, stakeOffsets.withdrawer)
      ? stakeAuthority
      : readAddressAt(data, stakeOffsets.withdrawer),
    lockup: {
      unixTimestamp: view.getBigInt64(stakeOffsets.lockupTimestamp, true),
      epoch: view.getBigUint64(stakeOffsets.lockupEpoch, true),
      custodian: readAddressAt(data, stakeOffsets.lockupCustodian),
    },
    delegation: tag === STAKE_TAG ? decodeDelegation(data, view) : null,
  };
};

const decodeDelegation = (data: Uint8Array, view: DataView): Delegation => ({
  voteAccount: readAddressAt(data, stakeOffsets.voter),
  stakeLamports: view.getBigUint64(stakeOffsets.stake, true),
  activationEpoch: view.getBigUint64(stakeOffsets.activationEpoch, true),
  deactivationEpoch: view.getBigUint64(stakeOffsets.deactivationEpoch, true),
  creditsObserved: view.getBigUint64(stakeOffsets.creditsObserved, true),
});

/**
 * Returns true while withdrawals require the custodian's signature: until both the time and the epoch of the
 * lockup are reached. `unixTimestamp` is that of the Clock sysvar, in seconds.
 */
export const lockupInForce = (lockup: Lockup, epoch: bigint, unixTimestamp: bigint): boolean =>
  lockup.unixTimestamp > unixTimestamp || lockup.epoch > epoch;

const LATEST = BigInt(Number.MAX_SAFE_INTEGER);
const shownInteger = (value: bigint): number =>
  Number(value > LATEST ? LATEST : value < -LATEST ? -LATEST : value);

/**
 * Formats a lockup for responses: null if there is none, otherwise JSON integers. Anyone can write a lockup
 * of up to 2^64−1 into an account, so values beyond 2^53−1 are reported as 2^53−1, which is just as
 * unreachable.
 */
export const shownLockup = (
  lockup: Lockup,
): { readonly custodian: Address; readonly unixTimestamp: number; readonly epoch: number } | null =>
  lockup.unixTimestamp === 0n && lockup.epoch === 0n
    ? null
    : {
        custodian: lockup.custodian,
        unixTimestamp: shownInteger(lockup.unixTimestamp),
        epoch: shownInteger(lockup.epoch),
      };
