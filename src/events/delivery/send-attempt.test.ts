// Tests attempts that the service interrupts, and queued attempts that are abandoned and therefore never sent.
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { type TestContext, test } from 'node:test';
import { Agent } from 'undici';
import { createRequestWatch } from '../../../test/support/await-requests.ts';
import { patience } from '../../../test/support/patience.ts';
import { type Respond, startReceiver } from '../../../test/support/receiver.ts';
import { createManualClock } from '../../../test/support/steerable-clock.ts';
import { ATTEMPT_TIMEOUT_MS, createSendAttempt } from './send-attempt.ts';

const INTERRUPTED = { outcome: 'interrupted', status: null, answerBytes: 0, retryAfterMs: null };

/**
 * Sends to a receiver that responds with `respond`, over at most `connections` connections. `heard` resolves
 * once that many chunks of responses have arrived.
 */
const open = async (t: TestContext, respond?: Respond, connections = 10) => {
  const clock = createManualClock();
  const receiver = await startReceiver(t, respond);
  const watch = createRequestWatch();
  let pieces = 0;
  const agent = new Agent({ connections, pipelining: 1 });
  t.after(() => agent.destroy());
  const observed = agent.compose(
    (dispatch) => (options, handler) =>
      dispatch(options, {
        onRequestStart: (...given) => handler.onRequestStart?.(...given),
        onResponseStart: (...given) => handler.onResponseStart?.(...given),
        onResponseData: (...given) => {
          handler.onResponseData?.(...given);
          pieces += 1;
          watch.notify();
        },
        onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
        onResponseError: (...given) => handler.onResponseError?.(...given),
      }),
  );
  const send = createSendAttempt(observed, clock);
  const post = (path = '/', signal = patience()) =>
    send({ callbackUrl: `${receiver.url}${path}`, headers: { 'x-test': '1' }, body: '{}' }, signal);
  return { clock, receiver, agent, post, heard: (count: number) => watch.until(() => pieces, count) };
};

/** Never responds to `/silent`. Otherwise begins a response with the status in the path and never ends it. */
const beginning: Respond = ({ path }, response) => {
  if (path === '/silent') return;
  response.writeHead(Number(path.slice(1)), { 'content-length': '100', 'retry-after': '7' });
  response.write('some');
};
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('the path and the query of a callback URL are sent, but not its fragment', async (t) => {
  const { post, receiver } = await open(t);
  for (const path of ['/a/b?c=d&e=%20#f', '/a/b?c=d&e=%20#f', '', '//x?']) await post(path);
  assert.deepEqual(
    receiver.received.map(({ path }) => path),
    ['/a/b?c=d&e=%20', '/a/b?c=d&e=%20', '/', '//x'],
  );
  assert.equal(receiver.received[0]?.headers['x-test'], '1');
});

test('an aborted signal prevents the request', async (t) => {
  const { post, receiver, clock } = await open(t);
  assert.deepEqual(await post('/', AbortSignal.abort()), INTERRUPTED);
  await turn();
  assert.deepEqual([receiver.received.length, clock.due()], [0, []]);
});

test('an abort turns pending responses and incomplete acceptances into interruptions, keeps refusals, and does not affect other attempts', async (t) => {
  const { post, receiver, clock, heard } = await open(t, beginning);
  const stopping = new AbortController();
  const ending = Promise.all(['/silent', '/200', '/503'].map((path) => post(path, stopping.signal)));
  const other = post('/201');
  await receiver.got(4);
  await heard(3);
  stopping.abort();
  const [silent, accepted, refused] = await ending;
  assert.deepEqual(silent, INTERRUPTED);
  assert.deepEqual(accepted, { ...INTERRUPTED, status: 200, answerBytes: 4 });
  assert.deepEqual(refused, { outcome: 'refused-status', status: 503, answerBytes: 4, retryAfterMs: 7_000 });
  assert.equal(await Promise.race([other, turn()]), undefined, 'it continues');
  clock.advance(ATTEMPT_TIMEOUT_MS);
  assert.deepEqual(await other, { ...INTERRUPTED, outcome: 'answer-too-slow', status: 201, answerBytes: 4 });
});

test('a queued attempt that times out or is aborted is never sent', async (t) => {
  const { post, receiver, clock } = await open(t, beginning, 1);
  const first = post('/silent');
  await receiver.got(1);
  clock.advance(1_000);
  const [queued, stopping] = [post('/queued'), new AbortController()];
  const interrupted = post('/interrupted', stopping.signal);
  stopping.abort();
  assert.deepEqual(await interrupted, INTERRUPTED);
  clock.advance(ATTEMPT_TIMEOUT_MS - 1_000);
  assert.equal((await first).outcome, 'timeout');
  clock.advance(1_000);
  assert.deepEqual(await queued, { ...INTERRUPTED, outcome: 'timeout' });
  const last = post('/200');
  await receiver.got(2);
  assert.deepEqual(
    receiver.received.map(({ path }) => path),
    ['/silent', '/200'],
  );
  clock.advance(ATTEMPT_TIMEOUT_MS);
  await last;
});

test('a signal aborts all of its attempts, and finished attempts leave no listener on it', async (t) => {
  const { post, receiver } = await open(t, ({ path }, response) => {
    if (path !== '/silent') response.end();
  });
  const stopping = new AbortController();
  await Promise.all(Array.from({ length: 97 }, () => post('/', stopping.signal)));
  assert.equal(getEventListeners(stopping.signal, 'abort').length, 0);
  const silent = Array.from({ length: 3 }, () => post('/silent', stopping.signal));
  await receiver.got(100);
  stopping.abort();
  assert.deepEqual(await Promise.all(silent), [INTERRUPTED, INTERRUPTED, INTERRUPTED]);
});

test('an attempt with a destroyed agent fails without throwing', async (t) => {
  const { post, agent, clock } = await open(t);
  await agent.destroy();
  assert.equal((await post()).outcome, 'connection-failed');
  assert.deepEqual(clock.due(), [], 'no timer is left');
});
