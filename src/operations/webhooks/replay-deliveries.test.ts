// Tests the delivery log of a webhook with a real store: replays, pings and refusals.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { guidanceText } from '../../../test/support/guidance-text.ts';
import { registerAnswered, settleAll, tell, walletAddress } from '../../../test/support/notice-webhooks.ts';
import { openNoticeWorld, type ResponseBody } from '../../../test/support/notice-world.ts';
import { listDeliveries } from './list-deliveries.ts';
import { listWebhooks } from './list-webhooks.ts';
import { pingWebhook } from './ping-webhook.ts';
import { replayDeliveries } from './replay-deliveries.ts';

const HOUR_MS = 3_600_000;

it('each ping is a new notification whose delivery is attempted for a minute', async (t) => {
  const world = await openNoticeWorld(t);
  const { id, secret } = await registerAnswered(world);
  const ids = [];
  for (let count = 0; count < 2; count += 1) ids.push((await world.ask(pingWebhook, { id, secret })).eventId);
  const { deliveries } = await world.ask(listDeliveries, { id, secret });
  assert.deepEqual(deliveries.map((one: ResponseBody) => one.id).toSorted(), ids.toSorted());
  for (const { timestamp, expiresAt } of deliveries)
    assert.equal(Date.parse(expiresAt) - Date.parse(timestamp), 60_000);
  await settleAll(world, { state: 'delivered' });
  const { webhooks } = await world.ask(listWebhooks, { walletAddress });
  // The attempt took one millisecond.
  const accepted = new Date(world.clock.now() + 1).toISOString();
  assert.deepEqual([webhooks[0].lastDeliveryAt, webhooks[0].failingSince], [accepted, null]);
  await tell(world, id, 0);
  world.clock.advance(5);
  await settleAll(world, { state: 'dead' });
  const [failing] = (await world.ask(listWebhooks, { walletAddress })).webhooks;
  const since = new Date(world.clock.now()).toISOString();
  assert.deepEqual([failing.lastDeliveryAt, failing.failingSince], [accepted, since]);
  assert.deepEqual([failing.status, failing.disabledReason], ['active', null]);
});

it('a replay with an empty range is refused with an error that names the wrong bound', async (t) => {
  const world = await openNoticeWorld(t);
  const { id, secret } = await registerAnswered(world);
  const at = (ms: number) => new Date(world.clock.now() + ms).toISOString();
  const words = async (which: object) =>
    (await world.refusal(replayDeliveries, { id, secret, ...which })).message;
  assert.equal(await words({ from: at(0), to: at(-1) }), 'to: must be later than from');
  assert.equal(await words({ from: at(-5), to: at(-5) }), 'to: must be later than from');
  assert.equal(await words({ from: at(1) }), 'from: must not be in the future');
  assert.match(await words({ from: 'yesterday' }), /^from: must be an ISO 8601 instant with its offset/);
  assert.match(
    await words({ from: '2026-11-21T00:00:00' }),
    /^from: must be an ISO 8601/,
    'the time zone is missing',
  );
  const either = 'pass either eventId alone, or from (optionally with to and states)';
  for (const which of [
    {},
    { to: at(0) },
    { states: ['dead'] },
    { eventId: 'e', from: at(-1) },
    { eventId: 'e', to: at(0) },
  ])
    assert.equal(await words(which), either);
});

