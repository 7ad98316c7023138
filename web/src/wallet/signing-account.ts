// Chooses the signing account: the connected account, if the request was prepared for it.
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import { defineWords } from '../words/define-words.ts';
import { walletEnglish } from '../words/en/wallet.ts';
import { walletState } from './wallet-connection.ts';
import { WalletError } from './wallet-error.ts';

const { say } = defineWords('wallet', walletEnglish);

/**
 * Returns the connected account of this address. Throws `WalletError` if no account or another one is
 * connected.
 */
export const signingAccount = (
  walletAddress: string,
): { readonly wallet: Wallet; readonly account: WalletAccount } => {
  const { wallet, account } = walletState.get();
  if (wallet === null || account === null)
    throw new WalletError('unsupported', say('notConnected'), say('notConnectedText'));
  if (account.address !== walletAddress)
    throw new WalletError(
      'wrong-account',
      say('otherAccount'),
      say('otherAccountText', { address: walletAddress, wallet: wallet.name }),
    );
  return { wallet, account };
};
