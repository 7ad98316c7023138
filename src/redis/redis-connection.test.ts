// One connection to a real Redis server: a script is sent once and then called by its hash, and outage
// reasons contain no part of the URL.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshPrefix, REDIS_URL, redisMissing } from '../../test/support/redis-server.ts';
import { systemClock } from '../kernel/clock.ts';
import { connectRedis, noResponse, redisErrorWords } from './redis-connection.ts';
import { redisScript } from './redis-scripts.ts';

const skip = await redisMissing();

test('a script that the server does not know is sent in full once, and runs each time', {
  skip,
}, async (t) => {
  const connection = await connectRedis(REDIS_URL, 10_000, systemClock);
  t.after(connection.end);
  const key = freshPrefix();
  // No server has seen this script before.
  const script = redisScript(`return redis.call('INCRBY', KEYS[1], ARGV[1]) -- ${key}`);
  const known = () => connection.command('SCRIPT', 'EXISTS', script.sha1);
  assert.deepEqual(await known(), [0]);
  assert.deepEqual(
    [await connection.run(script, key, ['2']), await connection.run(script, key, ['3'])],
    [2, 5],
  );
  assert.deepEqual(await known(), [1]);
  await connection.command('DEL', key);
});

test('a command that the server refuses rejects with its reason, and the connection stays usable', {
  skip,
}, async (t) => {
  const connection = await connectRedis(REDIS_URL, 10_000, systemClock);
  t.after(connection.end);
  const broken = redisScript(`return redis.call('LPUSH', KEYS[1])`);
  await assert.rejects(connection.run(broken, freshPrefix(), []));
  assert.equal(await connection.command('PING'), 'PONG');
  assert.equal(connection.ended.aborted, false);
  connection.end();
  connection.end();
  await assert.rejects(connection.command('PING'));
});

test('a script that fails is not sent in full and run a second time', { skip }, async (t) => {
  const connection = await connectRedis(REDIS_URL, 10_000, systemClock);
  t.after(connection.end);
  const key = freshPrefix();
  const script = redisScript(
    `redis.call('INCR', KEYS[1]) return redis.error_reply('BROKEN on purpose') -- ${key}`,
  );
  await assert.rejects(connection.run(script, key, []), /BROKEN/);
  await assert.rejects(connection.run(script, key, []), /BROKEN/);
  assert.equal(await connection.command('GET', key), '2');
  await connection.command('DEL', key);
});

test('a connection closed by the server is reported as ended, without other effects', { skip }, async (t) => {
  const [connection, other] = await Promise.all([
    connectRedis(REDIS_URL, 10_000, systemClock),
    connectRedis(REDIS_URL, 10_000, systemClock),
  ]);
  t.after(other.end);
  const ended = new Promise((resolve) => connection.ended.addEventListener('abort', resolve));
  await other.command('CLIENT', 'KILL', 'ID', String(await connection.command('CLIENT', 'ID')));
  await ended;
  await assert.rejects(connection.command('PING'));
  connection.end();
  assert.equal(await other.command('PING'), 'PONG');
});

test('the reason for an outage is given in fixed words and never as the text of the error', () => {
  const coded = (code: string, message = 'connect redis://user:pass@host') =>
    Object.assign(new Error(message), { code });
  for (const [error, words] of [
    [coded('ECONNREFUSED'), 'the connection was refused'],
    [coded('ENOTFOUND'), 'the host name could not be resolved'],
    [coded('EAI_AGAIN'), 'the host name could not be resolved'],
    [coded('ECONNRESET'), 'the connection was reset'],
    [noResponse(), 'no response'],
    [new Error('Connection timeout'), 'no response'],
    [new Error('WRONGPASS invalid username-password pair'), 'the credentials were rejected'],
    [new Error('NOAUTH Authentication required.'), 'the credentials were rejected'],
    [new Error("NOPERM User user has no permissions to run 'evalsha'"), 'the credentials were rejected'],
    [new Error("OOM command not allowed when used memory > 'maxmemory'."), 'the server refuses calls: OOM'],
    [new Error('READONLY You can not write'), 'the server refuses calls: READONLY'],
    [coded('EPROTO'), 'the connection ended'],
    [new Error('Socket closed unexpectedly'), 'the connection ended'],
    [{}, 'the connection ended'],
  ] as const)
    assert.equal(redisErrorWords(error), words);
});
