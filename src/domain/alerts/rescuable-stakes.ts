// Which stakes a wallet can take back by itself: those that it may withdraw and somebody else may unstake, split and delegate.
import type { Address } from '@solana/kit';
import type { StakeAccount } from '../stake/stake-account.ts';

/**
 * The owner sets the stake authority without anybody's consent, in every state and under every lockup. Whoever lost the withdraw authority can
 * take nothing back: neither the stake authority nor a custodian gives any lamport or authority to a wallet.
 */
export const rescuableStakes = (
  accounts: readonly StakeAccount[],
  wallet: Address,
): readonly StakeAccount[] =>
  accounts.filter(
    ({ withdrawAuthority, stakeAuthority }) => withdrawAuthority === wallet && stakeAuthority !== wallet,
  );
