// The sandbox's own wallet inside the page. It registers through the Wallet Standard like any other wallet,
// with a key that never leaves the browser.
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import { takeApart, withSignature } from '../../../client/staking/wire-signatures.ts';
import { encodeBase58 } from '../../../src/kernel/base58.ts';
import { defineWords } from '../words/define-words.ts';
import { walletEnglish } from '../words/en/wallet.ts';
import type { EventsFeature, WalletFeatures } from './features.ts';
import { readKey, readOrMakeKey } from './key-store.ts';
import { WalletError } from './wallet-error.ts';

const { say } = defineWords('wallet', walletEnglish);

export const LOCAL_WALLET_NAME = 'Sandbox wallet';

const CHAIN = 'solana:localnet';
const ICON =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAzMiAzMiI+PHJlY3Qgd2lkdGg9IjMyIiBoZWlnaHQ9IjMyIiByeD0iOCIgZmlsbD0iIzBiNmU1YiIvPjxwYXRoIGZpbGw9Im5vbmUiIHN0cm9rZT0iI2ZmZiIgc3Ryb2tlLXdpZHRoPSIyLjQiIHN0cm9rZS1saW5lY2FwPSJyb3VuZCIgc3Ryb2tlLWxpbmVqb2luPSJyb3VuZCIgZD0iTTYgMjBjMy0zIDYtMyAxMCAwczcgMyAxMCAwTTEwIDEzaDEybS02LTV2MTAiLz48L3N2Zz4=';

const accountOf = async ({ publicKey }: CryptoKeyPair): Promise<WalletAccount> => {
  const bytes = new Uint8Array(await crypto.subtle.exportKey('raw', publicKey));
  return {
    address: encodeBase58(bytes),
    publicKey: bytes,
    chains: [CHAIN],
    features: ['solana:signTransaction', 'solana:signMessage'],
    label: 'Sandbox',
  };
};

const signWithKey = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> => {
  const pair = await readKey();
  if (pair === null) throw new Error('this browser does not have a sandbox key');
  return new Uint8Array(await crypto.subtle.sign('Ed25519', pair.privateKey, bytes));
};

const requireCrypto = (): void => {
  if (globalThis.isSecureContext && crypto.subtle !== undefined) return;
  throw new WalletError('insecure', say('insecure'), say('insecureText'));
};

/** Creates the wallet. Nothing is created or read before `connect`. */
export const createLocalWallet = (): Wallet => {
  let accounts: readonly WalletAccount[] = [];
  const listeners = new Set<Parameters<EventsFeature['standard:events']['on']>[1]>();
  const change = (next: readonly WalletAccount[]): void => {
    accounts = next;
    for (const listener of [...listeners]) listener({ accounts });
  };
  const features = {
    'standard:connect': {
      version: '1.0.0',
      connect: async ({ silent = false } = {}) => {
        requireCrypto();
        const pair = silent ? await readKey() : await readOrMakeKey();
        change(pair === null ? [] : [await accountOf(pair)]);
        return { accounts };
      },
    },
    'standard:disconnect': {
      version: '1.0.0',
      disconnect: async () => change([]),
    },
    'standard:events': {
      version: '1.0.0',
      on: (_event, listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    'solana:signTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: ['legacy', 0, 1],
      signTransaction: (...inputs) =>
        Promise.all(
          inputs.map(async ({ account, transaction }) => {
            const signature = await signWithKey(takeApart(transaction).message);
            return { signedTransaction: withSignature(transaction, account.address, signature) };
          }),
        ),
    },
    'solana:signMessage': {
      version: '1.0.0',
      signMessage: (...inputs) =>
        Promise.all(
          inputs.map(async ({ message }) => {
            const signedMessage = Uint8Array.from(message);
            return { signedMessage, signature: await signWithKey(signedMessage) };
          }),
        ),
    },
  } satisfies WalletFeatures;
  return {
    version: '1.0.0',
    name: LOCAL_WALLET_NAME,
    icon: ICON,
    chains: [CHAIN],
    features,
    get accounts() {
      return accounts;
    },
  };
};
