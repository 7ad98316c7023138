// The page's colours as a canvas needs them: read from the tokens, anew whenever the theme changes.
import { useSyncExternalStore } from 'react';

/** Tokens that charts draw with. */
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

/** Changes whenever the colours do. */
export const useThemeKey = (): string => useSyncExternalStore(subscribe, snapshot);

/** A token's colour as the browser resolves it now, with `alpha` from 0 to 1. */
export const resolveColor = (token: string, alpha = 1): string => {
  // `light-dark()` is resolved only where it is used as a colour.
  const probe = document.createElement('span');
  probe.style.color = `color-mix(in srgb, var(--${token}) ${alpha * 100}%, transparent)`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
};
