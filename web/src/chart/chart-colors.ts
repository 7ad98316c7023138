// The page's colors for a canvas, read from the tokens whenever the theme changes.
import { useSyncExternalStore } from 'react';

/** Tokens used by charts. */
export type ChartTone = 'accent' | 'info' | 'warn' | 'good' | 'bad' | 'ink-3';

const dark = matchMedia('(prefers-color-scheme: dark)');

const subscribe = (listener: () => void): (() => void) => {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  dark.addEventListener('change', listener);
  return () => {
    observer.disconnect();
    dark.removeEventListener('change', listener);
  };
};

const snapshot = (): string => `${document.documentElement.dataset.theme ?? 'system'} ${dark.matches}`;

/** Returns a key that changes with the colors. */
export const useThemeKey = (): string => useSyncExternalStore(subscribe, snapshot);

/** Resolves a token's current color, with `alpha` from 0 to 1. */
export const resolveColor = (token: string, alpha = 1): string => {
  // `light-dark()` is only resolved in a computed color.
  const probe = document.createElement('span');
  probe.style.color = `color-mix(in srgb, var(--${token}) ${alpha * 100}%, transparent)`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
};
