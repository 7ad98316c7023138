// Tests that each step is printed with its number and result, that nothing is printed after a failure, and that
// colors appear only on a terminal.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { createStory } from './story.ts';

const storyFor = (isTTY?: boolean) => {
  const out = new PassThrough({ encoding: 'utf8' });
  return {
    ...createStory(Object.assign(out, isTTY === undefined ? {} : { isTTY })),
    printed: () => out.read(),
  };
};

test('a step passes its value on and prints its result with its link', async () => {
  const { step, stepCount, printed } = storyFor();
  const value = await step('Stake', async () => ({ value: 7n, result: 'done', link: 'https://explorer' }));
  await step('Wait', async () => ({ value: undefined, result: 'waited' }));
  assert.deepEqual([value, stepCount()], [7n, 2]);
  assert.equal(printed(), '✓  1  Stake\n       done\n       https://explorer\n✓  2  Wait\n       waited\n');
});

test('a failing step is printed without a result, and its error is passed on', async () => {
  const { step, stepCount, printed } = storyFor();
  const error = new Error('a surprise');
  await assert.rejects(
    step('Stake', () => Promise.reject(error)),
    (thrown) => thrown === error,
  );
  assert.deepEqual([printed(), stepCount()], ['✗  1  Stake\n', 1]);
});

test('colors are printed only on a terminal', async () => {
  const play = async (isTTY?: boolean) => {
    const { step, printed } = storyFor(isTTY);
    await step('Stake', async () => ({ value: 0, result: 'done', link: 'https://explorer' }));
    return String(printed());
  };
  assert.equal((await play(true)).split('\u001b[').length, 5);
  for (const isTTY of [false, undefined]) assert.ok(!(await play(isTTY)).includes('\u001b'));
});
