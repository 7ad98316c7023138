// Lists the stakes that a wallet can take back by itself: it may withdraw them, and another address may unstake, split and delegate them.
import type { Address } from '@solana/kit';
import type { StakeAccount } from '../stake/stake-account.ts';

/**
 * The owner sets the stake authority without consent of others, in every state and under every lockup. A wallet that lost the withdraw authority can
 * take nothing back: neither the stake authority nor a custodian gives any lamport or authority to a wallet.
 */
export const rescuableStakes = (
  accounts: readonly StakeAccount[],
  wallet: Address,
): readonly StakeAccount[] =>
  accounts.filter(
    ({ withdrawAuthority, stakeAuthority }) => withdrawAuthority === wallet && stakeAuthority !== wallet,
  );
