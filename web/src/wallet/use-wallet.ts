// Wallet hooks for views.
import { useStore } from '../state/create-store.ts';
import { type WalletState, walletState } from './wallet-connection.ts';

/** Returns the wallet's state with the connected address; null while none is connected. */
export const useWallet = (): WalletState & { readonly walletAddress: string | null } => {
  const state = useStore(walletState);
  return { ...state, walletAddress: state.account?.address ?? null };
};
