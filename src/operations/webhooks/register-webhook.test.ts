// Tests registration with a real store: a refused request registers nothing, and a repeated request returns the
// same webhook.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { register, walletAddress, wanted } from '../../../test/support/notice-webhooks.ts';
import { openNoticeWorld } from '../../../test/support/notice-world.ts';
import { newWallet } from '../../../test/support/wallets.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { listWebhooks } from './list-webhooks.ts';
import { registerWebhook } from './register-webhook.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';

const HOUR_MS = 3_600_000;

it('repeating a request with the same idempotency key returns the same webhook for 24 hours', async (t) => {
  const world = await openNoticeWorld(t);
  const key = { idempotencyKey: 'order-1' };
  const first = await register(world, key);
  const again = await register(world, key);
  assert.match(first.secret, /^whsec_/);
  assert.equal(again.id, first.id);
  assert.ok(!('secret' in again), 'another client behind the same address may have sent the request');
  const words = async (more: object, client?: string) => {
    const { code, message } = await world.refusal(registerWebhook, { ...wanted, ...key, ...more }, client);
    assert.equal(code, 'IDEMPOTENCY_KEY_REUSED');
    return message;
  };
  for (const other of [
    { walletAddress: newWallet().walletAddress },
    { callbackUrl: 'https://hook.example/other' },
    { events: ['withdraw_ready', 'epoch_complete'] },
  ])
    assert.match(await words(other), /another webhook/);
  assert.notEqual((await register(world, key, 'another network')).id, first.id);
  world.clock.advance(24 * HOUR_MS - 1);
  assert.equal((await register(world, key)).id, first.id);
  world.clock.advance(1);
  assert.match(await words({}), /more than 24 hours ago/);
});

it('a repeated request gets the secret only for ten minutes and only with a random key', async (t) => {
  const world = await openNoticeWorld(t);
  const secrets = async (idempotencyKey: string, afterMs: number) => {
    const first = await register(world, { idempotencyKey });
    world.clock.advance(afterMs);
    return [(await register(world, { idempotencyKey })).secret, first.secret];
  };
  for (const key of ['5b0f35a1-0b5c-4f3e-9a53-8f5f1f6f6c2d', 'c0ffee5b0f35a10b5cf3e9a538f5f1f6']) {
    const [again, first] = await secrets(key, 600_000 - 1);
    assert.equal(again, first, key);
    world.clock.advance(1);
    assert.equal(
      (await register(world, { idempotencyKey: key })).secret,
      undefined,
      `${key} ten minutes later`,
    );
  }
  for (const key of [
    'withdraw-2026-11-23-order-0001',
    'Order20261123Number0000000000001',
    '0'.repeat(32),
    '5b0f35a1-0b5c-1f3e-9a53-8f5f1f6f6c2d',
  ])
    assert.equal((await secrets(key, 0))[0], undefined, key);
});

it('two identical concurrent requests register once and get the same response', async (t) => {
  const world = await openNoticeWorld(t);
  const both = await Promise.all([1, 2].map(() => register(world, { idempotencyKey: 'order-1' })));
  assert.equal(both[0]!.id, both[1]!.id);
  assert.equal(both.filter(({ secret }) => secret !== undefined).length, 1, 'one of them gets the secret');
  assert.equal((await world.ask(listWebhooks, { walletAddress })).count, 1);
  const differing = ['a', 'b'].map((path) =>
    register(world, { idempotencyKey: 'order-2', callbackUrl: `https://hook.example/${path}` }).catch(
      (error: unknown) => error,
    ),
  );
  const refused = (await Promise.all(differing)).filter((one) => one instanceof Error);
  assert.equal(refused.length, 1, 'one of two different requests is refused');
});

it('a missing or forbidden callback is not registered', async (t) => {
  const world = await openNoticeWorld(t);
  for (const [callbackUrl, words] of [
    [undefined, 'callbackUrl (or url) is required'],
    ['http://hook.example/', 'callbackUrl: must be an https URL'],
    ['https://127.0.0.1/', 'callbackUrl: must point to a public Internet address'],
  ])
    assert.equal((await world.refusal(registerWebhook, { ...wanted, callbackUrl })).message, words);
  assert.equal((await world.ask(listWebhooks, { walletAddress })).count, 0);
});

it('the key of a webhook that has since been rotated or deleted reveals no secret', async (t) => {
  const world = await openNoticeWorld(t);
  const rotated = await register(world, { idempotencyKey: 'a' });
  await world.ask(rotateWebhookSecret, { id: rotated.id, secret: rotated.secret });
  const deleted = await register(world, { idempotencyKey: 'b' });
  await world.ask(deleteWebhook, { id: deleted.id, walletAddress });
  const message = async (idempotencyKey: string) =>
    (await world.refusal(registerWebhook, { ...wanted, idempotencyKey })).message;
  assert.match(await message('a'), /since been rotated/);
  assert.match(await message('b'), /since been deleted/);
});

it('a registration during the payout of rewards still gets the events of the previous epoch, but no other earlier events', async (t) => {
  const world = await openNoticeWorld(t);
  const stored = async () => (await world.store.webhooks.find((await register(world)).id))!;
  assert.equal((await stored()).createdEpoch, 7n);
  world.chain.epochRewardsActive = true;
  const registration = await stored();
  assert.deepEqual([registration.createdEpoch, registration.createdSlot], [6n, 700n]);
});

it('the refusal states which limit the network reached: twenty for a wallet, or a hundred in total', async (t) => {
  const world = await openNoticeWorld(t);
  for (let number = 0; number < 20; number += 1) await register(world);
  const full = await world.refusal(registerWebhook, wanted);
  assert.deepEqual([full.code, /20 webhooks for this wallet/.test(full.message)], ['WEBHOOK_LIMIT', true]);
  for (let number = 0; number < 80; number += 1)
    await register(world, { walletAddress: newWallet().walletAddress });
  const more = { ...wanted, walletAddress: newWallet().walletAddress };
  const all = await world.refusal(registerWebhook, more);
  assert.deepEqual([all.code, /has 100 webhooks here/.test(all.message)], ['WEBHOOK_LIMIT', true]);
  await world.ask(registerWebhook, wanted, 'another network');
});

it('settings limit the number of webhooks in total and per host that never responded', async (t) => {
  const world = await openNoticeWorld(t, { webhooksPerHost: 2, webhooksInAll: 3 });
  await register(world);
  await register(world);
  const ofHost = await world.refusal(registerWebhook, wanted);
  assert.deepEqual(
    [ofHost.code, /this callback host has 2 webhooks/i.test(ofHost.message)],
    ['WEBHOOK_LIMIT', true],
  );
  const elsewhere = { ...wanted, callbackUrl: 'https://other.example/' };
  await world.ask(registerWebhook, elsewhere, 'another network');
  const inAll = await world.refusal(registerWebhook, { ...wanted, callbackUrl: 'https://third.example/' });
  assert.deepEqual([inAll.code, /has 3 webhooks, which/.test(inAll.message)], ['WEBHOOK_LIMIT', true]);
});
