// What runs inside Redis, each in one round trip and as one step that nothing comes between.
import { createHash } from 'node:crypto';

/** A Lua script of one key. */
export interface RedisScript {
  readonly text: string;
  /** By which the server knows it once it was sent. */
  readonly sha1: string;
}

/** A script from its text. */
export const redisScript = (text: string): RedisScript => ({
  text,
  sha1: createHash('sha1').update(text).digest('hex'),
});

/** The server's own clock, microseconds: processes need not agree on the time. */
export const SERVER_CLOCK = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]`;

/**
 * Counts a call if fewer than ARGV[1] were counted within the last ARGV[2] microseconds, the oldest included that is exactly so old.
 * Answers {1 or 0, how many more would be, microseconds until the oldest is exactly as old as the window}.
 * KEYS[1]: a list of times, oldest first. It expires by itself.
 * \`clock\` sets \`now\`; tests give it another.
 */
export const slidingWindowScript = (clock: string = SERVER_CLOCK): RedisScript =>
  redisScript(`${clock}
local key, limit, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local newest = tonumber(redis.call('LINDEX', key, -1))
if newest and newest > now then
  -- The clock was set back: a little is waited out, otherwise nobody is held to a time that is still to come.
  if newest - now > 1000000 then redis.call('DEL', key) else now = newest end
end
local oldest = tonumber(redis.call('LINDEX', key, 0))
while oldest and oldest < now - window do
  redis.call('LPOP', key)
  oldest = tonumber(redis.call('LINDEX', key, 0))
end
local count = redis.call('LLEN', key)
local allowed = 0
if count < limit then
  redis.call('RPUSH', key, string.format('%.0f', now))
  redis.call('PEXPIRE', key, string.format('%.0f', window / 1000 + 1000))
  allowed, count, oldest = 1, count + 1, oldest or now
end
return { allowed, math.max(0, limit - count), (oldest or now) + window - now }`);

/**
 * Notes that the process ARGV[1] lives, and answers how many did within the last ARGV[2] milliseconds, itself included.
 * KEYS[1]: a sorted set of processes by the time they were last heard of.
 */
export const processBeatScript = redisScript(`${SERVER_CLOCK}
redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('(%.0f', now - ARGV[2] * 1000))
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', ARGV[2] * 2))
return redis.call('ZCARD', KEYS[1])`);
