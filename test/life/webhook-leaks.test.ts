// Checks that a webhook's secret and the private parts of its callback URL never leak: each appears in a single
// response, and otherwise only in the store.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sharedServiceProcess } from '../support/service-fixture.ts';
import { registration, webhookCalls } from '../support/webhook-calls.ts';

const shared = sharedServiceProcess({ before, after }, { settings: { LOG_LEVEL: 'trace' } });
const { call, register } = webhookCalls(() => shared().service.url);
const WEBHOOKS = '/api/v1/webhooks';
const PRIVATE = 'a-token-of-the-receiver';

/** Returns a secret's bytes in the common encodings. */
const spellings = (secret: string): readonly string[] => {
  const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return [secret.slice('whsec_'.length), bytes.toString('hex'), bytes.toString('base64url')];
};

test('webhook secrets and callback URLs never appear in logs or in responses to other callers', async () => {
  const { service } = shared();
  const callbackUrl = `https://hooks.example.invalid/${PRIVATE}`;
  const secrets: string[] = [];
  const responses: string[] = [];
  const ask = async (...parts: Parameters<typeof call>) => {
    const response = await call(...parts);
    responses.push(JSON.stringify(response.body));
    return response.body;
  };
  for (let count = 0; count < 3; count += 1) {
    const { id, secret, walletAddress } = await register({ callbackUrl });
    const path = `${WEBHOOKS}/${id}`;
    const { secret: rotated } = (await call('POST', `${path}/rotate-secret`, { secret })).body;
    secrets.push(secret, rotated);
    await ask('POST', `${path}/ping`, { secret: rotated });
    await ask('GET', `${path}/deliveries`, { secret: rotated });
    await ask('GET', `${WEBHOOKS}/${walletAddress}`);
    await ask('POST', `${path}/replay`, { secret: rotated, body: { eventId: secret } });
    await ask('POST', `${path}/replay`, { secret: rotated, body: { from: secret } });
    await ask('POST', `${WEBHOOKS}/${secret}/ping`, { secret });
    await ask('GET', `${WEBHOOKS}/${secret}`, { secret });
    await ask('DELETE', `${path}?walletAddress=${encodeURIComponent(secret)}`, { secret });
    await ask('DELETE', `${path}?walletAddress=${walletAddress}`, { secret });
    await ask('POST', WEBHOOKS, { body: registration({ callbackUrl, events: [secret] }) });
    await ask('POST', WEBHOOKS, {
      body: registration({ callbackUrl: `http://${PRIVATE}.example.invalid/${PRIVATE}` }),
    });
    await fetch(`${service.url}${path}/ping`, {
      method: 'POST',
      headers: { authorization: `Basic ${secret}`, 'content-type': 'application/json' },
      body: `{"secret":"${secret}"`,
    }).then(async (response) => responses.push(await response.text()));
  }
  const files = readdirSync(service.dataDir).map((name) =>
    readFileSync(join(service.dataDir, name)).toString('latin1'),
  );
  const printed = service.process.stdout + service.process.stderr;
  assert.ok(printed.includes('registerWebhook'), 'the log is complete');
  assert.ok(
    files.some((text) => text.includes(PRIVATE)),
    'the store contains the callback URL',
  );
  const places = [printed, ...responses, ...files];
  for (const secret of secrets)
    for (const spelling of spellings(secret))
      for (const place of places) assert.ok(!place.includes(spelling), place.slice(0, 300));
  for (const place of [printed, ...responses]) assert.ok(!place.includes(PRIVATE), place.slice(0, 300));
});
