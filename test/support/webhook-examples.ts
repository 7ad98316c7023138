// Complete, plausible registrations, events and attempts. A test sets only the fields under test.

import type { RegistrationCaps } from '../../src/store/count-registrations.ts';
import type {
  Attempt,
  AttemptResult,
  ClaimOptions,
  NewEvent,
  Outbox,
} from '../../src/store/outbox/outbox.ts';
import type { NewRegistration } from '../../src/store/registration-rows.ts';

/** Start time of the examples, in ms since the Unix epoch. */
export const EXAMPLE_START_MS = 1_800_000_000_000;

/** A limit that no example reaches. */
export const NO_CAPS: RegistrationCaps = { perWalletAndClient: 1e6, perClient: 1e6 };

/** Returns an id of 32 hexadecimal characters. Ids sort like their numbers. */
export const exampleId = (number: number): string => number.toString(16).padStart(32, '0');

/** Returns registration `number`, for the wallet `wallet` and from the client `client`. */
export const exampleRegistration = (
  number: number,
  overrides: Partial<NewRegistration> = {},
): NewRegistration => ({
  id: exampleId(number),
  kind: 'events',
  walletAddress: 'wallet',
  callbackUrl: `https://receiver.example/hook/${number}`,
  events: ['withdraw_ready', 'epoch_complete'],
  createdAtMs: EXAMPLE_START_MS + number,
  createdEpoch: 7n,
  createdSlot: 2n ** 53n + 1n,
  client: '203.0.113.7',
  ...overrides,
});

/** Returns event `number` of registration 1. */
export const exampleEvent = (number: number, overrides: Partial<NewEvent> = {}): NewEvent => ({
  id: `evt_${number.toString().padStart(6, '0')}`,
  registrationId: exampleId(1),
  type: 'epoch_complete',
  atMs: EXAMPLE_START_MS + number,
  data: `{"epoch":${number}}`,
  expiresAtMs: null,
  ...overrides,
});

/** Returns a claim of everything due within a day of the start. */
export const exampleClaim = (overrides: Partial<ClaimOptions> = {}): ClaimOptions => ({
  owner: 'process one',
  nowMs: EXAMPLE_START_MS + 86_400_000,
  leaseMs: 30_000,
  limit: 100,
  limitPerRegistration: 100,
  except: [],
  ...overrides,
});

/** Returns an attempt that was accepted within 40 ms. */
export const exampleAttempt = (overrides: Partial<Attempt> = {}): Attempt => ({
  number: 1,
  atMs: EXAMPLE_START_MS + 86_400_000,
  durationMs: 40,
  status: 200,
  outcome: 'delivered',
  answerBytes: 2,
  ...overrides,
});

/** Returns the result of the only attempt at event `number`, by the owner of `exampleClaim`. */
export const exampleResult = (number: number, overrides: Partial<AttemptResult> = {}): AttemptResult => ({
  eventId: exampleEvent(number).id,
  key: 0,
  registrationId: exampleId(1),
  owner: 'process one',
  attempt: exampleAttempt(),
  next: { state: 'delivered' },
  ...overrides,
});

/**
 * Wraps the outbox, so results contain the keys of their claims. Pass `keys` if several processes share their
 * claims.
 */
export const rememberingKeys = (outbox: Outbox, keys = new Map<string, number>()): Outbox => ({
  ...outbox,
  claim: async (options) => {
    const claimed = await outbox.claim(options);
    for (const { id, key } of claimed) keys.set(id, key);
    return claimed;
  },
  settle: (results) =>
    outbox.settle(results.map((result) => ({ ...result, key: keys.get(result.eventId) ?? result.key }))),
});
