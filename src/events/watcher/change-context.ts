// Context for evaluating a change to a stake: the stakes of other wallets in the index, and the transactions
// submitted here.
import type { Address } from '@solana/kit';
import type { StakeIndex } from '../../chain/index/stake-index.ts';
import type { ChangeFact } from '../../domain/alerts/stake-change-facts.ts';
import type { TransactionContext } from '../../domain/alerts/theft-patterns.ts';
import type { TransactionRecords } from '../../store/transaction-records.ts';

/**
 * Removes deactivations that were submitted through this service. Throws `AppError('STORE_UNAVAILABLE')` if
 * the store is unavailable.
 */
export const withoutSubmittedHere = async (
  changes: readonly ChangeFact[],
  records: Pick<TransactionRecords, 'find'>,
): Promise<readonly ChangeFact[]> => {
  const deactivations = changes.filter(({ type }) => type === 'unexpected_deactivation');
  if (deactivations.length === 0) return changes;
  const own = await records.find(deactivations.map(({ signature }) => signature));
  return changes.filter((one) => one.type !== 'unexpected_deactivation' || !own.has(one.signature));
};

/** Counts the other wallets in the index over whose stakes an address has an authority. */
export const otherWalletsIn =
  (index: Pick<StakeIndex, 'walletRows'>): TransactionContext['otherWalletsOf'] =>
  (address, wallet) =>
    new Set(
      (index.walletRows(address)?.rows ?? []).flatMap(({ account: { stakeAuthority, withdrawAuthority } }) =>
        [stakeAuthority, withdrawAuthority].filter((one: Address) => one !== address && one !== wallet),
      ),
    ).size;
