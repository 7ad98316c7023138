// The features of the Wallet Standard that the page uses, by their names in the standard.
import type {
  SolanaSignAndSendTransactionFeature,
  SolanaSignMessageFeature,
  SolanaSignTransactionFeature,
} from '@solana/wallet-standard-features';
import type { Wallet, WalletAccount } from '@wallet-standard/base';

/** `standard:connect`. `silent`: only what was allowed before, without asking. */
interface ConnectFeature {
  readonly 'standard:connect': {
    readonly version: string;
    readonly connect: (input?: {
      readonly silent?: boolean;
    }) => Promise<{ readonly accounts: readonly WalletAccount[] }>;
  };
}

/** `standard:disconnect`. */
interface DisconnectFeature {
  readonly 'standard:disconnect': { readonly version: string; readonly disconnect: () => Promise<void> };
}

/** `standard:events`. */
export interface EventsFeature {
  readonly 'standard:events': {
    readonly version: string;
    readonly on: (
      event: 'change',
      listener: (properties: { readonly accounts?: readonly WalletAccount[] }) => void,
    ) => () => void;
  };
}

/** What a wallet of this page may have. */
export type WalletFeatures = Partial<
  ConnectFeature &
    DisconnectFeature &
    EventsFeature &
    SolanaSignTransactionFeature &
    SolanaSignAndSendTransactionFeature &
    SolanaSignMessageFeature
>;

/** The features of a wallet, as far as the page knows them. */
export const featuresOf = (wallet: Wallet): WalletFeatures => wallet.features as WalletFeatures;

/** Whether the wallet can sign a text: not every one that signs transactions does. */
export const canSignTexts = (wallet: Wallet | null): boolean =>
  wallet !== null && featuresOf(wallet)['solana:signMessage'] !== undefined;

const CHAINS: Readonly<Record<string, `solana:${string}`>> = {
  'mainnet-beta': 'solana:mainnet',
  testnet: 'solana:testnet',
  devnet: 'solana:devnet',
};

/** The standard's name of the cluster that the service serves; whatever is not public is somebody's local one. */
export const chainOf = (cluster: string): `solana:${string}` => CHAINS[cluster] ?? 'solana:localnet';

/** Why this wallet cannot be used here; null when it can. */
export const unsuitable = (wallet: Wallet, chain: string): string | null => {
  const features = featuresOf(wallet);
  if (!wallet.chains.some((offered) => offered.startsWith('solana:'))) return 'Not a Solana wallet';
  if (features['standard:connect'] === undefined) return 'Cannot connect to pages';
  if (
    features['solana:signTransaction'] === undefined &&
    features['solana:signAndSendTransaction'] === undefined
  )
    return 'Cannot sign transactions';
  return wallet.chains.includes(chain as never) ? null : `Does not offer ${chain.replace('solana:', '')}`;
};
