// A store tells its listeners of every other value once, also those that come and go while it tells.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createStore } from './create-store.ts';

it('every listener sees the new value, and none is told of the same one again', () => {
  const store = createStore<number>(0);
  const seen: string[] = [];
  store.subscribe(() => seen.push(`a${store.get()}`));
  store.subscribe(() => seen.push(`b${store.get()}`));
  for (const value of [0, 1, 1, Number.NaN, Number.NaN, -0]) store.set(value);
  assert.deepEqual(seen, ['a1', 'b1', 'aNaN', 'bNaN', 'a0', 'b0']);
});

it('an equal object is another value: what changed is for the listener to say', () => {
  const store = createStore({ open: false });
  let notified = 0;
  store.subscribe(() => {
    notified += 1;
  });
  store.set({ open: false });
  store.set(store.get());
  assert.equal(notified, 1);
});

it('listeners may end and begin while they are told: who is there is told, who comes is told of the next', () => {
  const store = createStore(0);
  const notified: string[] = [];
  const end = store.subscribe(() => {
    notified.push(`once ${store.get()}`);
    end();
    store.subscribe(() => notified.push(`later ${store.get()}`));
  });
  store.subscribe(() => notified.push(`always ${store.get()}`));
  store.set(1);
  store.set(2);
  assert.deepEqual(notified, ['once 1', 'always 1', 'always 2', 'later 2']);
});

it('a value that is set while the last one is told is what everybody ends with', () => {
  const store = createStore(0);
  const seen: number[] = [];
  store.subscribe(() => {
    if (store.get() === 1) store.set(2);
  });
  store.subscribe(() => seen.push(store.get()));
  store.set(1);
  assert.equal(store.get(), 2);
  assert.equal(seen.at(-1), 2);
});
