// Reads the stake account named in a request. Its errors have the title and the hint that the API specification
// defines.

import type { Address } from '@solana/kit';
import type { ChainAccount } from '../../chain/ports.ts';
import { decodeStakeAccount, type StakeAccount } from '../../domain/stake/stake-account.ts';
import { AppError } from '../../kernel/app-error.ts';
import { guidance, step } from '../../kernel/guidance.ts';

/**
 * Reads the account. Throws `AppError('NOT_A_STAKE_ACCOUNT')` unless it is an initialized stake account of
 * 200 bytes.
 */
export const requireStakeAccount = (
  account: ChainAccount | null,
  address: Address,
  wallet: Address,
): StakeAccount => {
  const decoded = account && decodeStakeAccount(account);
  if (decoded) return decoded;
  throw new AppError(
    'NOT_A_STAKE_ACCOUNT',
    account
      ? '{address} is not a stake account.'
      : '{address} does not exist on this cluster; a stake account disappears once it is fully withdrawn.',
    {
      reason: account ? 'OTHER_ACCOUNT' : 'NO_ACCOUNT',
      params: { address },
      suggestedAction: guidance`List the wallet's stake accounts: ${step('listStakeAccounts', { walletAddress: wallet })}`,
    },
  );
};

/** Throws `AppError('STAKE_ACCOUNT_ADDRESS_PROVIDED')` if a stake account was given instead of a wallet. */
export const refuseStakeAccountAsWallet = (account: ChainAccount | null): void => {
  const decoded = account && decodeStakeAccount(account);
  if (!decoded) return;
  throw new AppError('STAKE_ACCOUNT_ADDRESS_PROVIDED', '{address} is a stake account, not a wallet.', {
    params: { address: decoded.address, withdrawAuthority: decoded.withdrawAuthority },
    suggestedAction: guidance`Use the wallet that may withdraw from it: ${step('listStakeAccounts', { walletAddress: decoded.withdrawAuthority })}`,
    body: { withdrawAuthority: decoded.withdrawAuthority },
  });
};
