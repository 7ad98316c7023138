// Tests signatures against the official verifier and against an independently computed value.
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { signatureHeaders } from './sign-webhook.ts';

const written = (secret: Uint8Array): string => `whsec_${Buffer.from(secret).toString('base64')}`;
const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

test('the Standard Webhooks reference example produces its published signature', () => {
  // From the reference libraries' own tests (standard-webhooks/standard-webhooks).
  const headers = signatureHeaders(
    { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestampSeconds: 1_614_265_330, body: '{"test": 2432232314}' },
    [Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')],
  );
  assert.deepEqual(headers, {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('while two secrets are valid, receivers with either of them accept the signature, and others refuse it', () => {
  const [newest, former, foreign] = [randomBytes(32), randomBytes(32), randomBytes(32)];
  const body = '{"grüße":"§"}';
  const headers = signatureHeaders({ id: 'evt_1', timestampSeconds: nowSeconds(), body }, [newest, former]);
  assert.match(headers['webhook-signature'], /^v1,[\w+/]{43}= v1,[\w+/]{43}=$/);
  for (const secret of [newest, former])
    assert.deepEqual(new Webhook(written(secret)).verify(body, headers), JSON.parse(body));
  assert.throws(() => new Webhook(written(foreign)).verify(body, headers), /No matching signature/);
});

test('any content and secret yield the same signature as `createHmac`', () => {
  const secrets = [0, 1, 31, 32, 63, 64, 65, 200].map((length) => new Uint8Array(randomBytes(length)));
  // Lengths close to the hash's block size and long texts, with one to four bytes per character.
  const lengths = [0, 1, 20, 55, 56, 63, 64, 65, 300, 16_300, 16_340, 16_360, 16_384, 20_000];
  for (const letter of ['a', 'é', '€', '😀', '\ud800'])
    for (const length of lengths) {
      const body = letter.repeat(length / letter.length);
      const headers = signatureHeaders({ id: 'evt_1', timestampSeconds: 1_614_265_330, body }, secrets);
      const content = `evt_1.1614265330.${body}`;
      assert.deepEqual(
        headers['webhook-signature'].split(' '),
        secrets.map((secret) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`),
      );
    }
});
