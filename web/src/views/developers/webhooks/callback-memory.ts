// Remembers in this tab where the offers of a wallet go: the service shows the origin only, and changing a policy takes all of it.
import { recall, remember } from '../../../state/browser-storage.ts';

const keyOf = (walletAddress: string): string => `holdfast-autopilot-callback/${walletAddress}`;

/** Remembers it until the tab is closed. */
export const rememberCallback = (walletAddress: string, callbackUrl: string): void =>
  remember(keyOf(walletAddress), callbackUrl, 'sessionStorage');

/** The callback as it was set in this tab; null where that is not known, or another one has been set since. */
export const rememberedCallback = (walletAddress: string, origin: string): string | null => {
  const stored = recall(keyOf(walletAddress), 'sessionStorage');
  return stored !== null && URL.canParse(stored) && new URL(stored).origin === origin ? stored : null;
};
