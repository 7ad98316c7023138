// Checks the older transport, HTTP+SSE: the number of streams is limited, and streams end with their client or
// with the service and leave nothing behind.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMcpFixture } from '../support/mcp-fixture.ts';
import { toolMessage } from '../support/mcp-rpc.ts';
import { openMcpStream } from '../support/mcp-stream.ts';
import { createManualClock } from '../support/steerable-clock.ts';
import { newWallet } from '../support/wallets.ts';

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise<void>((resolve) => setImmediate(resolve));
};

const wait = (id: number): string => toolMessage('legacy', 'wait', '{}', id);
const sign = (id: number, secretKey: string): string =>
  toolMessage('legacy', 'sign', JSON.stringify({ secretKey }), id);

test('a call reaches its stream, which carries the response', async (t) => {
  const { url } = await startMcpFixture(t);
  const [one, two] = [await openMcpStream(t, url), await openMcpStream(t, url)];
  const [first, second] = [one.response(1), two.response(1)];
  const responses = await Promise.all([
    one.post(toolMessage('legacy', 'wait', '{"amountSol":1}', 1)),
    two.post(toolMessage('legacy', 'wait', '{"fail":"app"}', 1)),
  ]);
  assert.deepEqual(
    responses.map(({ status }) => status),
    [202, 202],
  );
  assert.equal((await first).result.structuredContent.memo, 'abc d');
  assert.equal((await second).result.isError, true);
});

