// Remembers the full callback URL of a policy in this tab, because the service shows only its origin, while a
// change needs the full URL.
import { recall, remember } from '../../../state/browser-storage.ts';

const keyOf = (walletAddress: string): string => `holdfast-autopilot-callback/${walletAddress}`;

/** Remembers the callback until the tab is closed. */
export const rememberCallback = (walletAddress: string, callbackUrl: string): void =>
  remember(keyOf(walletAddress), callbackUrl, 'sessionStorage');

/** Returns the callback set in this tab; null if unknown or if another one has been set since. */
export const rememberedCallback = (walletAddress: string, origin: string): string | null => {
  const stored = recall(keyOf(walletAddress), 'sessionStorage');
  return stored !== null && URL.canParse(stored) && new URL(stored).origin === origin ? stored : null;
};
