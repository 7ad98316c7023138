// Tests that a chosen theme is restored, and that an invalid value or a browser without storage leads to the
// system's theme.
import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';

const dataset: { theme?: string } = {};
let stored: string | null = null;
let isBlocked = false;
Object.assign(globalThis, { document: { documentElement: { dataset } } });
Object.defineProperty(globalThis, 'localStorage', {
  get: () => {
    if (isBlocked) throw new DOMException('Access is denied for this document.', 'SecurityError');
    return {
      getItem: () => stored,
      setItem: (_key: string, text: string) => {
        stored = text;
      },
    };
  },
});
const { chooseTheme, restoreTheme, theme } = await import('./theme.ts');

beforeEach(() => {
  isBlocked = false;
  chooseTheme('system');
});

it('a choice is applied immediately, published, and restored after a reload', () => {
  for (const chosen of ['dark', 'light'] as const) {
    chooseTheme(chosen);
    assert.deepEqual([dataset.theme, theme.get(), stored], [chosen, chosen, chosen]);
    delete dataset.theme;
    theme.set('system');
    restoreTheme();
    assert.deepEqual([dataset.theme, theme.get()], [chosen, chosen]);
  }
});

it('choosing the system’s theme again removes the stored override', () => {
  chooseTheme('dark');
  chooseTheme('system');
  restoreTheme();
  assert.deepEqual([dataset, theme.get()], [{}, 'system']);
});

it('any other stored value, or none, counts as the system’s theme', () => {
  for (const text of [null, '', 'DARK', 'blue', '{"theme":"dark"}']) {
    chooseTheme('dark');
    stored = text;
    restoreTheme();
    assert.deepEqual([dataset, theme.get()], [{}, 'system'], String(text));
  }
});

it('a browser that cannot store data starts with the system’s theme, and a choice lasts until the reload', () => {
  isBlocked = true;
  restoreTheme();
  assert.equal(theme.get(), 'system');
  chooseTheme('dark');
  assert.deepEqual([dataset.theme, theme.get()], ['dark', 'dark']);
});
