// The connected wallet: found through the Wallet Standard, remembered by name, and silently reconnected if the
// wallet allows that.
import { getWallets } from '@wallet-standard/app';
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import { recall, remember } from '../state/browser-storage.ts';
import { createStore } from '../state/create-store.ts';
import { defineWords } from '../words/define-words.ts';
import { walletEnglish } from '../words/en/wallet.ts';
import { featuresOf, unsuitableReason } from './features.ts';
import { asWalletError, WalletError } from './wallet-error.ts';

const { say } = defineWords('wallet', walletEnglish);

export interface WalletState {
  readonly status: 'disconnected' | 'connecting' | 'connected';
  readonly wallet: Wallet | null;
  readonly account: WalletAccount | null;
  /** Reason why the last attempt failed. */
  readonly error: WalletError | null;
}

const REMEMBERED = 'holdfast-wallet';
/** Address of the last connected wallet, to show its stake while the wallet is away. */
export const LAST_ADDRESS = 'holdfast-address';
const NOBODY: WalletState = { status: 'disconnected', wallet: null, account: null, error: null };

export const walletState = createStore<WalletState>(NOBODY);

/** Every registered wallet, in order of registration. */
export const installedWallets = createStore<readonly Wallet[]>([]);

let stopEvents: (() => void) | undefined;
// A wallet may be asked twice concurrently, silently at startup and by a click. Only the last attempt counts.
let attempts = 0;

const leave = (error: WalletError | null = null): void => {
  attempts += 1;
  stopEvents?.();
  stopEvents = undefined;
  walletState.set({ ...NOBODY, error });
};

const settleOn = (wallet: Wallet, accounts: readonly WalletAccount[], chain: string): void => {
  const account = accounts.find(({ chains }) => chains.includes(chain as never)) ?? accounts[0];
  if (account === undefined) {
    leave();
    return;
  }
  remember(LAST_ADDRESS, account.address);
  walletState.set({ status: 'connected', wallet, account, error: null });
};

const refuseUnsuitable = (wallet: Wallet, chain: string): void => {
  const reason = unsuitableReason(wallet, chain);
  if (reason === null) return;
  throw new WalletError(
    reason.kind,
    say('unusable', { wallet: wallet.name }),
    say('chooseAnother', { reason: reason.text }),
  );
};

/** Connects, and asks the user unless `silent`. Never rejects: errors are in the state. */
export const connectWallet = async (wallet: Wallet, chain: string, silent = false): Promise<void> => {
  leave();
  const mine = attempts;
  walletState.set({ status: 'connecting', wallet, account: null, error: null });
  try {
    refuseUnsuitable(wallet, chain);
    const features = featuresOf(wallet);
    const { accounts } = await features['standard:connect']!.connect(silent ? { silent } : {});
    if (mine !== attempts) return;
    if (accounts.length === 0 && !silent)
      throw new WalletError('refused', say('noAccount'), say('noAccountText', { wallet: wallet.name }));
    settleOn(wallet, accounts, chain);
    if (accounts.length === 0) return;
    remember(REMEMBERED, wallet.name);
    stopEvents = features['standard:events']?.on('change', (changed) => {
      if (changed.accounts !== undefined) settleOn(wallet, changed.accounts, chain);
    });
  } catch (error) {
    if (mine === attempts) leave(silent ? null : asWalletError(error, wallet.name, 'connection'));
  }
};

/** Disconnects and forgets the wallet. */
export const disconnectWallet = async (): Promise<void> => {
  const { wallet } = walletState.get();
  remember(REMEMBERED, null);
  remember(LAST_ADDRESS, null);
  leave();
  // The page has already disconnected, whatever the wallet responds.
  await (wallet && featuresOf(wallet)['standard:disconnect'])?.disconnect().catch(() => undefined);
};

export const forgetWalletError = (): void => walletState.set({ ...walletState.get(), error: null });

/**
 * Follows the registered wallets and connects the remembered one once it appears. Returns the function that
 * stops this.
 */
export const startWallets = (chain: string): (() => void) => {
  const { get, on } = getWallets();
  let tried = false;
  const update = (): void => {
    const wallets = get();
    installedWallets.set([...wallets]);
    const remembered = recall(REMEMBERED);
    const found = wallets.find(({ name }) => name === remembered);
    if (tried || found === undefined || walletState.get().status !== 'disconnected') return;
    tried = true;
    void connectWallet(found, chain, true);
  };
  const offs = [on('register', update), on('unregister', update)];
  update();
  return () => {
    for (const off of offs) off();
  };
};
