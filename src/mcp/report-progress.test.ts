// Tests that a client that requested progress is notified at once and then every two seconds while a call runs,
// that other clients are not, and that nothing is sent after the call has ended.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../../test/support/steerable-clock.ts';
import { PROGRESS_INTERVAL_MS, whileReporting } from './report-progress.ts';
import type { McpTool } from './tool.ts';

type Request = Parameters<typeof whileReporting>[1];
type Notification = {
  readonly params: { readonly progressToken: string; readonly progress: number; readonly message: string };
};

const tool = (effect: string) => ({ operation: { effect } }) as unknown as McpTool;
const ACT = tool('act');

const requestOf = (notified: Notification['params'][], token: string | undefined, deliver = async () => {}) =>
  ({
    _meta: token === undefined ? undefined : { progressToken: token },
    notify: async ({ params }: Notification) => {
      notified.push(params);
      await deliver();
    },
  }) as unknown as Request;

test('the first message is sent immediately, later ones contain the elapsed seconds, and none is sent after the end', async () => {
  const clock = createManualClock();
  const notified: Notification['params'][] = [];
  const work = Promise.withResolvers<string>();
  const running = whileReporting(ACT, requestOf(notified, 'token'), clock, () => work.promise);
  for (let beat = 0; beat < 3; beat += 1) {
    await clock.sleeping();
    assert.deepEqual(clock.due(), [PROGRESS_INTERVAL_MS]);
    clock.advance(PROGRESS_INTERVAL_MS);
  }
  await clock.sleeping();
  work.resolve('done');
  assert.equal(await running, 'done');
  assert.deepEqual(
    notified.map(({ progressToken, progress, message }) => [progressToken, progress, message]),
    [
      ['token', 0, 'Checking, then sending to the cluster.'],
      ['token', 1, 'Waiting for the cluster to confirm, 2 s.'],
      ['token', 2, 'Waiting for the cluster to confirm, 4 s.'],
      ['token', 3, 'Waiting for the cluster to confirm, 6 s.'],
    ],
  );
  assert.deepEqual(clock.due(), [], 'no timer is left');
});

test('no progress is sent without a token or for a read', async () => {
  const notified: Notification['params'][] = [];
  const clock = createManualClock();
  assert.equal(await whileReporting(ACT, requestOf(notified, undefined), clock, async () => 1), 1);
  assert.equal(await whileReporting(tool('build'), requestOf(notified, 'token'), clock, async () => 2), 2);
  assert.deepEqual(notified, []);
});

test('a client that cannot be notified does not end the call, and a failing call fails as usual', async () => {
  const notified: Notification['params'][] = [];
  const gone = requestOf(notified, 'token', async () => {
    throw new Error('gone');
  });
  assert.equal(await whileReporting(ACT, gone, createManualClock(), async () => 3), 3);
  const failing = whileReporting(ACT, gone, createManualClock(), async () => {
    throw new RangeError('no');
  });
  await assert.rejects(failing, RangeError);
});
