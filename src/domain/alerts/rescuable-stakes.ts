// Lists the stakes that a wallet can recover by itself: the wallet may withdraw them, but another address may
// unstake, split and delegate them.
import type { Address } from '@solana/kit';
import type { StakeAccount } from '../stake/stake-account.ts';

/**
 * The owner can set the stake authority without anyone's consent, in every state and under every lockup. A
 * wallet without the withdraw authority can recover nothing.
 */
export const rescuableStakes = (
  accounts: readonly StakeAccount[],
  wallet: Address,
): readonly StakeAccount[] =>
  accounts.filter(
    ({ withdrawAuthority, stakeAuthority }) => withdrawAuthority === wallet && stakeAuthority !== wallet,
  );
