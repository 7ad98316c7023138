// Registers the sandbox's wallet, once, like a browser extension would.
import { registerWallet } from '@wallet-standard/wallet';
import { createLocalWallet } from './local-wallet.ts';

let registered = false;

/** Call this only if the service runs its own sandbox. */
export const registerLocalWallet = (): void => {
  if (registered) return;
  registered = true;
  registerWallet(createLocalWallet());
};
