// Light, dark or system theme; stored, and applied before the first paint.
import { recall, remember } from './browser-storage.ts';
import { createStore } from './create-store.ts';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'holdfast-theme';

const read = (): Theme => {
  const stored = recall(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
};

export const theme = createStore<Theme>('system');

const apply = (next: Theme): void => {
  if (next === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  theme.set(next);
};

export const chooseTheme = (next: Theme): void => {
  remember(KEY, next);
  apply(next);
};

export const restoreTheme = (): void => apply(read());
