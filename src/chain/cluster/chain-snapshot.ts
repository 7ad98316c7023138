// Reads a chain snapshot in one call, so epoch position, rewards freeze, rent-exempt minimum and accounts are
// from the same slot.
import type { Address } from '@solana/kit';
import { z } from 'zod';
import type { SlotTime } from '../../domain/epoch-clock.ts';
import { STAKE_ACCOUNT_BYTES } from '../../domain/stake/stake-account.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { ChainSnapshot, EpochPosition, ReadOptions } from '../ports.ts';
import { readConfig } from '../rpc/rpc-calls.ts';
import { asUnavailable, type RpcPool } from '../rpc/rpc-pool.ts';
import { multipleAccountsSchema } from '../rpc/rpc-schemas.ts';
import { decodeSysvars, positionOfSlot, SYSVAR_ADDRESSES } from './decode-sysvars.ts';

/**
 * Maximum number of accounts in a snapshot: `getMultipleAccounts` takes 100 addresses, including the sysvars.
 */
export const MAX_SNAPSHOT_ACCOUNTS = 100 - SYSVAR_ADDRESSES.length;

/**
 * A response whose last accounts are the sysvars. The slot is that of the response itself: after time travel
 * on a local runtime, the Clock's slot is wrong until the next block. A response whose Clock and slot are in
 * different epochs is treated as broken.
 */
const snapshotSchema = multipleAccountsSchema.transform(({ context: { slot }, value }, issues) => {
  const accounts = value.slice(0, -SYSVAR_ADDRESSES.length);
  const sysvars = decodeSysvars(
    value.slice(-SYSVAR_ADDRESSES.length).map((account) => account?.data ?? null),
  );
  if (sysvars !== null) {
    const { epoch, slotIndex, slotsInEpoch } = positionOfSlot(slot, sysvars.schedule);
    if (epoch === sysvars.epoch) return { ...sysvars, slot, slotIndex, slotsInEpoch, accounts };
  }
  issues.addIssue('sysvars are missing, unreadable or from another epoch');
  return z.NEVER;
});

interface SnapshotDeps {
  readonly pool: Pick<RpcPool, 'call'>;
  readonly clock: Clock;
  readonly slotTime: (signal: AbortSignal) => Promise<SlotTime>;
}

/**
 * Reads at most 96 accounts and the chain's position in one call. Throws `AppError('UPSTREAM_UNAVAILABLE')`
 * if no node responds or none returns the sysvars.
 */
export const readChainSnapshot = async (
  { pool, clock, slotTime }: SnapshotDeps,
  addresses: readonly Address[],
  options: ReadOptions,
): Promise<ChainSnapshot> => {
  const { signal, minContextSlot } = options;
  const asked = [...addresses, ...SYSVAR_ADDRESSES];
  const askedAtMs = clock.now();
  try {
    const [read, slotTimes] = await Promise.all([
      pool
        .call(
          {
            method: 'getMultipleAccounts',
            params: [asked, { ...readConfig(options), encoding: 'base64' }],
            schema: snapshotSchema,
            accepts: ({ accounts }) => accounts.length === addresses.length,
            slotOf: ({ slot }) => slot,
            ...(minContextSlot === undefined ? {} : { minContextSlot }),
          },
          { signal },
        )
        .then((response) => ({ ...response, readAtMs: Math.round((askedAtMs + clock.now()) / 2) })),
      slotTime(signal),
    ]);
    const { slot, epoch, slotIndex, slotsInEpoch, epochRewardsActive, unixTimestamp, readAtMs } = read;
    const position: EpochPosition = {
      epoch,
      absoluteSlot: slot,
      slotIndex,
      slotsInEpoch,
      readAtMs,
      epochRewardsActive,
      unixTimestamp,
      ...slotTimes,
    };
    return {
      position,
      rent: {
        stakeRentLamports: read.rentLamports(STAKE_ACCOUNT_BYTES),
        walletRentLamports: read.rentLamports(0),
      },
      accounts: read.accounts.map((account, i) => account && { ...account, address: addresses[i]! }),
    };
  } catch (error) {
    throw asUnavailable(error);
  }
};
