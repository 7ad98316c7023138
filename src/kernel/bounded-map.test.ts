import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BoundedMap } from './bounded-map.ts';

test('a full map drops the least recently used entry, and reading counts as use', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  assert.equal(map.get('a'), 1);
  map.set('c', 3);
  assert.deepEqual([map.get('a'), map.get('b'), map.get('c'), map.size], [1, undefined, 3, 2]);
});

test('an entry that was read while the last half of the entries was added is kept, even if it was set long ago', () => {
  const map = new BoundedMap<number, string>(100);
  for (let key = 0; key < 1_000; key += 1) {
    map.set(key, 'kept');
    // Key 0 is read once per 50 added entries.
    if (key % 50 === 0) assert.equal(map.get(0), 'kept', `after ${key}`);
  }
  assert.equal(map.size, 100);
  assert.deepEqual([map.has(900), map.has(901), map.has(999)], [false, true, true]);
});

test('setting a key again replaces its value and drops no entry', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.set('a', 3);
  assert.deepEqual([map.has('b'), map.size], [true, 2]);
  // Setting a key again counts as use too.
  map.set('c', 4);
  assert.deepEqual([map.get('a'), map.has('b')], [3, false]);
});
