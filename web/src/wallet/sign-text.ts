// Asks the connected wallet to sign a text, and accepts only a signature of exactly that text.

import { encodeBase58 } from '../../../src/kernel/base58.ts';
import { defineWords } from '../words/define-words.ts';
import { autopilotEnglish } from '../words/en/developers/autopilot-policy.ts';
import { featuresOf } from './features.ts';
import { signingAccount } from './signing-account.ts';
import { asWalletError, WalletError } from './wallet-error.ts';

const { say } = defineWords('autopilot', autopilotEnglish);

const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index]);

/** Returns the signature of the UTF-8 bytes of `text` in base58. Rejects only with `WalletError`. */
export const signTextWithWallet = async (text: string, walletAddress: string): Promise<string> => {
  const { wallet, account } = signingAccount(walletAddress);
  const message = new TextEncoder().encode(text);
  try {
    const signing = featuresOf(wallet)['solana:signMessage'];
    if (signing === undefined)
      throw new WalletError('unsupported', say('noMessages', { wallet: wallet.name }), say('noMessagesText'));
    const [output] = await signing.signMessage({ account, message });
    if (output === undefined) throw new Error('it returned nothing');
    // Some wallets, in particular hardware wallets, prepend their own words and therefore sign a different
    // text.
    if (!isSame(output.signedMessage, message))
      throw new WalletError('changed', say('otherText', { wallet: wallet.name }), say('otherTextText'));
    return encodeBase58(output.signature);
  } catch (error) {
    throw asWalletError(error, wallet.name);
  }
};
