// The theme that was chosen comes back; what nobody can have chosen, and a browser that stores nothing, mean the system's.
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

it('a choice is drawn at once, told, and drawn again after a reload', () => {
  for (const chosen of ['dark', 'light'] as const) {
    chooseTheme(chosen);
    assert.deepEqual([dataset.theme, theme.get(), stored], [chosen, chosen, chosen]);
    delete dataset.theme;
    theme.set('system');
    restoreTheme();
    assert.deepEqual([dataset.theme, theme.get()], [chosen, chosen]);
  }
});

it('back to the system’s, nothing is left that would overrule it', () => {
  chooseTheme('dark');
  chooseTheme('system');
  restoreTheme();
  assert.deepEqual([dataset, theme.get()], [{}, 'system']);
});

it('what else stands in the storage, or nothing, counts as the system’s', () => {
  for (const text of [null, '', 'DARK', 'blue', '{"theme":"dark"}']) {
    chooseTheme('dark');
    stored = text;
    restoreTheme();
    assert.deepEqual([dataset, theme.get()], [{}, 'system'], String(text));
  }
});

it('a browser that stores nothing starts with the system’s, and a choice holds until the reload', () => {
  isBlocked = true;
  restoreTheme();
  assert.equal(theme.get(), 'system');
  chooseTheme('dark');
  assert.deepEqual([dataset.theme, theme.get()], ['dark', 'dark']);
});
