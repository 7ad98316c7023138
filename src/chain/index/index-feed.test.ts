// A subscription is only live while messages arrive, only well-formed notifications are passed on, and a
// failed node is replaced by the next one.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Address } from '@solana/kit';
import { createRequestWatch } from '../../../test/support/await-requests.ts';
import { type SocketScript, startScriptedSocket } from '../../../test/support/scripted-socket.ts';
import { createManualClock } from '../../../test/support/steerable-clock.ts';
import { STAKE_PROGRAM } from '../../domain/instruction-programs.ts';
import { createLogger } from '../../kernel/log/logger.ts';
import type { ChainAccount } from '../ports.ts';
import { createIndexFeed } from './index-feed.ts';

const VOTE = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' as Address;
const SILENCE_MS = 30_000;
const ACCOUNT = { data: ['AQ==', 'base64'], lamports: 5, owner: STAKE_PROGRAM, space: 1 };
const confirmed = (id: number): string => JSON.stringify({ jsonrpc: '2.0', id, result: 20 + id });
const slotNews = (slot: unknown): string =>
  JSON.stringify({ method: 'slotNotification', params: { result: { slot, parent: 1 }, subscription: 22 } });
const accountNews = (slot: unknown, account: unknown = ACCOUNT, pubkey: unknown = VOTE): string =>
  JSON.stringify({
    method: 'programNotification',
    params: { result: { context: { slot }, value: { pubkey, account } }, subscription: 21 },
  });

/** Confirms every request. */
const obliging: SocketScript = (text, send) => send(confirmed(JSON.parse(text).id));

/** Opens a feed with one node per script. `until` resolves once the events so far satisfy the condition. */
const open = async (t: TestContext, scripts: readonly SocketScript[]) => {
  const clock = createManualClock();
  const asked: { node: number; method: string; params: readonly unknown[] }[] = [];
  const seen: { slots: bigint[]; accounts: [ChainAccount, bigint][]; live: boolean[] } = {
    slots: [],
    accounts: [],
    live: [],
  };
  const watch = createRequestWatch();
  const nodes = await Promise.all(
    scripts.map((script, node) =>
      startScriptedSocket((text, send) => {
        const { method, params } = JSON.parse(text);
        asked.push({ node, method, params });
        script(text, send);
        watch.notify();
      }),
    ),
  );
  const feed = createIndexFeed({
    wsUrls: nodes.map(({ url }) => url),
    voteAccount: VOTE,
    clock,
    logger: createLogger('silent'),
    silenceMs: SILENCE_MS,
    onAccount: (account, slot) => {
      seen.accounts.push([account, slot]);
      watch.notify();
    },
    onSlot: (slot) => {
      seen.slots.push(slot);
      watch.notify();
    },
    onState: () => {
      seen.live.push(feed.live);
      watch.notify();
    },
  });
  t.after(async () => {
    await feed.close();
    for (const node of nodes) await node[Symbol.asyncDispose]();
  });
  const until = (isSo: () => boolean) => watch.until(() => (isSo() ? 1 : 0), 1);
  return { feed, asked, seen, clock, until };
};

test('the feed is live once both subscriptions are confirmed, in either order; the same confirmation twice is not enough', async (t) => {
  const state = { send: (_text: string) => {} };
  const { feed, asked, seen, until } = await open(t, [
    (_text, send) => {
      state.send = send;
    },
  ]);
  await until(() => asked.length === 2);
  assert.deepEqual(
    asked.map(({ method }) => method),
    ['programSubscribe', 'slotSubscribe'],
  );
  assert.equal(asked[0]?.params[0], STAKE_PROGRAM);
  for (const text of [confirmed(2), confirmed(2), confirmed(3), slotNews(7)]) state.send(text);
  await until(() => seen.slots.length === 1);
  assert.deepEqual(
    [feed.live, feed.session, seen.live],
    [false, 0, []],
    'slots are reported even before the subscription is live',
  );
  state.send(confirmed(1));
  await until(() => seen.live.length === 1);
  assert.deepEqual([feed.live, feed.session], [true, 1]);
});

