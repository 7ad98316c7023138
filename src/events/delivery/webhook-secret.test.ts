import assert from 'node:assert/strict';
import { hkdfSync } from 'node:crypto';
import { test } from 'node:test';
import { getBase58Encoder } from '@solana/kit';
import { Webhook } from 'standardwebhooks';
import { SecretBytes } from '../../kernel/secret-bytes.ts';
import { signatureHeaders } from './sign-webhook.ts';
import { createWebhookSecrets, ROTATION_OVERLAP_MS, type SecretOwner } from './webhook-secret.ts';

const GENESIS = 'GH7ome3EiwEr7tu9JuTh2dpYWBJK3z69Xm1ZE3MEE6JC';
const NOW_MS = 1_800_000_000_000;

const serverSecret = (fill = 7): SecretBytes => SecretBytes.take(new Uint8Array(32).fill(fill));
const secrets = createWebhookSecrets(serverSecret(), GENESIS);
const owner = (overrides: Partial<SecretOwner> = {}): SecretOwner => ({
  id: '000102030405060708090a0b0c0d0e0f',
  secretGeneration: 0,
  rotatedAtMs: null,
  ...overrides,
});

const newest = (of: SecretOwner, by = secrets): string => by.of(of, NOW_MS)[0] as string;

test('a secret is 32 bytes of HKDF-SHA256 over the server secret, cluster, registration and generation', () => {
  // Written out instead of calling the production helper, because derived secrets must never change.
  const part = (text: string): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(text.length);
    return Buffer.concat([length, Buffer.from(text)]);
  };
  const info = Buffer.concat([part('webhook'), part(owner().id), part('3')]);
  const expected = hkdfSync(
    'sha256',
    new Uint8Array(32).fill(7),
    new Uint8Array(getBase58Encoder().encode(GENESIS)),
    info,
    32,
  );
  const third = owner({ secretGeneration: 3, rotatedAtMs: 0 });
  assert.deepEqual(secrets.of(third, NOW_MS), [`whsec_${Buffer.from(expected).toString('base64')}`]);
  assert.deepEqual(secrets.bytesOf(third, NOW_MS), [new Uint8Array(expected)]);
});

test('a different registration, generation, cluster or server secret yields a different secret', () => {
  const all = [
    newest(owner()),
    newest(owner({ id: 'f'.repeat(32) })),
    newest(owner({ secretGeneration: 1, rotatedAtMs: 0 })),
    newest(owner(), createWebhookSecrets(serverSecret(), '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d')),
    newest(owner(), createWebhookSecrets(serverSecret(8), GENESIS)),
  ];
  assert.equal(new Set(all).size, all.length);
  assert.equal(newest(owner(), createWebhookSecrets(serverSecret(), GENESIS)), all[0], 'replicas agree');
});

test('after a rotation only the new and the previous secret are valid, for exactly 24 hours', () => {
  const rotated = owner({ secretGeneration: 2, rotatedAtMs: NOW_MS });
  const generation = (secretGeneration: number): string => newest(owner({ secretGeneration }));
  const both = [generation(2), generation(1)];
  assert.deepEqual(secrets.of(rotated, NOW_MS), both);
  assert.deepEqual(secrets.of(rotated, NOW_MS + ROTATION_OVERLAP_MS - 1), both);
  assert.deepEqual(secrets.of(rotated, NOW_MS + ROTATION_OVERLAP_MS), [generation(2)]);
  assert.equal(ROTATION_OVERLAP_MS, 86_400_000);
});

test('a secret matches only if it is valid and every character is equal', () => {
  const rotated = owner({ secretGeneration: 2, rotatedAtMs: NOW_MS });
  const [second, first] = secrets.of(rotated, NOW_MS) as [string, string];
  assert.equal(secrets.matches(rotated, second, NOW_MS), true);
  assert.equal(secrets.matches(rotated, first, NOW_MS), true);
  assert.equal(secrets.matches(rotated, first, NOW_MS + ROTATION_OVERLAP_MS), false);
  assert.equal(secrets.matches(rotated, newest(owner()), NOW_MS), false, 'two generations ago');
  for (let at = 0; at < second.length; at += 1) {
    const letter = second[at] === 'A' ? 'B' : 'A';
    const flipped = second.slice(0, at) + letter + second.slice(at + 1);
    assert.equal(secrets.matches(rotated, flipped, NOW_MS), false, `letter ${at}`);
  }
  for (const text of ['', 'whsec_', second.slice(0, -1), `${second}=`, ` ${second}`, second.slice(6)])
    assert.equal(secrets.matches(rotated, text, NOW_MS), false);
});

test('the official library verifies our signatures with the secret text that receivers store', () => {
  const rotated = owner({ secretGeneration: 1, rotatedAtMs: Date.now() });
  const body = '{"type":"ping"}';
  const parts = { id: 'evt_1', timestampSeconds: Math.floor(Date.now() / 1000), body };
  const headers = signatureHeaders(parts, secrets.bytesOf(rotated, Date.now()));
  for (const secret of secrets.of(rotated, Date.now()))
    assert.deepEqual(new Webhook(secret).verify(body, headers), { type: 'ping' });
  assert.throws(() => new Webhook(newest(owner({ id: 'other' }))).verify(body, headers));
});

test('the same idempotency key and client yield the same registration id, and any other pair yields a different id', () => {
  const request = { client: '203.0.113.7', idempotencyKey: 'order-1' };
  const id = secrets.registrationIdOf(request);
  assert.match(id, /^[0-9a-f]{32}$/);
  assert.equal(createWebhookSecrets(serverSecret(), GENESIS).registrationIdOf(request), id);
  const others = [
    secrets.registrationIdOf({ ...request, client: '203.0.113.8' }),
    secrets.registrationIdOf({ ...request, idempotencyKey: 'order-2' }),
    createWebhookSecrets(serverSecret(8), GENESIS).registrationIdOf(request),
  ];
  assert.equal(new Set([id, ...others]).size, 4);
});
