// SOL in a stake account that is neither staked nor rent, such as tips, and whether it is worth a transaction.
import type { StakeAccount } from '../../../../../client/generated/stake-operations.ts';
import { lamportsOf } from '../../../text/format-figures.ts';

/** Smaller amounts are not offered. Tips of one epoch often exceed the fee. */
export const MIN_IDLE_LAMPORTS = 10_000_000n;

/** True if a withdrawal would take out only negligible idle SOL, which is paid out with the stake anyway. */
export const isDust = ({
  withdrawReady,
  withdrawableSol,
}: Pick<StakeAccount, 'withdrawReady' | 'withdrawableSol'>): boolean =>
  !withdrawReady && lamportsOf(withdrawableSol) < MIN_IDLE_LAMPORTS;
