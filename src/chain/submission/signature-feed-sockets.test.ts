// Hints resume after any socket ends, even if its node never answers the closing handshake.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Signature } from '@solana/kit';
import { createRequestWatch } from '../../../test/support/await-requests.ts';
import { startScriptedSocket } from '../../../test/support/scripted-socket.ts';
import { createManualClock } from '../../../test/support/steerable-clock.ts';
import { createLogger } from '../../kernel/log/logger.ts';
import { createSignatureFeed } from './signature-feed.ts';

const [FIRST, SECOND] = ['4', '5'].map((digit) => digit.repeat(88)) as [Signature, Signature];
const IDLE_MS = 30_000;

/** A feed with one node that confirms every subscription and never answers a closing handshake. */
const open = async (t: TestContext) => {
  const clock = createManualClock();
  const seen = createRequestWatch();
  const subscribed: Signature[] = [];
  const says: ((text: string) => void)[] = [];
  const node = await startScriptedSocket((text, send) => {
    const { id, method, params } = JSON.parse(text);
    if (method !== 'signatureSubscribe') return;
    subscribed.push(params[0]);
    says.push(send);
    send(JSON.stringify({ jsonrpc: '2.0', id, result: 10 + subscribed.length }));
    seen.notify();
  });
  const feed = createSignatureFeed({ wsUrls: [node.url], clock, logger: createLogger('silent') });
  t.after(async () => {
    feed.close();
    await node[Symbol.asyncDispose]();
  });
  const hint = (nth: number) =>
    says[nth - 1]!(
      JSON.stringify({ method: 'signatureNotification', params: { subscription: 10 + nth, result: {} } }),
    );
  return {
    clock,
    feed,
    subscribed,
    hint,
    until: (count: number) => seen.until(() => subscribed.length, count),
  };
};

test('a socket closed for being idle is replaced by a new one for the next signature', async (t) => {
  const { clock, feed, subscribed, hint, until } = await open(t);
  const unwatch = feed.watch(FIRST, () => {});
  await until(1);
  unwatch();
  clock.advance(IDLE_MS);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(feed.connected, false);
  const hinted = Promise.withResolvers<void>();
  feed.watch(SECOND, hinted.resolve);
  await until(2);
  assert.deepEqual(subscribed, [FIRST, SECOND]);
  hint(2);
  await hinted.promise;
});