test('stream ids cannot be guessed, because each has 122 random bits, and none occurs twice', async (t) => {
  const { url } = await startMcpFixture(t, { limits: { perClient: 50, inAll: 50 } });
  const streams = await Promise.all(Array.from({ length: 50 }, () => openMcpStream(t, url)));
  const ids = streams.map(({ endpoint }) => endpoint.searchParams.get('sessionId') ?? '');
  assert.equal(new Set(ids).size, 50);
  for (const id of ids)
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('200 dropped streams, half of them with a running call and a key, leave no memory behind', async (t) => {
  const gate = Promise.withResolvers<void>();
  const mcp = await startMcpFixture(t, {
    gate: { open: gate.promise, entered: () => {} },
    limits: { perClient: 20, inAll: 20 },
  });
  const { secretKey } = newWallet();
  for (let round = 0; round < 10; round += 1) {
    const streams = await Promise.all(Array.from({ length: 20 }, () => openMcpStream(t, mcp.url)));
    assert.equal(mcp.streams(), 20);
    const busy = streams.filter((_stream, at) => at % 2 === 0);
    for (const { post } of busy) assert.equal((await post(sign(1, secretKey))).status, 202);
    await until(() => mcp.seen.length === (round + 1) * busy.length);
    for (const { drop } of streams) drop();
    await until(() => mcp.streams() === 0);
  }
  assert.equal(mcp.seen.length, 100);
  assert.ok(
    mcp.seen.every(({ secret, signal }) => secret?.wiped && signal.aborted),
    'keys are wiped and calls are abandoned, even while they are still running',
  );
  gate.resolve();
});

test('streams in use are limited per client and in total, an unused stream makes room, and a stream above the limit gets a 429', async (t) => {
  const mcp = await startMcpFixture(t, { limits: { perClient: 2, inAll: 200 } });
  const first = await openMcpStream(t, mcp.url);
  await openMcpStream(t, mcp.url);
  await assert.rejects(openMcpStream(t, mcp.url), /429/);
  first.drop();
  await until(() => mcp.streams() === 1);
  await openMcpStream(t, mcp.url);
  const [gate, entered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const crowded = await startMcpFixture(t, {
    limits: { perClient: 10, inAll: 1 },
    gate: { open: gate.promise, entered: () => entered.resolve() },
  });
  const unused = await openMcpStream(t, crowded.url);
  const used = await openMcpStream(t, crowded.url);
  await unused.ended;
  await used.post(wait(1));
  await entered.promise;
  const refused = await fetch(new URL('/mcp/sse', crowded.url));
  assert.equal(refused.status, 429);
  const body = (await refused.json()) as { errorCode: string; suggestedAction: string };
  assert.equal(body.errorCode, 'RATE_LIMITED');
  assert.match(body.suggestedAction, /Streamable HTTP/);
  gate.resolve();
});

test('messages count towards the shared rate limit', async (t) => {
  const { url } = await startMcpFixture(t, { config: { rateLimit: 3 } });
  const { post } = await openMcpStream(t, url);
  const statuses = [];
  for (const id of [1, 2, 3]) statuses.push((await post(wait(id))).status);
  assert.deepEqual(statuses, [202, 202, 429]);
  assert.equal((await fetch(new URL('/cached', url))).status, 429, 'REST shares it');
});

test('messages are refused if they belong to no stream, are unreadable or invalid, or have the id of a running call', async (t) => {
  const gate = Promise.withResolvers<void>();
  const { url, seen } = await startMcpFixture(t, { gate: { open: gate.promise, entered: () => {} } });
  const { post, endpoint, response } = await openMcpStream(t, url);
  const strange = new URL(endpoint);
  strange.searchParams.set('sessionId', crypto.randomUUID());
  const headers = { 'content-type': 'application/json' };
  assert.equal((await fetch(strange, { method: 'POST', headers, body: wait(1) })).status, 404);
  assert.equal((await post('{"MARKED')).status, 400);
  assert.equal((await post('{"jsonrpc":"2.0","nothing":1}')).status, 400);
  assert.equal((await post(`[${wait(1)}]`)).status, 400);
  assert.equal((await post(wait(1), { 'content-type': 'text/plain' })).status, 415);
  const answered = response(5);
  assert.equal((await post(wait(5))).status, 202);
  assert.equal((await post(wait(5))).status, 400);
  gate.resolve();
  await answered;
  assert.equal(seen.length, 1);
});

test('more than 32 concurrent calls on one stream are refused', async (t) => {
  const gate = Promise.withResolvers<void>();
  const { url } = await startMcpFixture(t, { gate: { open: gate.promise, entered: () => {} } });
  const { post, response } = await openMcpStream(t, url);
  for (let id = 0; id < 32; id += 1) assert.equal((await post(wait(id))).status, 202);
  assert.equal((await post(wait(32))).status, 429);
  const last = response(31);
  gate.resolve();
  await last;
  assert.equal((await post(wait(33))).status, 202);
});

test('a canceled call frees its slot although it never gets a response', async (t) => {
  const gate = Promise.withResolvers<void>();
  const { url, seen } = await startMcpFixture(t, { gate: { open: gate.promise, entered: () => {} } });
  const { post, response } = await openMcpStream(t, url);
  assert.equal((await post(wait(1))).status, 202);
  await until(() => seen.length === 1);
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  assert.equal((await post(JSON.stringify(cancel))).status, 202);
  await until(() => seen[0]!.signal.aborted);
  gate.resolve();
  const again = response(1);
  while ((await post(wait(1))).status !== 202) await new Promise<void>((resolve) => setImmediate(resolve));
  assert.ok((await again).result);
});

test('a secret key exists only while its call runs, and is wiped before the next call', async (t) => {
  const { url, seen } = await startMcpFixture(t);
  const { post, response } = await openMcpStream(t, url);
  const answered = response(1);
  await post(sign(1, newWallet().secretKey));
  assert.equal((await answered).result.structuredContent.keyBytes, 64);
  await until(() => seen[0]!.secret!.wiped);
});

test('a shutdown ends idle streams immediately, responds to running calls and refuses new ones', async (t) => {
  const gate = Promise.withResolvers<void>();
  const entered = Promise.withResolvers<void>();
  const mcp = await startMcpFixture(t, { gate: { open: gate.promise, entered: entered.resolve } });
  const idle = await openMcpStream(t, mcp.url);
  const busy = await openMcpStream(t, mcp.url);
  const answered = busy.response(1);
  await busy.post(wait(1));
  await entered.promise;
  const closed = mcp.close();
  // If the shutdown did not end them, both streams would delay it until its grace period ends, which is longer
  // than this test may run.
  await idle.ended;
  gate.resolve();
  assert.equal((await answered).result.structuredContent.memo, 'abc d');
  await busy.ended;
  await closed;
  assert.equal(mcp.streams(), 0);
});

test('a stream sends a keep-alive every 15 seconds, and ends after an hour without a call', async (t) => {
  const clock = createManualClock();
  const { url, streams } = await startMcpFixture(t, { clock });
  const stream = await openMcpStream(t, url);
  let ended = false;
  void stream.ended.then(() => {
    ended = true;
  });
  // Each keep-alive reaches the client before the next is due, so the test notices a stream that ends early.
  for (let beat = 1; beat < 240; beat += 1) {
    clock.advance(15_000);
    await until(() => ended || stream.beats() === beat);
    assert.deepEqual([ended, stream.beats(), streams()], [false, beat, 1]);
    await clock.sleeping();
  }
  clock.advance(15_000);
  await stream.ended;
  assert.equal(stream.beats(), 239);
  await until(() => streams() === 0);
});

test('a call on a stream restarts the hour after which an idle stream ends', async (t) => {
  const clock = createManualClock();
  const { url } = await startMcpFixture(t, { clock });
  const stream = await openMcpStream(t, url);
  let ended = false;
  void stream.ended.then(() => {
    ended = true;
  });
  const pass = async (beats: number): Promise<void> => {
    for (let left = beats; left > 0; left -= 1) {
      const next = stream.beats() + 1;
      clock.advance(15_000);
      await until(() => ended || stream.beats() === next);
      assert.equal(ended, false);
      await clock.sleeping();
    }
  };
  await pass(200);
  const answered = stream.response(1);
  assert.equal((await stream.post(wait(1))).status, 202);
  await answered;
  await pass(239);
  clock.advance(15_000);
  await stream.ended;
});

const behind = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });
const PROXIED = { config: { trustedProxies: ['127.0.0.1'] } };

test('a stream accepts messages only from the client that opened it, even if others learn its id', async (t) => {
  const { url, seen } = await startMcpFixture(t, PROXIED);
  const stream = await openMcpStream(t, url, behind('192.0.2.1'));
  const foreign = await stream.post(wait(1), behind('192.0.2.2'));
  assert.equal(foreign.status, 404);
  assert.equal(((await foreign.json()) as { errorCode: string }).errorCode, 'NOT_FOUND');
  assert.equal(seen.length, 0);
  const answered = stream.response(1);
  assert.equal((await stream.post(wait(1))).status, 202);
  await answered;
  // Another address in the same /64 counts as the same client, because privacy addresses change.
  const home = await openMcpStream(t, url, behind('2001:db8:1:2::3'));
  assert.equal((await home.post(wait(1), behind('2001:db8:1:2::4'))).status, 202);
  assert.equal((await home.post(wait(2), behind('2001:db8:1:3::3'))).status, 404);
});

test('the networks of one IPv6 /48 share a limited part of the streams', async (t) => {
  const { url } = await startMcpFixture(t, { ...PROXIED, limits: { perSite: 3 } });
  for (const network of [1, 2, 3]) await openMcpStream(t, url, behind(`2001:db8:1:${network}::1`));
  await assert.rejects(openMcpStream(t, url, behind('2001:db8:1:4::1')), /429/);
  await openMcpStream(t, url, behind('2001:db8:2:4::1'));
  await openMcpStream(t, url, behind('192.0.2.1'));
});
