// Lua scripts that Redis runs atomically, each in one round trip.
import { createHash } from 'node:crypto';
import { SITE_SHARES } from '../kernel/network/client-network.ts';

/** A Lua script. */
export interface RedisScript {
  readonly text: string;
  /** The SHA-1 under which the server caches the script. */
  readonly sha1: string;
}

export const redisScript = (text: string): RedisScript => ({
  text,
  sha1: createHash('sha1').update(text).digest('hex'),
});

/** Reads the server's own clock in microseconds, so processes do not need synchronized clocks. */
const SERVER_CLOCK = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]`;

/**
 * Counts a call for each of KEYS if every key has room: fewer calls than its limit within the last ARGV[2]
 * microseconds, including a call that is exactly that old. The limit of KEYS[1], the client, is ARGV[1]; that
 * of KEYS[2], its site, is `SITE_SHARES` times as high. Returns {1 or 0, further calls allowed, microseconds
 * until the oldest is exactly as old as the window} for the key with the least room. KEYS are lists of times,
 * oldest first. They expire automatically. `clock` sets `now`; tests replace it.
 */
export const slidingWindowScript = (clock: string = SERVER_CLOCK): RedisScript =>
  redisScript(`${clock}
local window = tonumber(ARGV[2])
local starts, counts, oldests = {}, {}, {}
local allowed, tight = 1, 1
local function left(index)
  return math.max(0, tonumber(ARGV[1]) * (index == 1 and 1 or ${SITE_SHARES}) - counts[index])
end
for index, key in ipairs(KEYS) do
  local at = now
  local newest = tonumber(redis.call('LINDEX', key, -1))
  if newest and newest > at then
    -- The clock was set back. Up to one second, keep counting from the newest time; beyond that, forget the key, so
    -- that no client waits for a time in the future.
    if newest - at > 1000000 then redis.call('DEL', key) else at = newest end
  end
  local oldest = tonumber(redis.call('LINDEX', key, 0))
  while oldest and oldest < at - window do
    redis.call('LPOP', key)
    oldest = tonumber(redis.call('LINDEX', key, 0))
  end
  starts[index], counts[index], oldests[index] = at, redis.call('LLEN', key), oldest or at
  if left(index) < left(tight) then tight = index end
  if left(index) == 0 then allowed = 0 end
end
if allowed == 1 then
  for index, key in ipairs(KEYS) do
    redis.call('RPUSH', key, string.format('%.0f', starts[index]))
    redis.call('PEXPIRE', key, string.format('%.0f', window / 1000 + 1000))
    counts[index] = counts[index] + 1
  end
end
return { allowed, left(tight), oldests[tight] + window - starts[tight] }`);

/**
 * Records a heartbeat of the process ARGV[1]. Returns how many processes, including this one, have sent one
 * within the last ARGV[2] milliseconds. KEYS[1] is a sorted set of processes by their last heartbeat.
 */
export const processBeatScript = redisScript(`${SERVER_CLOCK}
redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('(%.0f', now - ARGV[2] * 1000))
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', ARGV[2] * 2))
return redis.call('ZCARD', KEYS[1])`);
