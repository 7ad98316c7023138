// Tests that a store notifies its listeners once of every new value, even if listeners are added or removed in
// the meantime.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createStore } from './create-store.ts';

it('every listener is notified of a new value, and none if the same value is set again', () => {
  const store = createStore<number>(0);
  const seen: string[] = [];
  store.subscribe(() => seen.push(`a${store.get()}`));
  store.subscribe(() => seen.push(`b${store.get()}`));
  for (const value of [0, 1, 1, Number.NaN, Number.NaN, -0]) store.set(value);
  assert.deepEqual(seen, ['a1', 'b1', 'aNaN', 'bNaN', 'a0', 'b0']);
});

it('an equal but different object counts as a new value', () => {
  const store = createStore({ open: false });
  let notified = 0;
  store.subscribe(() => {
    notified += 1;
  });
  store.set({ open: false });
  store.set(store.get());
  assert.equal(notified, 1);
});

it('listeners may be added and removed during a notification, and a new listener gets the next value', () => {
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

it('a value set during a notification is the last value that every listener receives', () => {
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
