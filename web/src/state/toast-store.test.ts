// Tests that at most three messages are shown at a time, newest last, and that dismissing one never dismisses
// another.
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

it('the oldest message is removed when a fourth message arrives', () => {
  show('a', 'b', 'c');
  assert.equal(titles(), 'a b c');
  show('d', 'e');
  assert.equal(titles(), 'c d e');
});

it('two messages with the same text are separate, and each is dismissed on its own', () => {
  show('same', 'other', 'same');
  const ids = toasts.get().map(({ id }) => id);
  assert.equal(new Set(ids).size, 3);
  dismissToast(ids[2]!);
  assert.equal(titles(), 'same other');
  dismissToast(ids[2]!);
  assert.equal(titles(), 'same other', 'dismissing a message that is already gone removes no other one');
});

it('a new message does not reuse the number of a dismissed one', () => {
  show('a');
  const { id } = toasts.get()[0]!;
  dismissToast(id);
  show('b');
  dismissToast(id);
  assert.equal(titles(), 'b');
});
