// Finds stakes of the connected wallet with a foreign stake authority, and remembers whether the user
// accepted that.
import { useState } from 'react';
import { useSummary } from '../api/shared-reads.ts';
import { recall, remember } from '../state/browser-storage.ts';
import { createStore, useStore } from '../state/create-store.ts';
import { useWallet } from '../wallet/use-wallet.ts';

/** Stakes of the connected wallet that another address may unstake and split. */
export interface ForeignControl {
  readonly walletAddress: string;
  readonly stakes: number;
  /** True while rewards are paid. No stake can be changed for these few blocks. */
  readonly rewardsActive: boolean;
  /** Hides the warning about these addresses for this wallet, in this browser only. */
  readonly accept: () => void;
}

/** Polling interval in seconds. The portfolio reads the same response more often. */
export const REFRESH_SECONDS = 120;

const keyOf = (walletAddress: string): string => `holdfast.expected-authorities.${walletAddress}`;

/** Remembers that the user gave this address the stake authority, so no warning about it is shown in this browser. */
export const expectAuthority = (walletAddress: string, authority: string): void =>
  remember(keyOf(walletAddress), `${recall(keyOf(walletAddress)) ?? ''} ${authority}`.trim());

/** Counts acceptances to update every view. */
const acceptances = createStore(0);

/**
 * Returns null if no wallet is connected, if it controls all its stakes, or if the user accepted the foreign
 * control. Reads the wallet's summary.
 */
export const useForeignControl = (): ForeignControl | null => {
  const { walletAddress } = useWallet();
  const { data } = useSummary(walletAddress, REFRESH_SECONDS);
  // Without storage, an acceptance lasts until the page is reloaded.
  const [accepted, setAccepted] = useState('');
  useStore(acceptances);
  if (walletAddress === null || data === undefined || data.walletAddress !== walletAddress) return null;
  const foreign = data.accounts.filter(
    ({ role, stakeAuthority }) => role === 'owner' && stakeAuthority !== walletAddress,
  );
  const authorities = [...new Set(foreign.map(({ stakeAuthority }) => stakeAuthority))];
  const expected = `${recall(keyOf(walletAddress)) ?? ''} ${accepted}`.split(' ');
  if (authorities.every((authority) => expected.includes(String(authority)))) return null;
  return {
    walletAddress,
    stakes: foreign.length,
    rewardsActive: data.epochTiming?.epochRewardsActive ?? false,
    accept: () => {
      setAccepted(authorities.join(' '));
      remember(keyOf(walletAddress), authorities.join(' '));
      acceptances.set(acceptances.get() + 1);
    },
  };
};
