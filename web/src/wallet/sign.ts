// Asks the connected wallet to sign. Returns signed bytes, or the signature if the wallet sends the
// transaction itself.
import type { Signed } from '../../../client/staking/carry-out.ts';
import { toBase58 } from './base58.ts';
import { featuresOf } from './features.ts';
import { signingAccount } from './signing-account.ts';
import { asWalletError } from './wallet-error.ts';

/**
 * Signs the transaction. Only rejects with `WalletError`. `walletAddress` is the required signer; another
 * account is refused.
 */
export const signWithWallet = async (
  transaction: Uint8Array,
  { walletAddress, chain }: { walletAddress: string; chain: `solana:${string}` },
): Promise<Signed> => {
  const { wallet, account } = signingAccount(walletAddress);
  const features = featuresOf(wallet);
  try {
    const signing = features['solana:signTransaction'];
    if (signing !== undefined) {
      const [output] = await signing.signTransaction({ account, transaction, chain });
      if (output === undefined) throw new Error('it returned nothing');
      return { how: 'signed', bytes: Uint8Array.from(output.signedTransaction) };
    }
    const sending = features['solana:signAndSendTransaction'];
    if (sending === undefined) throw new Error('it cannot sign transactions');
    const [output] = await sending.signAndSendTransaction({ account, transaction, chain });
    if (output === undefined) throw new Error('it returned nothing');
    return { how: 'sent', signature: toBase58(output.signature) };
  } catch (error) {
    throw asWalletError(error, wallet.name);
  }
};
