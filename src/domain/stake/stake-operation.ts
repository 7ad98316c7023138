// Decodes the effect of one Stake program instruction on delegations.
import type { Address } from '@solana/kit';
import { readAddressAt } from '../read-address-at.ts';
import { STAKE_SYSVARS } from '../transaction/instruction-programs.ts';
import type { Lockup } from './stake-account.ts';

/** Until when only the custodian can approve withdrawals. */
export type LockupTimes = Pick<Lockup, 'unixTimestamp' | 'epoch'>;

/** An instruction of the Stake program that succeeded. `null` addresses: the instruction does not name one. */
export type StakeOperation =
  | {
      readonly type: 'initialize';
      readonly account: Address;
      readonly withdrawer: Address;
      readonly lockup: LockupTimes;
    }
  | { readonly type: 'delegate'; readonly account: Address; readonly voteAccount: Address }
  | { readonly type: 'deactivate'; readonly account: Address }
  /** `withdrawer`: the new withdraw authority. */
  | { readonly type: 'authorize'; readonly account: Address; readonly withdrawer: Address }
  /** Null: as it was. */
  | {
      readonly type: 'setLockup';
      readonly account: Address;
      readonly unixTimestamp: bigint | null;
      readonly epoch: bigint | null;
    }
  | { readonly type: 'withdraw'; readonly account: Address }
  | { readonly type: 'split'; readonly account: Address; readonly into: Address }
  | { readonly type: 'merge'; readonly account: Address; readonly from: Address }
  | { readonly type: 'moveStake'; readonly account: Address; readonly into: Address };

const WITHDRAWER = 1;
const INITIALIZE_BYTES = 4 + 32 + 32 + 8 + 8 + 32;
const LOCKUP_OFFSET = 68;
const NO_LOCKUP: LockupTimes = { unixTimestamp: 0n, epoch: 0n };

/**
 * Reads an instruction of the Stake program. Null for what moves no delegation (moveLamports, a new stake authority, the minimum), and for
 * bytes that the program would not have accepted.
 */
export const readStakeOperation = (accounts: readonly Address[], data: Uint8Array): StakeOperation | null => {
  // Older forms of the instructions name sysvars in between.
  const [account, second, third] = accounts.filter((one) => !STAKE_SYSVARS.has(one));
  if (data.length < 4 || account === undefined) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const u32At = (offset: number): number | null =>
    data.length >= offset + 4 ? view.getUint32(offset, true) : null;
  const authorized = (withdrawer: Address | null | undefined, roleOffset: number): StakeOperation | null =>
    withdrawer && u32At(roleOffset) === WITHDRAWER ? { type: 'authorize', account, withdrawer } : null;
  switch (view.getUint32(0, true)) {
    case 0:
      return data.length < INITIALIZE_BYTES
        ? null
        : {
            type: 'initialize',
            account,
            withdrawer: readAddressAt(data, 36),
            lockup: {
              unixTimestamp: view.getBigInt64(LOCKUP_OFFSET, true),
              epoch: view.getBigUint64(LOCKUP_OFFSET + 8, true),
            },
          };
    case 1:
      return data.length < 40 ? null : authorized(readAddressAt(data, 4), 36);
    case 2:
      return second ? { type: 'delegate', account, voteAccount: second } : null;
    case 3:
      return second ? { type: 'split', account, into: second } : null;
    case 4:
      return { type: 'withdraw', account };
    case 5:
    case 14:
      return { type: 'deactivate', account };
    case 6:
    case 12:
      return readSetLockup(account, view);
    case 7:
      return second ? { type: 'merge', account, from: second } : null;
    case 8:
      return data.length < 40 ? null : authorized(readAddressAt(data, 4), 36);
    case 9:
      return third ? { type: 'initialize', account, withdrawer: third, lockup: NO_LOCKUP } : null;
    case 10:
    case 11:
      return authorized(third, 4);
    case 16:
      return second ? { type: 'moveStake', account, into: second } : null;
    default:
      return null;
  }
};

/** Two optional times, each behind a byte that says whether it is there. */
const readSetLockup = (account: Address, view: DataView): StakeOperation | null => {
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
  return { type: 'setLockup', account, unixTimestamp: times[0]!, epoch: times[1]! };
};

/** The accounts that an operation touched. */
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
