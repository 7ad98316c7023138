// Checks that the banner of a real start names the store, the limits and the alerts, and prints no secret from
// the settings.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../support/service-fixture.ts';

const SECRETS = ['secretUser', 'secretPassword', 'secretPath', 'secretQuery', 'secretTopic'];

test('the banner describes a start without Redis and with two alert destinations', async (t) => {
  const { process, dataDir } = await startService(t, {
    // Nothing listens on port 1.
    REDIS_URL: 'redis://secretUser:secretPassword@127.0.0.1:1/7',
    HOLDFAST_OPERATOR_WEBHOOK_URL:
      'https://secretUser:secretPassword@hook.invalid/secretPath?token=secretQuery',
    HOLDFAST_OPERATOR_NOTIFY_URL: 'https://push.invalid/secretTopic',
    HOLDFAST_METRICS_PORT: '0',
    HOLDFAST_OPERATOR_PORT: '0',
  });
  const [printed] = await process.output(/Holdfast is ready: [\s\S]*Alerts .*\n/);
  for (const line of [
    `  Store      SQLite file ${dataDir}/holdfast.db\n`,
    '  Limits     100 requests per minute and client, shared through Redis (not responding',
    '  Alerts     webhook at hook.invalid, push messages at push.invalid\n',
  ])
    assert.ok(printed.includes(line), line);
  for (const secret of SECRETS) assert.ok(!(process.stdout + process.stderr).includes(secret), secret);
});
