// At most three messages stand at a time, the newest last, and taking one away never takes another.
import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import { dismissToast, showToast, toasts } from './toast-store.ts';

const titles = (): string =>
  toasts
    .get()
    .map(({ title }) => title)
    .join(' ');
const show = (...names: readonly string[]): void => {
  for (const title of names) showToast({ tone: 'info', title });
};

beforeEach(() => toasts.set([]));

it('the oldest goes when a fourth comes', () => {
  show('a', 'b', 'c');
  assert.equal(titles(), 'a b c');
  show('d', 'e');
  assert.equal(titles(), 'c d e');
});

it('two of the same words are two, and each is taken away by itself', () => {
  show('same', 'other', 'same');
  const ids = toasts.get().map(({ id }) => id);
  assert.equal(new Set(ids).size, 3);
  dismissToast(ids[2]!);
  assert.equal(titles(), 'same other');
  dismissToast(ids[2]!);
  assert.equal(titles(), 'same other', 'one that is gone already takes none with it');
});

it('a message that comes after one was taken away does not get its number', () => {
  show('a');
  const { id } = toasts.get()[0]!;
  dismissToast(id);
  show('b');
  dismissToast(id);
  assert.equal(titles(), 'b');
});
