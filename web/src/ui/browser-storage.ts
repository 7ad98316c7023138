// What this browser remembers beyond a reload and may forget: where it stores nothing, nothing is remembered and nothing breaks.

/** The text kept under `key`; null where there is none, or the browser does not say. */
export const recall = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

/** Keeps a text under `key`, null: none any more. */
export const remember = (key: string, text: string | null): void => {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Blocked or full: it is chosen again after a reload.
  }
};
