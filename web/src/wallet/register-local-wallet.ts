// Registers the sandbox's wallet, once, the way a browser extension would.
import { registerWallet } from '@wallet-standard/wallet';
import { createLocalWallet } from './local-wallet.ts';

let registered = false;

/** Call it only if the service runs its own sandbox. */
export const registerLocalWallet = (): void => {
  if (registered) return;
  registered = true;
  registerWallet(createLocalWallet());
};
