// What this browser remembers beyond a reload and may forget: where it stores nothing, nothing is remembered and nothing breaks.

/** `localStorage`: for good; `sessionStorage`: until the tab is closed. By name, because asking for a blocked one throws. */
type Area = 'localStorage' | 'sessionStorage';

/** The text stored under `key`; null where there is none or storage is blocked. */
export const recall = (key: string, area: Area = 'localStorage'): string | null => {
  try {
    return globalThis[area].getItem(key);
  } catch {
    return null;
  }
};

/** Keeps a text under `key`, null: none any more. */
export const remember = (key: string, text: string | null, area: Area = 'localStorage'): void => {
  try {
    if (text === null) globalThis[area].removeItem(key);
    else globalThis[area].setItem(key, text);
  } catch {
    // Blocked or full: it is asked for again after a reload.
  }
};
