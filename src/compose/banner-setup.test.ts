// Tests that the banner describes the store, limits and alerts without any secret part of a URL.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../config/config.ts';
import { describeSetup } from './banner.ts';

const setupOf = (settings: Readonly<Record<string, string>>, redis?: { ok: boolean }) => {
  const { config, secrets } = loadConfig({ HOLDFAST_DATA_DIR: '/data', ...settings });
  return describeSetup(config, secrets, redis && { ...redis, ageSeconds: null, error: null });
};

test('by default the store is a file, limits are per process and alerts are off', () => {
  assert.deepEqual(setupOf({}), {
    store: 'SQLite file /data/holdfast.db',
    limits: '100 requests per minute and client, counted only in this process',
    alerts: 'off (no destination is set)',
  });
});

test('the banner shows the database and the hosts, but no user, password, token, path or query', () => {
  const settings = {
    DATABASE_URL: 'postgres://secretUser:secretPassword@db.example:5432/stakes?password=secretQuery',
    REDIS_URL: 'redis://secretUser:secretPassword@redis.example:6379/secretPath',
    HOLDFAST_OPERATOR_WEBHOOK_URL:
      'https://secretUser:secretPassword@hook.example/secretPath?token=secretQuery',
    HOLDFAST_OPERATOR_NOTIFY_URL: 'https://secretUser@push.example:8443/secretTopic',
  };
  const setup = setupOf(settings, { ok: true });
  assert.deepEqual(setup, {
    store: 'PostgreSQL database stakes',
    limits: '100 requests per minute and client, shared through Redis (connected)',
    alerts: 'webhook at hook.example, push messages at push.example:8443',
  });
});

test('the banner reports that Redis is unreachable, and shows no database name if the URL has none', () => {
  const { limits, store } = setupOf(
    { DATABASE_URL: 'postgres://secretUser:secretPassword@db.example' },
    { ok: false },
  );
  assert.match(limits, /shared through Redis \(not responding/);
  assert.equal(store, 'PostgreSQL, default database of its user');
});
