// Light, dark or as the system says; remembered, and applied before anything is drawn.
import { recall, remember } from './browser-storage.ts';
import { createStore } from './create-store.ts';

/** What was chosen. */
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'holdfast-theme';

const read = (): Theme => {
  const stored = recall(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
};

/** The choice now. */
export const theme = createStore<Theme>('system');

const apply = (next: Theme): void => {
  if (next === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  theme.set(next);
};

/** Chooses and remembers. */
export const chooseTheme = (next: Theme): void => {
  remember(KEY, next);
  apply(next);
};

/** Applies what was chosen before. */
export const restoreTheme = (): void => apply(read());
