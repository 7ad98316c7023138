// Optional storage in this browser. If storage is blocked, nothing is stored and nothing breaks.

/**
 * `localStorage`: permanent. `sessionStorage`: until the tab is closed. The storage is accessed by name on each
 * use, because accessing a blocked one throws.
 */
type Area = 'localStorage' | 'sessionStorage';

/** Returns the text stored under `key`; null if there is none or storage is blocked. */
export const recall = (key: string, area: Area = 'localStorage'): string | null => {
  try {
    return globalThis[area].getItem(key);
  } catch {
    return null;
  }
};

/** Stores a text under `key`; null removes it. */
export const remember = (key: string, text: string | null, area: Area = 'localStorage'): void => {
  try {
    if (text === null) globalThis[area].removeItem(key);
    else globalThis[area].setItem(key, text);
  } catch {
    // Blocked or full: the value is lost on reload.
  }
};
