// Tests that webhook secrets stay in this tab, are stored only if the box is ticked, and are deleted from the
// storage as soon as it is unticked.
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';

const KEY = 'holdfast-webhook-secrets';
const stored = new Map<string, string>();
let isBlocked = false;
Object.defineProperty(globalThis, 'sessionStorage', {
  get: () => {
    if (isBlocked) throw new DOMException('Access is denied for this document.', 'SecurityError');
    return {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, text: string) => void stored.set(key, text),
      removeItem: (key: string) => void stored.delete(key),
    };
  },
  configurable: true,
});

let loads = 0;
/** Imports the module again, like a tab after a reload. */
const reload = async () => {
  loads += 1;
  const path = `./webhook-secrets.ts?load=${loads}`;
  return (await import(path)) as typeof import('./webhook-secrets.ts');
};

beforeEach(() => {
  stored.clear();
  isBlocked = false;
});

describe('secrets of a tab', () => {
  it('are not stored unless the box is ticked', async () => {
    const { heldSecrets, holdSecret } = await reload();
    holdSecret('a', 'whsec_1');
    assert.deepEqual(heldSecrets.get(), { byId: { a: 'whsec_1' }, isStored: false });
    assert.equal(stored.size, 0);
    assert.deepEqual((await reload()).heldSecrets.get(), { byId: {}, isStored: false });
  });

  it('survive a reload once the box is ticked, including later ones, with the newest secret of each webhook', async () => {
    const { holdSecret, keepSecrets } = await reload();
    holdSecret('a', 'whsec_1');
    keepSecrets(true);
    holdSecret('b', 'whsec_2');
    holdSecret('a', 'whsec_3');
    assert.deepEqual((await reload()).heldSecrets.get(), {
      byId: { a: 'whsec_3', b: 'whsec_2' },
      isStored: true,
    });
  });

  it('are deleted from the storage when the box is unticked, and stay in the tab', async () => {
    const { heldSecrets, holdSecret, keepSecrets } = await reload();
    keepSecrets(true);
    holdSecret('a', 'whsec_1');
    keepSecrets(false);
    assert.equal(stored.size, 0);
    assert.deepEqual(heldSecrets.get(), { byId: { a: 'whsec_1' }, isStored: false });
  });

  it('can be forgotten individually, also in the storage', async () => {
    const { dropSecret, heldSecrets, holdSecret, keepSecrets } = await reload();
    keepSecrets(true);
    holdSecret('a', 'mistyped');
    holdSecret('b', 'whsec_2');
    dropSecret('a');
    dropSecret('unknown');
    assert.deepEqual(heldSecrets.get().byId, { b: 'whsec_2' });
    assert.deepEqual((await reload()).heldSecrets.get().byId, { b: 'whsec_2' });
  });

  it('are not confused with other values in the storage', async () => {
    for (const [text, byId] of [
      ['{', {}],
      ['null', {}],
      ['{"a":"whsec_1","b":5,"c":null,"d":{"e":"f"}}', { a: 'whsec_1' }],
    ] as const) {
      stored.set(KEY, text);
      assert.deepEqual((await reload()).heldSecrets.get().byId, byId, text);
    }
  });

  it('are kept in memory if the browser cannot store them', async () => {
    isBlocked = true;
    const { heldSecrets, holdSecret, keepSecrets } = await reload();
    keepSecrets(true);
    holdSecret('a', 'whsec_1');
    assert.deepEqual(heldSecrets.get().byId, { a: 'whsec_1' });
  });
});