it('a replay that matches no events fails with its criteria, and any other replay wakes the delivery loop', async (t) => {
  const world = await openNoticeWorld(t);
  const { id, secret } = await registerAnswered(world);
  const replay = (which: object) => world.ask(replayDeliveries, { id, secret, ...which });
  const from = new Date(world.clock.now() - HOUR_MS).toISOString();
  assert.match((await replay({ eventId: 'evt_none' })).message, /the log has no such event/);
  assert.match((await replay({ from })).message, /no unexpired event that is dead/);
  assert.match(
    (await replay({ from, states: ['delivered', 'dead'] })).message,
    /no unexpired event that is delivered or dead/,
  );
  const event = await tell(world, id, 0);
  assert.equal(
    (await replay({ eventId: event })).replayed,
    1,
    'the event is pending again: due immediately, from the first step',
  );
  await settleAll(world, { state: 'dead' });
  const before = world.woken.delivery;
  assert.equal(
    (await replay({ from })).replayed,
    1,
    'a range up to now includes an event in this millisecond',
  );
  assert.equal(world.woken.delivery, before + 1);
  await settleAll(world, { state: 'delivered' });
  const inRome = from.replace('Z', '+02:00');
  const again = await replay({ from: inRome, states: ['delivered'] });
  assert.deepEqual(
    [again.replayed, again.message],
    [1, 'Deliveries begin now.'],
    'a time with an offset is valid too',
  );
  await settleAll(world, { state: 'delivered' });
  assert.equal((await replay({ from })).replayed, 0);
  assert.equal(world.woken.delivery, before + 2, 'there is no reason to wake the delivery loop');
  assert.equal((await replay({ from, states: ['delivered'] })).replayed, 1);
});

it('deliveries of a disabled webhook cannot be replayed until it accepts a ping, and those of a deleted or unknown webhook never can', async (t) => {
  const world = await openNoticeWorld(t);
  const { id, secret } = await registerAnswered(world);
  const event = await tell(world, id, 5);
  await settleAll(world, { state: 'dead', disable: 'gone' });
  const refused = await world.refusal(replayDeliveries, { id, secret, eventId: event });
  assert.equal(refused.code, 'WEBHOOK_DISABLED');
  assert.match(guidanceText(refused.suggestedAction), new RegExp(`pingWebhook\\(id: ${id}\\)`));
  const { webhooks } = await world.ask(listWebhooks, { walletAddress });
  assert.deepEqual([webhooks[0].status, webhooks[0].disabledReason], ['disabled', 'gone']);
  assert.equal(typeof (await world.ask(pingWebhook, { id, secret })).eventId, 'string');
});

it('the delivery log can be paged and filtered by state, and shows every attempt and the next one', async (t) => {
  const world = await openNoticeWorld(t);
  const { id, secret } = await registerAnswered(world);
  for (const agoMs of [50, 40, 30]) await tell(world, id, agoMs);
  await settleAll(world, { state: 'dead' });
  await tell(world, id, 20, world.clock.now() + HOUR_MS);
  const log = (more: object) => world.ask(listDeliveries, { id, secret, ...more });
  const ages = ({ deliveries }: ResponseBody) =>
    deliveries.map(({ timestamp }: ResponseBody) => world.clock.now() - Date.parse(timestamp));
  const first = await log({ limit: 2 });
  assert.deepEqual(ages(first), [20, 30]);
  const second = await log({ limit: 2, cursor: first.nextCursor });
  assert.deepEqual([ages(second), second.nextCursor], [[40, 50], null]);
  assert.deepEqual(ages(await log({ state: 'dead' })), [30, 40, 50]);
  assert.deepEqual(ages(await log({ state: 'pending' })), [20]);
  for (let more = 0; more < 18; more += 1) await tell(world, id, 100 + more);
  const usual = await log({});
  assert.deepEqual([usual.deliveries.length, usual.nextCursor !== null], [20, true]);
  assert.equal((await log({ limit: 1 })).deliveries.length, 1);
  assert.equal((await log({ limit: 100 })).deliveries.length, 22);
  assert.match((await world.refusal(listDeliveries, { id, secret, limit: 101 })).message, /^limit: /);
  const [waiting, dead] = first.deliveries;
  assert.deepEqual([waiting.settledAt, waiting.attempts, waiting.attemptLog], [null, 0, []]);
  assert.equal(Date.parse(waiting.expiresAt), world.clock.now() + HOUR_MS);
  assert.deepEqual([dead.nextAttemptAt, dead.attempts, dead.attemptLog.length], [null, 1, 1]);
  assert.deepEqual(dead.attemptLog[0], {
    number: 1,
    at: new Date(world.clock.now()).toISOString(),
    durationMs: 1,
    status: 500,
    outcome: 'refused-status',
    answerBytes: 0,
  });
});
