import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  delegatedStake,
  OWNER,
  SOL,
  STAKE_ADDRESS,
  steadyHistory,
  VOTE_ACCOUNT,
} from '../../../test/support/stake-account-examples.ts';
import { factsOfPeriod, isAfter } from './detect-stake-events.ts';
import { EPOCH_ABSENT } from './stake-account.ts';
import { stakeActivation } from './stake-activation.ts';
import { currentPeriod, type DelegationPeriod } from './stake-periods.ts';

const now = { epoch: 20n, seconds: 1_700_000_000n, history: steadyHistory(0n, 20n) };
const QUIET = {
  effectiveLamports: 10n * SOL,
  activatingLamports: 10n * SOL,
  deactivatingLamports: 10n * SOL,
};

const period = (overrides: Partial<DelegationPeriod> = {}): DelegationPeriod => ({
  ...currentPeriod(delegatedStake(), VOTE_ACCOUNT, true)!,
  ...overrides,
});
const deactivatedIn = (epoch: bigint, slot: bigint | null = null): Partial<DelegationPeriod> => ({
  deactivationEpoch: epoch,
  deactivations: [{ epoch, slot, seconds: null }],
});
const factsOf = (overrides: Partial<DelegationPeriod>, at = now) =>
  factsOfPeriod(STAKE_ADDRESS, period(overrides), at).map(({ type, epoch, identity, stamp }) => ({
    type,
    epoch,
    identity: identity.replace(STAKE_ADDRESS, '').trim(),
    stamp,
  }));

test("an activation is reported at the first boundary at which all stake is effective, whatever the account's age", () => {
  assert.deepEqual(factsOf({}), [
    { type: 'stake_activated', epoch: 11n, identity: '10', stamp: { epoch: 11n, slots: [] } },
  ]);
  const slow = { ...now, history: steadyHistory(0n, 20n, QUIET) };
  const facts = factsOfPeriod(STAKE_ADDRESS, period({ stakeLamports: 10n * SOL }), slow);
  const first = facts[0]?.epoch;
  for (let epoch = 10n; epoch <= 20n; epoch += 1n) {
    const { effectiveLamports } = stakeActivation(period({ stakeLamports: 10n * SOL }), epoch, slow.history);
    assert.equal(effectiveLamports === 10n * SOL, first !== undefined && epoch >= first, String(epoch));
  }
});

test('no activation is reported for stake that never newly became fully effective', () => {
  assert.deepEqual(factsOf({ activationEpoch: 20n }), []);
  assert.deepEqual(factsOf({ delegated: false }), []);
  assert.deepEqual(factsOf({ activationEpoch: EPOCH_ABSENT }), []);
  assert.deepEqual(factsOf({ until: { slot: 5n, epoch: 10n, seconds: null } }), []);
  const types = factsOf(deactivatedIn(10n)).map(({ type }) => type);
  assert.deepEqual(types, ['stake_deactivated', 'withdraw_ready']);
});

test('a deactivation is one event per epoch, stamped with its slot if known', () => {
  const facts = factsOf({
    deactivationEpoch: EPOCH_ABSENT,
    deactivations: [
      { epoch: 12n, slot: 500n, seconds: null },
      { epoch: 13n, slot: null, seconds: null },
    ],
  }).slice(1);
  assert.deepEqual(facts, [
    { type: 'stake_deactivated', epoch: 12n, identity: '10 12', stamp: { slots: [500n] } },
    { type: 'stake_deactivated', epoch: 13n, identity: '10 13', stamp: { epoch: 13n, slots: [] } },
  ]);
});

test('an account is ready at the first boundary without effective stake, or immediately if it was never effective', () => {
  const ready = (overrides: Partial<DelegationPeriod>) =>
    factsOf(overrides).filter(({ type }) => type === 'withdraw_ready');
  assert.deepEqual(ready(deactivatedIn(12n)), [
    { type: 'withdraw_ready', epoch: 13n, identity: '12', stamp: { epoch: 13n, slots: [] } },
  ]);
  assert.deepEqual(ready(deactivatedIn(10n, 77n)), [
    { type: 'withdraw_ready', epoch: 10n, identity: '10', stamp: { slots: [77n] } },
  ]);
  assert.deepEqual(ready(deactivatedIn(20n)), []);
  // Deactivated immediately, delegated again in that epoch and later deactivated for good, so the account
  // becomes ready twice.
  const twice = ready({
    deactivationEpoch: 12n,
    deactivations: [
      { epoch: 10n, slot: 77n, seconds: null },
      { epoch: 12n, slot: 99n, seconds: null },
    ],
  });
  assert.deepEqual(
    twice.map(({ identity }) => identity),
    ['10', '12'],
  );
});

test('a lockup delays readiness until its epoch and its time, and then determines its timestamp', () => {
  const lockup = { unixTimestamp: 0n, epoch: 0n, custodian: OWNER };
  const ready = (changed: Partial<typeof lockup>) =>
    factsOf({ ...deactivatedIn(12n), lockup: { ...lockup, ...changed } }).filter(
      ({ type }) => type === 'withdraw_ready',
    );
  assert.deepEqual(ready({ epoch: 21n }), []);
  assert.deepEqual(ready({ unixTimestamp: now.seconds + 1n }), []);
  assert.deepEqual(ready({ epoch: 17n })[0]?.stamp, { epoch: 17n, slots: [] });
  assert.equal(ready({ epoch: 17n })[0]?.epoch, 17n);
  const { seconds } = now;
  assert.deepEqual(ready({ unixTimestamp: seconds })[0]?.stamp, { epoch: 13n, slots: [], seconds });
});

test('a deactivation undone before the lockup ended never makes the account ready, even if it is evaluated much later', () => {
  const lockup = { unixTimestamp: now.seconds - 100n, epoch: 0n, custodian: OWNER };
  const undone = (seconds: bigint) =>
    factsOf({
      lockup,
      deactivationEpoch: EPOCH_ABSENT,
      deactivations: [{ epoch: 10n, slot: 77n, seconds }],
    }).some(({ type }) => type === 'withdraw_ready');
  assert.equal(undone(now.seconds - 101n), false);
  assert.equal(undone(now.seconds - 100n), true);
});

test('an event is newer than a point in time if and only if one of its causes is newer', () => {
  const point = { epoch: 10n, slot: 100n, seconds: 1_000n };
  assert.equal(isAfter({ epoch: 10n, slots: [100n], seconds: 1_000n }, point), false);
  assert.equal(isAfter({ slots: [] }, point), false);
  assert.equal(isAfter({ epoch: 11n, slots: [] }, point), true);
  assert.equal(isAfter({ epoch: 9n, slots: [1n, 101n] }, point), true);
  assert.equal(isAfter({ slots: [], seconds: 1_001n }, point), true);
});
