// Decodes the effect of one Stake program instruction on delegation, authorities and lockup.
import type { Address } from '@solana/kit';
import { STAKE_SYSVARS } from '../instruction-programs.ts';
import { readAddressAt } from '../read-address-at.ts';
import { type Lockup, NO_LOCKUP } from './stake-account.ts';

/** The time until which only the custodian can approve withdrawals. */
export type LockupTimes = Pick<Lockup, 'unixTimestamp' | 'epoch'>;

/**
 * A successful instruction of the Stake program. An address is null if the instruction does not contain it.
 */
export type StakeOperation =
  | {
      readonly type: 'initialize';
      readonly account: Address;
      readonly staker: Address;
      readonly withdrawer: Address;
      readonly lockup: Lockup;
    }
  | { readonly type: 'delegate'; readonly account: Address; readonly voteAccount: Address }
  | { readonly type: 'deactivate'; readonly account: Address }
  | {
      readonly type: 'authorize';
      readonly account: Address;
      readonly role: 'staker' | 'withdrawer';
      readonly newAuthority: Address;
    }
  /** A null field remains unchanged. */
  | {
      readonly type: 'setLockup';
      readonly account: Address;
      readonly unixTimestamp: bigint | null;
      readonly epoch: bigint | null;
      readonly custodian: Address | null;
    }
  | { readonly type: 'withdraw'; readonly account: Address; readonly recipient: Address | null }
  | { readonly type: 'split'; readonly account: Address; readonly into: Address }
  | { readonly type: 'merge'; readonly account: Address; readonly from: Address }
  | { readonly type: 'moveStake'; readonly account: Address; readonly into: Address };

const ROLES = ['staker', 'withdrawer'] as const;
const INITIALIZE_BYTES = 4 + 32 + 32 + 8 + 8 + 32;
const LOCKUP_OFFSET = 68;

/**
 * Decodes an instruction of the Stake program. Returns null if it changes neither delegation, authorities nor
 * lockup (moveLamports, getMinimumDelegation), or if the program would not accept the bytes.
 */
export const readStakeOperation = (accounts: readonly Address[], data: Uint8Array): StakeOperation | null => {
  // Older forms of the instructions have sysvars between these accounts.
  const [account, second, third] = accounts.filter((one) => !STAKE_SYSVARS.has(one));
  if (data.length < 4 || account === undefined) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const u32At = (offset: number): number | null =>
    data.length >= offset + 4 ? view.getUint32(offset, true) : null;
  const authorized = (newAuthority: Address | undefined, roleOffset: number): StakeOperation | null => {
    const role = ROLES[u32At(roleOffset) ?? ROLES.length];
    return newAuthority && role ? { type: 'authorize', account, role, newAuthority } : null;
  };
  switch (view.getUint32(0, true)) {
    case 0:
      return data.length < INITIALIZE_BYTES
        ? null
        : {
            type: 'initialize',
            account,
            staker: readAddressAt(data, 4),
            withdrawer: readAddressAt(data, 36),
            lockup: {
              unixTimestamp: view.getBigInt64(LOCKUP_OFFSET, true),
              epoch: view.getBigUint64(LOCKUP_OFFSET + 8, true),
              custodian: readAddressAt(data, LOCKUP_OFFSET + 16),
            },
          };
    case 1:
      return data.length < 40 ? null : authorized(readAddressAt(data, 4), 36);
    case 2:
      return second ? { type: 'delegate', account, voteAccount: second } : null;
    case 3:
      return second ? { type: 'split', account, into: second } : null;
    case 4:
      return { type: 'withdraw', account, recipient: second ?? null };
    case 5:
    case 14:
      return { type: 'deactivate', account };
    case 6:
      return readSetLockup(account, data, view, 'inside');
    case 12:
      return readSetLockup(account, data, view, third ?? null);
    case 7:
      return second ? { type: 'merge', account, from: second } : null;
    case 8:
      return data.length < 40 ? null : authorized(readAddressAt(data, 4), 36);
    case 9:
      return second && third
        ? { type: 'initialize', account, staker: second, withdrawer: third, lockup: NO_LOCKUP }
        : null;
    case 10:
    case 11:
      return authorized(third, 4);
    case 16:
      return second ? { type: 'moveStake', account, into: second } : null;
    default:
      return null;
  }
};

/**
 * Reads two optional times, each after a presence byte, and then the custodian in the same way unless it is
 * one of the instruction's accounts.
 */
const readSetLockup = (
  account: Address,
  data: Uint8Array,
  view: DataView,
  named: Address | 'inside' | null,
): StakeOperation | null => {
  const times: (bigint | null)[] = [];
  let offset = 4;
  for (let member = 0; member < 2; member += 1) {
    if (view.byteLength < offset + 1) return null;
    const isThere = view.getUint8(offset) === 1;
    if (isThere && view.byteLength < offset + 9) return null;
    times.push(
      !isThere
        ? null
        : member === 0
          ? view.getBigInt64(offset + 1, true)
          : view.getBigUint64(offset + 1, true),
    );
    offset += isThere ? 9 : 1;
  }
  const [unixTimestamp, epoch] = [times[0]!, times[1]!];
  if (named !== 'inside') return { type: 'setLockup', account, unixTimestamp, epoch, custodian: named };
  if (data.length < offset + 1) return null;
  const isThere = data[offset] === 1;
  if (isThere && data.length < offset + 33) return null;
  const custodian = isThere ? readAddressAt(data, offset + 1) : null;
  return { type: 'setLockup', account, unixTimestamp, epoch, custodian };
};

export const touchedBy = (operation: StakeOperation): readonly Address[] => {
  switch (operation.type) {
    case 'split':
    case 'moveStake':
      return [operation.account, operation.into];
    case 'merge':
      return [operation.account, operation.from];
    default:
      return [operation.account];
  }
};
