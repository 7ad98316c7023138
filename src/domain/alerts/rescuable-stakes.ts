// Lists the stakes that a wallet can recover on its own: the wallet holds the withdraw authority, but another
// address may unstake, split and delegate them.
import type { Address } from '@solana/kit';
import type { StakeAccount } from '../stake/stake-account.ts';

/**
 * Returns the stakes whose stake authority the wallet can reset. The holder of the withdraw authority can do
 * so without anyone's consent, in every state and under every lockup.
 */
export const rescuableStakes = (
  accounts: readonly StakeAccount[],
  wallet: Address,
): readonly StakeAccount[] =>
  accounts.filter(
    ({ withdrawAuthority, stakeAuthority }) => withdrawAuthority === wallet && stakeAuthority !== wallet,
  );
