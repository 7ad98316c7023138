// Asks the connected wallet to sign. Returns signed bytes, or the signature if the wallet sends the
// transaction itself.
import type { Signed } from '../../../client/staking/run-staking-flow.ts';
import { encodeBase58 } from '../../../src/kernel/base58.ts';
import { featuresOf } from './features.ts';
import { signingAccount } from './signing-account.ts';
import { walletState } from './wallet-connection.ts';
import { asWalletError } from './wallet-error.ts';

/** Versions that the service builds, the most widely supported first. */
const VERSIONS = ['legacy', 0, 1] as const;

/**
 * Returns the version to build instead of `built` if the connected wallet supports only other versions. Null
 * if it supports `built`, or none that the service builds.
 */
export const otherVersion = (
  built: (typeof VERSIONS)[number] | undefined,
): (typeof VERSIONS)[number] | null => {
  const { wallet } = walletState.get();
  const features = wallet === null ? {} : featuresOf(wallet);
  const { supportedTransactionVersions: announced = [] } =
    features['solana:signTransaction'] ?? features['solana:signAndSendTransaction'] ?? {};
  const isAnnounced = (version: unknown): boolean => (announced as readonly unknown[]).includes(version);
  return isAnnounced(built) ? null : (VERSIONS.find(isAnnounced) ?? null);
};

/**
 * Signs the transaction. Rejects only with `WalletError`. `walletAddress` is the required signer; another
 * connected account is refused.
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
    return { how: 'sent', signature: encodeBase58(output.signature) };
  } catch (error) {
    throw asWalletError(error, wallet.name);
  }
};
