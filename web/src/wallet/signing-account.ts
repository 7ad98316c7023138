// The signing account: the connected one, if it is the one that the page prepared for.
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import { walletState } from './wallet-connection.ts';
import { WalletError } from './wallet-error.ts';

/**
 * Returns the connected account of this address. Throws `WalletError` if no account or another one is
 * connected.
 */
export const signingAccount = (
  walletAddress: string,
): { readonly wallet: Wallet; readonly account: WalletAccount } => {
  const { wallet, account } = walletState.get();
  if (wallet === null || account === null)
    throw new WalletError('unsupported', 'No wallet is connected', 'Connect a wallet, then continue.');
  if (account.address !== walletAddress)
    throw new WalletError(
      'wrong-chain',
      'Another account is selected',
      `Select ${walletAddress} in ${wallet.name}, then continue.`,
    );
  return { wallet, account };
};
