// Warns owners before they sign if another address controls some of their stakes.
import type { Address } from '@solana/kit';
import { type Notice, notice } from '../notice.ts';
import type { StakeAccount } from '../stake/stake-account.ts';
import { rescuableStakes } from './rescuable-stakes.ts';
import { COLLECTED_WALLETS, type TransactionContext } from './theft-patterns.ts';

/** Returns one notice per address, other than the wallet, that may unstake and split the wallet's stakes. Pure. */
export const controlNotices = (
  accounts: readonly StakeAccount[],
  wallet: Address,
  { otherWalletsOf }: Pick<TransactionContext, 'otherWalletsOf'>,
): Notice[] => {
  const byAuthority = Map.groupBy(rescuableStakes(accounts, wallet), ({ stakeAuthority }) => stakeAuthority);
  return [...byAuthority].map(([authority, { length }]) => {
    const others = otherWalletsOf(authority, wallet);
    const collects =
      others >= COLLECTED_WALLETS ? ' It also controls stakes of {otherWallets} other wallets.' : '';
    return notice(
      'FOREIGN_STAKE_AUTHORITY',
      `{stakeAuthority} may unstake and split {stakes} of this wallet.${collects} If you did not set this up, recover the stake authority first (rescue).`,
      {
        stakeAuthority: authority,
        stakes: { shown: length === 1 ? 'a stake' : `${length} stakes`, value: length },
        otherWallets: others,
      },
    );
  });
};
