// Context for evaluating a change to a stake: the stakes of other wallets in the index.
import type { Address } from '@solana/kit';
import type { StakeIndex } from '../../chain/index/stake-index.ts';
import type { TransactionContext } from '../../domain/alerts/theft-patterns.ts';

/** Counts the other wallets in the index over whose stakes an address has an authority. */
export const otherWalletsIn =
  (index: Pick<StakeIndex, 'walletRows'>): TransactionContext['otherWalletsOf'] =>
  (address, wallet) =>
    new Set(
      (index.walletRows(address)?.rows ?? []).flatMap(({ account: { stakeAuthority, withdrawAuthority } }) =>
        [stakeAuthority, withdrawAuthority].filter((one: Address) => one !== address && one !== wallet),
      ),
    ).size;