test('malformed notifications are ignored, and the subscription stays live', async (t) => {
  const most = '{"method":"slotNotification","params":{"result":{"slot":18446744073709551615}}}';
  const { seen, until, feed } = await open(t, [
    (text, send) => {
      obliging(text, send);
      if (JSON.parse(text).id !== 2) return;
      for (const nonsense of ['', 'null', '[]', '{', '7', '{"method":"slotNotification"}', slotNews(-1)])
        send(nonsense);
      for (const slot of [1.5, '7', null, -1]) send(accountNews(slot));
      for (const account of [null, { ...ACCOUNT, lamports: -1 }, { ...ACCOUNT, data: 'AQ==' }])
        send(accountNews(7, account));
      for (const key of ['', 'x', null, 5]) send(accountNews(7, ACCOUNT, key));
      send(most.replace('615', '616'));
      send(accountNews(8));
      send(most);
    },
  ]);
  await until(() => seen.slots.length > 0);
  assert.deepEqual(seen.slots, [2n ** 64n - 1n]);
  assert.deepEqual(seen.accounts, [
    [{ address: VOTE, owner: STAKE_PROGRAM, lamports: 5n, data: Uint8Array.of(1) }, 8n],
  ]);
  assert.equal(feed.live, true);
});

test('a node that refuses the subscription is replaced by the next after a pause that doubles, and only live sessions are counted', async (t) => {
  const refusing: SocketScript = (text, send) =>
    send(JSON.stringify({ id: JSON.parse(text).id, error: { code: -32601, message: 'no' } }));
  const { feed, asked, seen, clock, until } = await open(t, [refusing, refusing, obliging]);
  const paused = async (ms: number) => {
    while (!clock.due().includes(ms)) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(ms);
  };
  await paused(250);
  await paused(500);
  await until(() => feed.live);
  assert.deepEqual(new Set(asked.map(({ node }) => node)), new Set([0, 1, 2]));
  assert.deepEqual([feed.session, seen.live], [1, [true]]);
});

test('a node that falls silent is dropped even if it sent messages before, and the next session begins after a short pause', async (t) => {
  const { feed, seen, clock, until } = await open(t, [obliging]);
  await until(() => feed.live);
  const heardAtMs = feed.heardAtMs;
  clock.advance(SILENCE_MS - 1);
  assert.equal(feed.live, true);
  clock.advance(1);
  await until(() => seen.live.length === 2);
  assert.deepEqual([feed.live, feed.heardAtMs], [false, heardAtMs]);
  while (!clock.due().includes(250)) await new Promise((resolve) => setImmediate(resolve));
  clock.advance(250);
  await until(() => feed.live);
  assert.deepEqual([feed.session, seen.live], [2, [true, false, true]]);
});

test('every message restarts the silence timeout', async (t) => {
  const state = { send: (_text: string) => {} };
  const { feed, seen, clock, until } = await open(t, [
    (text, send) => {
      state.send = send;
      obliging(text, send);
    },
  ]);
  await until(() => feed.live);
  clock.advance(SILENCE_MS - 1);
  state.send(slotNews(7));
  await until(() => seen.slots.length === 1);
  clock.advance(SILENCE_MS - 1);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(feed.live, true);
  assert.equal(feed.heardAtMs, clock.now() - SILENCE_MS + 1);
});

test('close ends a live feed; a feed without nodes is never live', async (t) => {
  const { feed, seen, clock, until } = await open(t, [obliging]);
  await until(() => feed.live);
  await feed.close();
  assert.deepEqual([feed.live, seen.live], [false, [true, false]]);
  assert.deepEqual(clock.due(), []);
  const { feed: none, clock: still } = await open(t, []);
  await none.close();
  assert.deepEqual([none.live, none.session, still.due()], [false, 0, []]);
});
