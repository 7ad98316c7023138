// Tests deletion and restoration with a real store: who may do it, what the receiver gets, and how a webhook is
// restored.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { guidanceText } from '../../../test/support/guidance-text.ts';
import { register, respondToPing, walletAddress, wanted } from '../../../test/support/notice-webhooks.ts';
import { openNoticeWorld, type ResponseBody } from '../../../test/support/notice-world.ts';
import { newWallet } from '../../../test/support/wallets.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { listDeliveries } from './list-deliveries.ts';
import { listWebhooks } from './list-webhooks.ts';
import { pingWebhook } from './ping-webhook.ts';
import { restoreWebhook } from './restore-webhook.ts';

const HOUR_MS = 3_600_000;

it('a deletion without a wallet is refused, even if the field is present but empty', async (t) => {
  const world = await openNoticeWorld(t);
  const { id } = await register(world);
  for (const named of [{}, { walletAddress: '' }]) {
    const { code, suggestedAction } = await world.refusal(deleteWebhook, { id, ...named });
    assert.deepEqual(
      [code, suggestedAction],
      ['MISSING_WALLET_ADDRESS', 'Add walletAddress, the wallet that the webhook belongs to.'],
    );
  }
  assert.equal((await world.refusal(deleteWebhook, { id, walletAddress: ' ' })).code, 'VALIDATION_ERROR');
  const foreign = await world.refusal(deleteWebhook, { id, walletAddress: newWallet().walletAddress });
  assert.equal(
    foreign.message,
    'No webhook with this id belongs to this wallet, or its secret is needed and is missing or wrong.',
  );
  assert.match(String(foreign.suggestedAction), /with MCP as the argument secret\.$/);
  await respondToPing(world, id);
  const { delivery } = world.woken;
  assert.deepEqual(await world.ask(deleteWebhook, { id, walletAddress }), { deleted: true, id });
  assert.equal(world.woken.delivery, delivery + 1, 'the notice is sent immediately');
});

it('any other call for a deleted webhook reports only how its owner can restore it', async (t) => {
  const world = await openNoticeWorld(t);
  const { id, secret } = await register(world);
  await world.ask(deleteWebhook, { id, walletAddress });
  const noted = await world.refusal(pingWebhook, { id, secret });
  assert.equal(noted.code, 'NOT_FOUND');
  assert.match(guidanceText(noted.suggestedAction), new RegExp(`restoreWebhook\\(id: ${id}\\) `));
  const outsider = await world.refusal(pingWebhook, { id, secret: 'whsec_other' });
  const unknown = await world.refusal(pingWebhook, { id: '0'.repeat(32), secret });
  assert.deepEqual(outsider, unknown);
});

it('a deleted webhook cannot be restored while another webhook takes its slot', async (t) => {
  const world = await openNoticeWorld(t);
  const { id, secret } = await register(world);
  await world.ask(deleteWebhook, { id, walletAddress });
  world.clock.advance(24 * HOUR_MS + 1);
  for (let number = 0; number < 20; number += 1) await register(world);
  const full = await world.refusal(restoreWebhook, { id, secret });
  assert.deepEqual([full.code, /20 webhooks for this wallet/.test(full.message)], ['WEBHOOK_LIMIT', true]);
  assert.equal((await world.refusal(pingWebhook, { id, secret })).message, 'This webhook was deleted.');
});

it('restoring reports whether anything changed', async (t) => {
  const world = await openNoticeWorld(t);
  const { id, secret } = await register(world);
  const restore = () => world.ask(restoreWebhook, { id, secret });
  assert.match((await restore()).message, /was not deleted/);
  await world.ask(deleteWebhook, { id, walletAddress });
  assert.equal((await world.ask(listWebhooks, { walletAddress })).count, 0);
  const back = await restore();
  assert.match(back.message, /registered again/);
  assert.equal(
    back.callbackUrl,
    wanted.callbackUrl,
    'the callback is shown in full, because the secret was sent',
  );
  assert.equal((await world.ask(listWebhooks, { walletAddress })).count, 1);
});

it('a deregistration notice and a ping are sent even while no node reports the epoch', async (t) => {
  const world = await openNoticeWorld(t);
  const { id, secret } = await register(world);
  await respondToPing(world, id);
  world.chain.away = true;
  const ping = await world.ask(pingWebhook, { id, secret });
  await world.ask(deleteWebhook, { id, walletAddress });
  const { deliveries } = await world.ask(listDeliveries, { id, secret });
  const noted = new Map<string, ResponseBody>(deliveries.map((one: ResponseBody) => [one.type, one]));
  const asked = deliveries.find((one: ResponseBody) => one.id === ping.eventId);
  assert.deepEqual(asked?.data, { walletAddress, epoch: null, webhookId: id });
  const notice = noted.get('registration_deleted');
  assert.equal(notice?.data.epoch, null);
  assert.deepEqual(notice?.data.events, ['withdraw_ready']);
  const days =
    (Date.parse(notice?.data.restorableUntil) - Date.parse(notice?.data.deletedAt)) / (24 * HOUR_MS);
  assert.equal(days, 30);
});

it('a bug in the deregistration notice prevents the deletion', async (t) => {
  const world = await openNoticeWorld(t);
  const { id } = await register(world);
  await respondToPing(world, id);
  const bug = new TypeError('a bug');
  Object.assign(world.ctx.chain.cluster, { recentEpochPosition: () => Promise.reject(bug) });
  await assert.rejects(world.ask(deleteWebhook, { id, walletAddress }), (error) => error === bug);
  assert.equal((await world.ask(listWebhooks, { walletAddress })).count, 1);
});

it('a deletion also needs the secret if the operator requires it', async (t) => {
  const world = await openNoticeWorld(t, { webhookDelete: 'secret' });
  const { id, secret } = await register(world);
  for (const proof of [{}, { secret: 'whsec_other' }]) {
    const { code, suggestedAction } = await world.refusal(deleteWebhook, { id, walletAddress, ...proof });
    assert.deepEqual([code, guidanceText(suggestedAction).includes('bearer token')], ['NOT_FOUND', true]);
  }
  assert.equal((await world.ask(deleteWebhook, { id, walletAddress, secret })).deleted, true);
});

it('a receiver that never responded gets no deletion notice, and other receivers get one that is retried for an hour', async (t) => {
  const world = await openNoticeWorld(t);
  const deleted = async (responses: boolean) => {
    const { id, secret } = await register(world);
    if (responses) await respondToPing(world, id);
    await world.ask(deleteWebhook, { id, walletAddress });
    const { deliveries } = await world.ask(listDeliveries, { id, secret });
    return deliveries
      .filter(({ type }: ResponseBody) => type === 'registration_deleted')
      .map(({ expiresAt, timestamp }: ResponseBody) => Date.parse(expiresAt) - Date.parse(timestamp));
  };
  assert.deepEqual(await deleted(false), []);
  assert.deepEqual(await deleted(true), [HOUR_MS]);
});

it('a webhook restored with its secret can only be deleted with its secret', async (t) => {
  const world = await openNoticeWorld(t);
  const { id, secret } = await register(world);
  await world.ask(deleteWebhook, { id, walletAddress });
  await world.ask(restoreWebhook, { id, secret });
  assert.equal((await world.refusal(deleteWebhook, { id, walletAddress })).code, 'NOT_FOUND');
  assert.equal((await world.ask(deleteWebhook, { id, walletAddress, secret })).deleted, true);
});
