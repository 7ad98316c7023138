// Remembers in this tab where the offers of a wallet go: the service shows the origin only, and changing a policy takes all of it.

const keyOf = (walletAddress: string): string => `holdfast-autopilot-callback/${walletAddress}`;

/** Remembers it until the tab is closed. */
export const rememberCallback = (walletAddress: string, callbackUrl: string): void => {
  try {
    sessionStorage.setItem(keyOf(walletAddress), callbackUrl);
  } catch {
    // A browser that stores nothing asks for it again.
  }
};

/** The callback as it was set in this tab; null where that is not known, or another one has been set since. */
export const rememberedCallback = (walletAddress: string, origin: string): string | null => {
  try {
    const kept = sessionStorage.getItem(keyOf(walletAddress));
    return kept !== null && new URL(kept).origin === origin ? kept : null;
  } catch {
    return null;
  }
};
