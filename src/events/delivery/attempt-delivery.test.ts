// Tests that an attempt always ends with a result, that the signature contains the current time, and that a
// failure on the service's side does not count against the receiver.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patience } from '../../../test/support/patience.ts';
import { verified } from '../../../test/support/receiver.ts';
import { createManualClock } from '../../../test/support/steerable-clock.ts';
import type { ClaimedDelivery } from '../../store/outbox/outbox.ts';
import { type AttemptOptions, attemptDelivery, type DeliveryDataBuilder } from './attempt-delivery.ts';
import type { OutgoingPost, SentAttempt } from './send-attempt.ts';

const SECRET = new Uint8Array(32).fill(7);
const ACCEPTED: SentAttempt = { outcome: 'delivered', status: 204, answerBytes: 0, retryAfterMs: null };

/** Prepares one delivery attempt. `sent` records what the receiver gets, `reported` what the log gets. */
const open = (options: Partial<AttemptOptions> = {}, given: Partial<ClaimedDelivery> = {}) => {
  // The official library compares signatures with the machine's clock.
  const clock = createManualClock(Date.now());
  const sent: OutgoingPost[] = [];
  const reported: unknown[] = [];
  const claimed: ClaimedDelivery = {
    id: 'evt_1',
    registrationId: 'registration',
    type: 'autopilot_sweep',
    atMs: 1_000,
    data: '{"epoch":18446744073709551615}',
    expiresAtMs: null,
    key: 3,
    attempts: 2,
    attemptsEver: 9,
    callbackUrl: 'https://receiver.example/hook?a=b',
    secretGeneration: 0,
    rotatedAtMs: null,
    walletAddress: 'wallet',
    failingSinceMs: clock.now() - 6 * 86_400_000,
    disabled: false,
    deleted: false,
    ...given,
  };
  const run = (signal = patience()) =>
    attemptDelivery(
      {
        owner: 'owner',
        send: async (post) => {
          sent.push(post);
          return ACCEPTED;
        },
        secretsOf: () => [SECRET],
        composers: {},
        onComposeFailure: (_claimed, reason) => reported.push(reason),
        clock,
        random: () => 0.5,
        ...options,
      },
      claimed,
      signal,
    );
  return { run, clock, sent, reported, claimed };
};
const composedBy = (composer: DeliveryDataBuilder) => open({ composers: { autopilot_sweep: composer } });
/** Delay after the third failure in a schedule: half an hour. */
const LATER_MS = 1_800_000;

test("the recorded bytes are sent unchanged, with the event's time in the body and the attempt's time in the signature", async () => {
  const { run, sent, clock } = open();
  const result = await run();
  const [post] = sent;
  const body = '{"id":"evt_1","type":"autopilot_sweep","timestamp":"1970-01-01T00:00:01.000Z","data":';
  assert.equal(post?.body, `${body}{"epoch":18446744073709551615}}`);
  assert.equal(post.headers['webhook-timestamp'], String(Math.floor(clock.now() / 1_000)));
  verified(SECRET, { path: '', headers: post.headers, body: post.body });
  assert.equal(post.callbackUrl, 'https://receiver.example/hook?a=b');
  assert.deepEqual(result, {
    eventId: 'evt_1',
    key: 3,
    registrationId: 'registration',
    owner: 'owner',
    attempt: {
      number: 10,
      atMs: clock.now(),
      durationMs: 0,
      status: 204,
      outcome: 'delivered',
      answerBytes: 0,
    },
    next: { state: 'delivered' },
  });
});

test('a type with a data builder sends newly built data and never the recorded data', async () => {
  const { run, sent, clock } = composedBy(async ({ id }) => ({ data: `{"of":"${id}"}` }));
  await run();
  assert.equal(JSON.parse(sent[0]!.body).data.of, 'evt_1');
  assert.deepEqual(clock.due(), [], 'no timer is left');
});

test('an obsolete delivery is dead-lettered and logged instead of sent', async () => {
  const { run, sent, reported } = composedBy(async () => ({ dead: 'the policy is gone' }));
  const { attempt, next, disable } = await run();
  assert.deepEqual([attempt.outcome, attempt.status, next], ['compose-failed', null, { state: 'dead' }]);
  assert.deepEqual([sent.length, reported, disable], [0, ['the policy is gone'], undefined]);
});

test("an error on the service's side is logged and retried later, and never disables the receiver", async () => {
  const boom = new Error('boom');
  const fail = () => {
    throw boom;
  };
  for (const { run, sent, reported, clock } of [
    composedBy(async () => fail()),
    composedBy(fail),
    open({ secretsOf: fail }),
    open({ send: fail }),
  ]) {
    const { attempt, next, disable } = await run();
    assert.deepEqual(next, { state: 'pending', nextAttemptAtMs: clock.now() + LATER_MS });
    assert.deepEqual(
      [attempt.outcome, sent.length, reported, disable],
      ['compose-failed', 0, [boom], undefined],
    );
  }
  const impossible = open({}, { atMs: Number.NaN });
  assert.equal((await impossible.run()).attempt.outcome, 'compose-failed');
});

test('building the data is abandoned after fifteen seconds', async () => {
  const { run, clock, reported, sent } = composedBy(
    (_claimed, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  const result = run();
  await clock.sleeping();
  assert.deepEqual(clock.due(), [15_000]);
  clock.advance(15_000);
  const { attempt, next } = await result;
  assert.deepEqual([attempt.outcome, attempt.durationMs, next.state], ['compose-failed', 15_000, 'pending']);
  assert.deepEqual([reported.length, sent.length], [1, 0]);
});

test('a shutdown while the data is built is an interruption: the delivery is due immediately and no failure is logged', async () => {
  const stopping = new AbortController();
  const { run, clock, reported } = composedBy(async (_claimed, signal) => {
    stopping.abort();
    signal.throwIfAborted();
    return { data: '{}' };
  });
  const { attempt, next } = await run(stopping.signal);
  assert.deepEqual(
    [attempt.outcome, next],
    ['interrupted', { state: 'pending', nextAttemptAtMs: clock.now() }],
  );
  assert.deepEqual([reported, clock.due()], [[], []]);
});

test('a clock set back during the attempt does not cause a negative duration', async () => {
  const { run, clock } = composedBy(async () => {
    clock.advance(-60_000);
    return { data: '{}' };
  });
  const { attempt } = await run();
  assert.deepEqual([attempt.durationMs, attempt.atMs], [0, clock.now() + 60_000]);
});

test('the consequences of the response are returned: a refusal after five days disables the registration, and an accepted ping enables it', async () => {
  const refused: SentAttempt = {
    outcome: 'refused-status',
    status: 500,
    answerBytes: 2,
    retryAfterMs: 3_600_000,
  };
  const { run, clock } = open({ send: async () => refused });
  const { next, disable, attempt } = await run();
  assert.deepEqual(
    [next, disable],
    [{ state: 'pending', nextAttemptAtMs: clock.now() + 3_600_000 }, 'failing'],
  );
  assert.deepEqual([attempt.status, attempt.answerBytes], [500, 2]);
  assert.equal((await open({}, { type: 'ping' }).run()).enable, true);
});

test('a sender that throws consumes exactly one attempt', async () => {
  const boom = new Error('no URL');
  const { run, reported } = open({ send: () => Promise.reject(boom) }, { type: 'stake_activated' });
  const { attempt, next } = await run();
  assert.deepEqual([attempt.outcome, next.state, reported], ['compose-failed', 'pending', [boom]]);
});
