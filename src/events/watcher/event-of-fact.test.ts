// Tests the events derived for one registration: no events for facts older than the registration, exact
// amounts, only documented fields, and ids that depend only on the fact and the registration.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { z } from 'zod';
import { numbered } from '../../../test/support/scripted-watch.ts';
import { exampleId, exampleRegistration } from '../../../test/support/webhook-examples.ts';
import { type EventType, eventTypes } from '../../domain/notification-types.ts';
import type { FactStamp, StakeFact } from '../../domain/stake/detect-stake-events.ts';
import { EPOCH_ABSENT } from '../../domain/stake/stake-account.ts';
import type { DelegationPeriod } from '../../domain/stake/stake-periods.ts';
import type { Registration } from '../../store/registration-rows.ts';
import {
  epochCompleteDataSchema,
  gapDataSchema,
  stakeActivatedDataSchema,
  stakeDeactivatedDataSchema,
  withdrawReadyDataSchema,
} from '../event-data.ts';
import { epochEvent, factEvent, type Gap, gapEvents, isReportedTo } from './event-of-fact.ts';

const OPTIONS = { genesisHash: 'genesis' };
const MOMENT = { slot: 1n, phase: 'transactions', order: 0 } as const;
const [WALLET, STAKE] = [numbered(1), numbered(2)];

const registration = (overrides: Partial<Registration> = {}): Registration => ({
  ...exampleRegistration(1, { events: eventTypes, createdEpoch: 20n, createdSlot: 1_000n }),
  createdAtMs: 5_000_999,
  secretGeneration: 0,
  rotatedAtMs: null,
  lastDeliveryAtMs: null,
  failingSinceMs: null,
  disabledReason: null,
  deletedAtMs: null,
  awaitsAnswer: false,
  secretDeletes: false,
  ...overrides,
});

const fact = (
  type: StakeFact['type'],
  period: Partial<DelegationPeriod> = {},
  stamp: FactStamp = { slots: [1_001n] },
): StakeFact => ({
  type,
  account: STAKE,
  wallet: WALLET,
  epoch: 21n,
  identity: `${STAKE} 15`,
  stamp,
  deactivationEpoch: 20n,
  period: {
    withdrawer: WALLET,
    activationEpoch: 15n,
    deactivationEpoch: 20n,
    deactivations: [],
    delegated: true,
    since: null,
    until: null,
    stakeLamports: 1_500_000_001n,
    lamports: 1_502_282_881n,
    lockup: { unixTimestamp: 0n, epoch: 0n },
    lockupSlot: null,
    ...period,
  },
});
const eventOf = (one: StakeFact, isProven = true) =>
  factEvent(one, registration(), isProven, MOMENT, OPTIONS);

/** Returns the data, after checking that it has exactly the documented fields. */
const documented = <T extends z.ZodType>(schema: T, text: string): z.output<T> => {
  const data = JSON.parse(text);
  assert.deepEqual(schema.parse(data), data);
  return data;
};

test('the data of each event is as documented, with amounts exact to the lamport', () => {
  const common = { walletAddress: WALLET, epoch: 21, stakeAccountAddress: STAKE };
  assert.deepEqual(documented(stakeActivatedDataSchema, eventOf(fact('stake_activated')).data), {
    ...common,
    sol: 1.502282881,
    stakedSol: 1.500000001,
    activationEpoch: 15,
  });
  assert.deepEqual(documented(stakeActivatedDataSchema, eventOf(fact('stake_activated'), false).data), {
    ...common,
    sol: 1.502282881,
    stakedSol: 1.500000001,
    activationEpoch: 15,
    unproven: true,
  });
  assert.deepEqual(documented(stakeDeactivatedDataSchema, eventOf(fact('stake_deactivated')).data), {
    ...common,
    sol: 1.502282881,
    stakedSol: 1.500000001,
    activationEpoch: 15,
    deactivationEpoch: 20,
  });
  assert.deepEqual(documented(withdrawReadyDataSchema, eventOf(fact('withdraw_ready'), false).data), {
    ...common,
    sol: 1.502282881,
    deactivationEpoch: 20,
  });
});

test('a genesis stake has no activation epoch, and an amount above 53 bits keeps all digits', () => {
  const genesis = fact('stake_deactivated', { activationEpoch: EPOCH_ABSENT, stakeLamports: 2n ** 64n - 1n });
  const { data } = eventOf(genesis);
  assert.equal(documented(stakeDeactivatedDataSchema, data).activationEpoch, null);
  assert.match(data, /"stakedSol":18446744073\.709551615,/);
});

