// Remembered secrets are those that would be derived now.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GENESIS } from '../../../test/support/delivery-fixture.ts';
import { SecretBytes } from '../../kernel/secret-bytes.ts';
import { cachedSecrets } from './sign-webhook.ts';
import { createWebhookSecrets, ROTATION_OVERLAP_MS, type SecretOwner } from './webhook-secret.ts';

const NOW_MS = 1_800_000_000_000;
const owner = (id: string, overrides: Partial<SecretOwner> = {}): SecretOwner => ({
  id,
  secretGeneration: 0,
  rotatedAtMs: null,
  ...overrides,
});

const open = () => {
  const secrets = createWebhookSecrets(SecretBytes.take(new Uint8Array(32).fill(5)), GENESIS);
  const derived: string[] = [];
  const bytesOf = cachedSecrets({
    bytesOf: (one, nowMs) => {
      derived.push(one.id);
      return secrets.bytesOf(one, nowMs);
    },
  });
  return { secrets, derived, bytesOf };
};

test('a secret is derived once for many deliveries, and is the registration’s own', () => {
  const { secrets, derived, bytesOf } = open();
  for (let delivery = 0; delivery < 3; delivery += 1)
    for (const id of ['a', 'b'])
      assert.deepEqual(bytesOf(owner(id), NOW_MS + delivery), secrets.bytesOf(owner(id), NOW_MS));
  assert.deepEqual(derived, ['a', 'b']);
});

test('a rotation counts at once, and the former secret no longer than its overlap', () => {
  const { secrets, bytesOf } = open();
  const [former] = bytesOf(owner('a'), NOW_MS);
  const rotated = owner('a', { secretGeneration: 1, rotatedAtMs: NOW_MS });
  const during = bytesOf(rotated, NOW_MS + ROTATION_OVERLAP_MS - 1);
  assert.equal(during.length, 2);
  assert.deepEqual(during[1], former);
  const afterwards = bytesOf(rotated, NOW_MS + ROTATION_OVERLAP_MS);
  assert.deepEqual(afterwards, [during[0]]);
  assert.deepEqual(afterwards, secrets.bytesOf(rotated, NOW_MS + ROTATION_OVERLAP_MS));
});

test('no more than ten thousand are remembered, those used longest ago forgotten first', () => {
  const { derived, bytesOf } = open();
  for (let id = 0; id <= 10_000; id += 1) {
    bytesOf(owner(`${id}`), NOW_MS);
    bytesOf(owner('0'), NOW_MS);
  }
  derived.length = 0;
  bytesOf(owner('0'), NOW_MS);
  bytesOf(owner('10000'), NOW_MS);
  assert.deepEqual(derived, []);
  bytesOf(owner('1'), NOW_MS);
  assert.deepEqual(derived, ['1']);
});
