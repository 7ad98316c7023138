// Which of the connected wallet's stakes obey somebody else, and whether the wallet said that it wants that.
import { useState } from 'react';
import { useSummary } from '../api/reads.ts';
import { recall, remember } from '../state/browser-storage.ts';
import { createStore, useStore } from '../state/create-store.ts';
import { useWallet } from '../wallet/use-wallet.ts';

/** Stakes of the connected wallet that another address may unstake and split. */
export interface ForeignControl {
  readonly walletAddress: string;
  /** How many stakes: one or more. */
  readonly stakes: number;
  /** Rewards are being paid: nothing can be changed for some blocks. */
  readonly rewardsActive: boolean;
  /** Keeps quiet about these addresses in this browser, for this wallet. */
  readonly accept: () => void;
}

/** As often as alerts are told on other channels; the portfolio reads the same answer oftener. */
const REFRESH_SECONDS = 120;

const keyOf = (walletAddress: string): string => `holdfast.expected-authorities.${walletAddress}`;

/** Counts acceptances, so that every view hears of one. */
const acceptances = createStore(0);

/** Null: no wallet is connected, it controls all that it owns, or it said that it set this up. Reads the wallet's summary. */
export const useForeignControl = (): ForeignControl | null => {
  const { walletAddress } = useWallet();
  const { data } = useSummary(walletAddress, REFRESH_SECONDS);
  // What was accepted without storage holds until the page is reloaded.
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
