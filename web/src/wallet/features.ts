// The Wallet Standard features that the page uses, by their names in the standard.
import type {
  SolanaSignAndSendTransactionFeature,
  SolanaSignMessageFeature,
  SolanaSignTransactionFeature,
} from '@solana/wallet-standard-features';
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import { defineWords } from '../words/define-words.ts';
import { walletEnglish } from '../words/en/wallet.ts';

const { say } = defineWords('wallet', walletEnglish);

/**
 * `standard:connect`. With `silent`, the wallet returns only accounts that the user allowed before, without
 * asking.
 */
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

export type WalletFeatures = Partial<
  ConnectFeature &
    DisconnectFeature &
    EventsFeature &
    SolanaSignTransactionFeature &
    SolanaSignAndSendTransactionFeature &
    SolanaSignMessageFeature
>;

/** Returns the features of a wallet that the page knows. */
export const featuresOf = (wallet: Wallet): WalletFeatures => wallet.features as WalletFeatures;

/** True if the wallet can sign texts; not every wallet can. */
export const canSignTexts = (wallet: Wallet | null): boolean =>
  wallet !== null && featuresOf(wallet)['solana:signMessage'] !== undefined;

const CHAINS: Readonly<Record<string, `solana:${string}`>> = {
  'mainnet-beta': 'solana:mainnet',
  testnet: 'solana:testnet',
  devnet: 'solana:devnet',
};

/** Returns the standard's name of the service's cluster. Unknown clusters count as local ones. */
export const chainOf = (cluster: string): `solana:${string}` => CHAINS[cluster] ?? 'solana:localnet';

/** Returns why this wallet cannot be used here; null if it can. */
export const unsuitableReason = (
  wallet: Wallet,
  chain: string,
): { readonly kind: 'unsupported' | 'wrong-chain'; readonly text: string } | null => {
  const unsupported = (id: 'notSolana' | 'cannotConnect' | 'cannotSign') =>
    ({ kind: 'unsupported', text: say(id) }) as const;
  const features = featuresOf(wallet);
  if (!wallet.chains.some((offered) => offered.startsWith('solana:'))) return unsupported('notSolana');
  if (features['standard:connect'] === undefined) return unsupported('cannotConnect');
  if (
    features['solana:signTransaction'] === undefined &&
    features['solana:signAndSendTransaction'] === undefined
  )
    return unsupported('cannotSign');
  return wallet.chains.includes(chain as never)
    ? null
    : { kind: 'wrong-chain', text: say('lacksChain', { chain: chain.replace('solana:', '') }) };
};
