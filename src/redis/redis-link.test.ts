import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { pino } from 'pino';
import { freshPrefix, REDIS_PORT, redisMissing, withRedis } from '../../test/support/redis-server.ts';
import { createManualClock } from '../../test/support/steerable-clock.ts';
import { startTcpProxy, type TcpProxy } from '../../test/support/store-tcp-proxy.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { openRedisLink, type RedisLink } from './redis-link.ts';
import { redisScript } from './redis-scripts.ts';

const skip = await redisMissing();
const COUNT = redisScript("return redis.call('INCR', KEYS[1])");
const FAIL = redisScript("return redis.error_reply('OOM command not allowed')");

interface World {
  readonly link: RedisLink;
  /** Advances the clock on which callers wait. */
  readonly advance: (ms: number) => void;
  readonly setBack: (ms: number) => void;
  readonly proxy: TcpProxy;
  readonly log: string[];
  readonly ask: () => Promise<number | null> | null;
  /** Runs the event loop until `is` returns true. The test's own timeout ends an endless wait. */
  readonly until: (is: () => boolean) => Promise<void>;
}

/**
 * Creates a clock on which callers wait until the test advances it. The pauses between connection attempts pass
 * quickly.
 */
const testClock = (): Pick<World, 'advance' | 'setBack'> & { clock: Clock } => {
  const manual = createManualClock();
  const quick: Readonly<Record<number, number>> = { 1000: 5, 2000: 20 };
  return {
    clock: {
      now: manual.now,
      steadyNow: manual.steadyNow,
      sleep: (ms, signal) =>
        ms <= 100 ? manual.sleep(ms, signal) : systemClock.sleep(quick[ms] ?? ms, signal),
    },
    advance: manual.advance,
    setBack: manual.setBack,
  };
};

const openWorld = async (
  t: TestContext,
  { credentials = '', away = false, direct = false } = {},
): Promise<World> => {
  const proxy = await startTcpProxy(t, REDIS_PORT);
  if (away) proxy.cut();
  const { clock, advance, setBack } = testClock();
  const log: string[] = [];
  const key = `${freshPrefix()}count`;
  const link = openRedisLink({
    url: `redis://${credentials}127.0.0.1:${direct ? REDIS_PORT : proxy.port}`,
    heartbeat: async (connection) => void (await connection.command('PING')),
    clock,
    logger: pino({ level: 'debug' }, { write: (line: string) => void log.push(line) }),
  });
  t.after(async () => {
    await link.close();
    await withRedis((redis) => redis.command('DEL', key));
  });
  await link.tried;
  const until = async (is: () => boolean): Promise<void> => {
    while (!is() && !t.signal.aborted) await turnOfLoop();
  };
  return { link, advance, setBack, proxy, log, until, ask: () => link.ask<number>(COUNT, key, []) };
};

test('an available server responds to each call at once', { skip }, async (t) => {
  const { link, ask, log } = await openWorld(t);
  assert.deepEqual(await Promise.all([ask(), ask(), ask()]), [1, 2, 3]);
  assert.deepEqual([link.health().ok, link.health().error], [true, null]);
  assert.deepEqual(log, []);
});

test('a server that is down at startup is reported immediately, gets no calls, and is used once it is up', {
  skip,
}, async (t) => {
  const { link, ask, proxy, until, log } = await openWorld(t, { away: true });
  assert.equal(ask(), null);
  assert.deepEqual(
    [link.health().ok, link.health().lastResponseAtMs, link.health().error],
    [false, null, 'the connection ended'],
  );
  assert.equal(log.filter((line) => line.includes('Redis is down')).length, 1);
  for (let attempt = 0; attempt < 3; attempt += 1) await proxy.attempt();
  assert.equal(
    log.filter((line) => line.includes('Redis is down')).length,
    1,
    'the outage is logged once, not on each attempt',
  );
  proxy.mend();
  await until(() => link.health().ok);
  assert.equal(await ask(), 1);
  assert.equal(log.filter((line) => line.includes('Redis is responding again')).length, 1);
});

