// WH-5: the official verifier accepts every delivery, and rejects every delivery with one flipped bit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliveryWorld } from '../support/delivery-fixture.ts';
import { type Received, startReceiver, verified } from '../support/receiver.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { createRunningClock } from '../support/steerable-clock.ts';

const DELIVERIES = process.env.HOLDFAST_TEST_FULL === '1' ? 2_000 : 100;
/**
 * Number of deliveries, the shortest ones, in which every bit is flipped. In the others, a few random bits are
 * flipped.
 */
const WHOLE = process.env.HOLDFAST_TEST_FULL === '1' ? 20 : 1;
const FLIPS = 12;
const PARTS = ['body', 'webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

const ALPHABET = ['a', 'Z', '0', '"', '\\', '\n', 'ü', '中', '🚀', '\u2028', ' '];

/** Returns JSON text with any characters that an event's data may contain. */
const dataOf = (random: () => number): string => {
  const pick = (): string => ALPHABET[Math.floor(random() * ALPHABET.length)]!;
  const text = Array.from({ length: Math.floor(random() * 60) }, pick).join('');
  return JSON.stringify({ walletAddress: 'wallet', epoch: Math.floor(random() * 1_000), note: text });
};

const partOf = (one: Received, part: (typeof PARTS)[number]): string =>
  part === 'body' ? one.body : String(one.headers[part]);

const withFlipped = (one: Received, part: (typeof PARTS)[number], bit: number): Received => {
  const bytes = Buffer.from(partOf(one, part));
  bytes[bit >> 3]! ^= 1 << (bit & 7);
  const text = bytes.toString();
  return part === 'body' ? { ...one, body: text } : { ...one, headers: { ...one.headers, [part]: text } };
};

test('WH-5 the official verifier accepts every delivery and rejects every delivery with one flipped bit', async (t) => {
  const random = seededRandom(5);
  const clock = createRunningClock();
  const world = await deliveryWorld(t, { clock });
  world.start();
  const receiver = await startReceiver(t);
  const registrationId = await world.register(receiver.url);
  const secret = await world.secretOf(registrationId);
  const recorded = new Map<string, { readonly data: string; readonly atMs: number }>();
  for (let count = 0; count < DELIVERIES; count += 1) {
    const data = dataOf(random);
    const atMs = clock.now() - Math.floor(random() * 1e9);
    recorded.set(await world.tell(registrationId, { data, atMs }), { data, atMs });
  }
  await receiver.got(DELIVERIES);
  let [accepted, rejected, flipped] = [0, 0, 0];
  for (const [index, one] of receiver.received.toSorted((a, b) => a.body.length - b.body.length).entries()) {
    const body = verified(secret, one) as Record<string, unknown>;
    accepted += 1;
    const event = recorded.get(String(one.headers['webhook-id']))!;
    assert.deepEqual(body, {
      id: one.headers['webhook-id'],
      type: 'epoch_complete',
      timestamp: new Date(event.atMs).toISOString(),
      data: JSON.parse(event.data),
    });
    for (const part of PARTS) {
      const bits = Buffer.byteLength(partOf(one, part)) * 8;
      const flips =
        index < WHOLE
          ? Array.from({ length: bits }, (_, bit) => bit)
          : Array.from({ length: FLIPS / PARTS.length }, () => Math.floor(random() * bits));
      for (const bit of flips) {
        flipped += 1;
        try {
          verified(secret, withFlipped(one, part, bit));
        } catch {
          rejected += 1;
        }
      }
    }
  }
  t.diagnostic(`${accepted} accepted, ${rejected} of ${flipped} flipped deliveries rejected`);
  assert.equal(accepted, DELIVERIES);
  assert.ok(flipped > DELIVERIES * 10);
  assert.equal(rejected, flipped);
});

test('WH-5 for 24 hours after a rotation, receivers with either secret accept deliveries, and afterwards only those with the newest secret', async (t) => {
  const clock = createRunningClock();
  const world = await deliveryWorld(t, { clock });
  const receiver = await startReceiver(t);
  const registrationId = await world.register(receiver.url);
  const former = await world.secretOf(registrationId);
  await world.store.webhooks.rotate(registrationId, clock.now());
  const newest = await world.secretOf(registrationId);
  const loop = world.start();
  await world.tell(registrationId);
  await receiver.got(1);
  const [overlapping] = receiver.received;
  for (const secret of [former, newest]) assert.ok(verified(secret, overlapping!));
  await world.settledCount(1);
  await loop.close();
  // The official verifier uses the machine's clock, so the test dates the rotation back by 24 hours instead of
  // advancing the clock.
  await world.store.webhooks.rotate(registrationId, clock.now() - 24 * 3_600_000);
  world.start();
  await world.tell(registrationId);
  await receiver.got(2);
  const last = receiver.received[1]!;
  assert.ok(verified(await world.secretOf(registrationId), last));
  assert.throws(() => verified(newest, last), /No matching signature/);
  assert.throws(() => verified(former, last), /No matching signature/);
});
