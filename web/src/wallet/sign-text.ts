// Asks the connected wallet to sign a text, and accepts a signature of exactly that text.
import { toBase58 } from './base58.ts';
import { featuresOf } from './features.ts';
import { signingAccount } from './signing-account.ts';
import { asWalletError, WalletError } from './wallet-error.ts';

const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index]);

/** Returns the signature of the UTF-8 bytes of `text` in base58. Rejects only with `WalletError`. */
export const signTextWithWallet = async (text: string, walletAddress: string): Promise<string> => {
  const { wallet, account } = signingAccount(walletAddress);
  const message = new TextEncoder().encode(text);
  try {
    const signing = featuresOf(wallet)['solana:signMessage'];
    if (signing === undefined)
      throw new WalletError(
        'unsupported',
        `${wallet.name} cannot sign messages`,
        'It signs only transactions. Connect a wallet that signs messages.',
      );
    const [output] = await signing.signMessage({ account, message });
    if (output === undefined) throw new Error('it returned nothing');
    // Some wallets, hardware wallets in particular, prepend their own words, which is a different text.
    if (!isSame(output.signedMessage, message))
      throw new WalletError(
        'changed',
        `${wallet.name} signed a different text`,
        'It changed the text before signing, so the signature is not valid here. Nothing was sent.',
      );
    return toBase58(output.signature);
  } catch (error) {
    throw asWalletError(error, wallet.name);
  }
};