test('calls wait at most 100 ms for a server that falls silent, and later calls do not wait', {
  skip,
}, async (t) => {
  const { link, ask, proxy, advance, until } = await openWorld(t);
  proxy.silence();
  const first = ask();
  advance(60);
  const second = ask();
  let settled = 0;
  for (const one of [first, second]) void one?.then(() => (settled += 1));
  await turnOfLoop();
  assert.equal(settled, 0);
  advance(40);
  assert.deepEqual(await Promise.all([first, second]), [null, null]);
  assert.equal(ask(), null);
  assert.match(link.health().error ?? '', /^no response/);
  // The silent connection is then replaced by a new one.
  proxy.mend();
  await until(() => {
    advance(100);
    return link.health().error === 'no response';
  });
  await until(() => link.health().ok);
  assert.equal(await ask(), 1);
});

test('setting the clock back does not make any caller wait longer', { skip }, async (t) => {
  const { ask, proxy, advance, setBack } = await openWorld(t);
  await ask();
  advance(60);
  proxy.silence();
  const silent = ask();
  setBack(3_600_000);
  // The first call got its response, so its deadline passes without effect. Then the second call times out.
  for (const ms of [40, 100]) {
    advance(ms);
    await turnOfLoop();
    await turnOfLoop();
  }
  assert.equal(await silent, null);
});

test('responses that arrive in time count as in time even if this process reads them later', {
  skip,
}, async (t) => {
  const { link, ask, advance, until } = await openWorld(t, { direct: true });
  // The server may need any amount of time on a busy machine. If a response arrives too late, the loop tries
  // again with a longer time.
  for (let busyMs = 20n, response: number | null = null; response === null; busyMs += 20n) {
    await until(() => link.health().ok);
    const asked = ask();
    // The request is sent and the response arrives, although the time is already up.
    await turnOfLoop();
    const freeAt = process.hrtime.bigint() + busyMs * 1_000_000n;
    while (process.hrtime.bigint() < freeAt);
    advance(100);
    response = await asked;
  }
  assert.ok(link.health().ok);
});

test('a connection that ends midway yields no wrong response and is reopened', { skip }, async (t) => {
  const { link, ask, proxy, until } = await openWorld(t);
  const asked = Array.from({ length: 50 }, ask);
  proxy.cut();
  for (const one of await Promise.all(asked)) assert.ok(one === null || one >= 1);
  await until(() => !link.health().ok);
  assert.equal(ask(), null);
  proxy.mend();
  await until(() => link.health().ok);
  assert.ok(((await ask()) ?? 0) >= 1);
});

test("a refusal counts as no response, and the reason is reported without the server's text", {
  skip,
}, async (t) => {
  const { link, ask } = await openWorld(t);
  assert.equal(await link.ask(FAIL, 'key', []), null);
  assert.equal(link.health().error, 'the server refuses calls: OOM');
  assert.equal(ask(), null);
});

test('rejected credentials are reported as such and never appear in the log', { skip }, async (t) => {
  const { link, log } = await openWorld(t, { credentials: 'someUser:hunter22@' });
  assert.equal(link.health().error, 'the credentials were rejected');
  assert.equal(/someUser|hunter22/.test(log.join('')), false);
  assert.ok(log.length > 0);
});

test('a server that accepts the connection but never responds delays neither startup nor shutdown', async (t) => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on('error', () => {}))).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const clock = createManualClock();
  const link = openRedisLink({
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heartbeat: async (connection) => void (await connection.command('PING')),
    clock,
    logger: pino({ level: 'silent' }),
  });
  await once(server, 'connection');
  clock.advance(1_500);
  await link.tried;
  assert.deepEqual([link.ask(COUNT, 'key', []), link.health().error], [null, 'no response']);
  await link.close(async (connection) => connection.command('PING'));
});
