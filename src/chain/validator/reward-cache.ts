// Caches immutable reads about ended epochs and finalized transactions, with a size limit.

import { BoundedMap } from '../../kernel/bounded-map.ts';
import type { LandedTransaction } from '../ports.ts';
import type { PaidInflation } from './reward-reads.ts';

/** The cached part of a landed transaction. */
export type RememberedTransaction = Pick<LandedTransaction, 'wireBytes' | 'preBalances' | 'postBalances'>;

/** A cache shared by every wallet. */
export interface RewardMemory {
  /** Payments by `paymentKey`; null if nothing was paid. */
  readonly payments: BoundedMap<string, PaidInflation | null>;
  /** Payment time of an epoch's rewards in seconds since the Unix epoch. */
  readonly paidAtSeconds: BoundedMap<bigint, number>;
  /** Wire bytes of finalized transactions. */
  readonly landed: BoundedMap<string, RememberedTransaction>;
}

/** Cache key of one account's payment for one epoch. */
export const paymentKey = (address: string, epoch: bigint): string => `${epoch} ${address}`;

/**
 * Sizes of the caches. About 25 MB when full: 100,000 payments of 150 bytes, and 10,000 transactions of at
 * most 1,232 bytes.
 */
export const createRewardMemory = (): RewardMemory => ({
  payments: new BoundedMap(100_000),
  paidAtSeconds: new BoundedMap(10_000),
  landed: new BoundedMap(10_000),
});