test('a registration gets events of facts that are newer than it by a slot, an epoch or a second', () => {
  const news = (stamp: FactStamp) => isReportedTo(fact('withdraw_ready', {}, stamp), registration());
  const cases: readonly [FactStamp, boolean][] = [
    [{ slots: [] }, false],
    [{ slots: [1_000n] }, false],
    [{ slots: [1_001n] }, true],
    [{ slots: [1n, 1_001n, 2n] }, true],
    [{ slots: [], epoch: 20n }, false],
    [{ slots: [], epoch: 21n }, true],
    [{ slots: [], seconds: 5_000n }, false],
    [{ slots: [], seconds: 5_001n }, true],
    [{ slots: [1_000n], epoch: 20n, seconds: 5_001n }, true],
  ];
  for (const [stamp, expected] of cases) assert.equal(news(stamp), expected, String(Object.values(stamp)));
  const unnamed = registration({ events: ['epoch_complete', 'stake_activated'] });
  assert.equal(isReportedTo(fact('withdraw_ready'), unnamed), false);
});

test('the same fact yields the same event id regardless of other facts, and a different id for each registration', () => {
  const { id } = eventOf(fact('stake_activated'));
  assert.equal(eventOf(fact('stake_activated', { lamports: 1n, deactivationEpoch: 25n }), false).id, id);
  const others = [
    eventOf(fact('stake_deactivated')),
    eventOf({ ...fact('stake_activated'), identity: `${STAKE} 16` }),
    factEvent(fact('stake_activated'), registration({ id: exampleId(2) }), true, MOMENT, OPTIONS),
    factEvent(fact('stake_activated'), registration(), true, MOMENT, { genesisHash: 'another' }),
  ];
  assert.equal(new Set([id, ...others.map((other) => other.id)]).size, 5);
});

test('the end of an epoch is one event per registration, with and without a portfolio', () => {
  const portfolio = { accounts: 2, activeSol: 1.5, activatingSol: 0, deactivatingSol: 0 };
  const end = (epoch: number, now: typeof portfolio | null) =>
    epochEvent(
      registration(),
      { walletAddress: WALLET, epoch, late: now === null, portfolio: now },
      MOMENT,
      OPTIONS,
    );
  assert.equal(end(20, portfolio).id, end(20, null).id);
  assert.notEqual(end(20, null).id, end(21, null).id);
  assert.equal(documented(epochCompleteDataSchema, end(20, null).data).portfolio, null);
  assert.deepEqual(documented(epochCompleteDataSchema, end(20, portfolio).data).portfolio, portfolio);
});

const GAP: Gap = {
  wallet: WALLET,
  account: STAKE,
  fromSlot: 900n,
  toSlot: 1_001n,
  reason: 'history-unavailable',
};
const gapEventsOf = (gap: Partial<Gap> = {}, overrides: Partial<Registration> = {}) =>
  gapEvents({ ...GAP, ...gap }, registration(overrides), 21n, OPTIONS);

test("registrations created before a gap ended are notified of it, with the gap's start as the time", () => {
  assert.equal(gapEventsOf({ toSlot: 1_000n }).length, 0);
  assert.equal(gapEventsOf({}, { events: [] }).length, 0);
  const [event] = gapEventsOf();
  assert.deepEqual(event?.chainTime, { slot: 900n, phase: 'transactions', order: 0 });
  assert.deepEqual(documented(gapDataSchema, event!.data), {
    walletAddress: WALLET,
    epoch: 21,
    incomplete: true,
    gap: { stakeAccountAddress: STAKE, fromSlot: 900, toSlot: 1_001, reason: 'history-unavailable' },
  });
  documented(gapDataSchema, gapEventsOf({ account: null, reason: 'too-many-transactions' })[0]!.data);
});

test('a gap found again, longer or for another reason, keeps its id; another account or start slot yields another id', () => {
  const id = gapEventsOf()[0]!.id;
  assert.equal(gapEventsOf({ toSlot: 2_000n, reason: 'too-many-transactions' })[0]!.id, id);
  const others = [
    gapEventsOf({ account: null }),
    gapEventsOf({ account: WALLET }),
    gapEventsOf({ fromSlot: 901n }),
  ];
  assert.equal(new Set([id, ...others.map(([other]) => other!.id)]).size, 4);
});

test('a gap is reported under the subscribed type that it most likely concerns', () => {
  const types: readonly [readonly EventType[], EventType][] = [
    [eventTypes, 'withdraw_ready'],
    [['epoch_complete', 'stake_activated', 'stake_deactivated'], 'stake_deactivated'],
    [['epoch_complete', 'stake_activated'], 'stake_activated'],
    [['epoch_complete'], 'epoch_complete'],
  ];
  for (const [events, type] of types) assert.equal(gapEventsOf({}, { events })[0]?.type, type);
});
