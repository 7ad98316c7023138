// Tests that polling ends with the first result, with the first error, or after a minute with an error that
// names the awaited result.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { eventually } from './poll-until-result.ts';

/**
 * Advances time by more than a minute in steps of half a second, and lets pending promises run after each
 * step.
 */
const passing = async (t: TestContext, work: () => Promise<unknown>): Promise<number> => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  let isOver = false;
  const over = work().finally(() => {
    isOver = true;
  });
  // The promise is awaited below. Without this handler, an earlier failure would count as unhandled.
  over.catch(() => undefined);
  let passed = 0;
  for (; !isOver && passed < 120_000; passed += 500) {
    t.mock.timers.tick(500);
    await new Promise(setImmediate);
  }
  await over;
  return passed;
};

test('the demo polls twice a second until there is a result; 0 and empty values count as results', async (t) => {
  for (const found of [0, '', false, undefined]) {
    const responses = [null, null, found];
    let asked = 0;
    const passed = await passing(t, async () => {
      const got = await eventually(async () => responses[asked++] as unknown, 'anything');
      assert.equal(got, found);
    });
    assert.equal(asked, 3);
    assert.ok(passed >= 1_000 && passed <= 1_500, `${passed} ms`);
    t.mock.timers.reset();
  }
});

test('an immediate result is returned without a wait', async () => {
  assert.equal(await eventually(async () => 'here', 'it'), 'here');
});

test('an error is passed on immediately, and only a missing result is polled again', async (t) => {
  let asked = 0;
  const refused = async () => {
    asked += 1;
    throw new Error('refused');
  };
  await passing(t, () => assert.rejects(eventually(refused, 'it'), /refused/));
  assert.equal(asked, 1);
});

test('after a minute without a result, the error names the awaited result', async (t) => {
  const passed = await passing(t, () =>
    assert.rejects(
      eventually(async () => null, 'the rewards'),
      /^Error: timed out waiting for the rewards$/,
    ),
  );
  assert.ok(passed >= 60_000 && passed <= 60_500, `${passed} ms`);
});
