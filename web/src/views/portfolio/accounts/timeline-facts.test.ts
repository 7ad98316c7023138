// Tests the timeline of a stake account: the phase of each epoch, and the positions of the current time and of
// the epoch's end.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { epochMarksOf, epochsAround, periodsOf, phaseAt, type TimelineAccount } from './timeline-facts.ts';

const CURRENT = 20;
const NO_EPOCHS = { withdrawableAtEpoch: null, withdrawReady: false, lockup: null };
const LOCKUP = { custodian: 'Custodian', unixTimestamp: 0, epoch: 30 };

const account = (more: Partial<TimelineAccount>): TimelineAccount => ({
  state: 'active',
  activationEpoch: 10,
  deactivationEpoch: null,
  ...NO_EPOCHS,
  ...more,
});

const tell = (more: Partial<TimelineAccount>, epochRewardsActive = false): readonly string[] =>
  periodsOf(account(more), { currentEpoch: CURRENT, epochRewardsActive }).map(
    ({ phase, fromEpoch, untilEpoch, when }) => `${phase} ${fromEpoch}-${untilEpoch} ${when}`,
  );

const cases: readonly (readonly [string, Partial<TimelineAccount>, readonly string[]])[] = [
  [
    'delegated in this epoch is active from the next epoch',
    { state: 'activating', activationEpoch: 20 },
    ['activating 20-21 now', 'active 21-null next'],
  ],
  [
    'still warming up after several epochs is active from the next epoch at the earliest',
    { state: 'activating', activationEpoch: 17 },
    ['activating 17-21 now', 'active 21-null next'],
  ],
  ['active', {}, ['activating 10-11 past', 'active 11-null now']],
  ['active since genesis', { activationEpoch: null }, ['active null-null now']],
  [
    'deactivating is withdrawable from the epoch that the service reports',
    { state: 'deactivating', deactivationEpoch: 20, withdrawableAtEpoch: 23 },
    ['activating 10-11 past', 'active 11-20 past', 'cooling 20-23 now', 'withdrawable 23-null next'],
  ],
  [
    'cooled down',
    { state: 'inactive', deactivationEpoch: 18, withdrawReady: true },
    ['activating 10-11 past', 'active 11-18 past', 'cooling 18-19 past', 'withdrawable 19-null now'],
  ],
  [
    'deactivated in the epoch after its delegation was never active for a whole epoch',
    { state: 'deactivating', activationEpoch: 19, deactivationEpoch: 20, withdrawableAtEpoch: 21 },
    ['activating 19-20 past', 'cooling 20-21 now', 'withdrawable 21-null next'],
  ],
  [
    'deactivated in the epoch of its delegation is withdrawable immediately',
    { state: 'inactive', activationEpoch: 20, deactivationEpoch: 20, withdrawReady: true },
    ['withdrawable 20-null now'],
  ],
  [
    'inactive under a lockup is locked until its epoch',
    { state: 'inactive', deactivationEpoch: 18, lockup: LOCKUP, withdrawableAtEpoch: 30 },
    [
      'activating 10-11 past',
      'active 11-18 past',
      'cooling 18-19 past',
      'locked 19-30 now',
      'withdrawable 30-null next',
    ],
  ],
  [
    'inactive under a lockup without a known end stays locked',
    { state: 'inactive', deactivationEpoch: 18, lockup: LOCKUP },
    ['activating 10-11 past', 'active 11-18 past', 'cooling 18-19 past', 'locked 19-null now'],
  ],
  ['never delegated', { state: 'initialized', activationEpoch: null }, ['undelegated null-null now']],
];

describe('the phases of a stake account that', () => {
  for (const [name, more, expected] of cases) it(name, () => assert.deepEqual(tell(more), expected));

  it('is inactive do not change while rewards are paid', () => {
    const cooled = { state: 'inactive', deactivationEpoch: 18, lockup: LOCKUP } as const;
    assert.equal(tell({ ...cooled, lockup: null }, true).at(-1), 'withdrawable 19-null now');
    assert.equal(tell({ ...cooled, withdrawableAtEpoch: CURRENT }, true).at(-1), 'withdrawable 19-null now');
    assert.equal(tell({ ...cooled, withdrawableAtEpoch: 30 }, true).at(-2), 'locked 19-30 now');
    assert.equal(tell(cooled, true).at(-1), 'locked 19-null now');
  });
});

it('exactly one phase is current, and every epoch from the first on has one', () => {
  for (const [name, more] of cases) {
    const periods = periodsOf(account(more), { currentEpoch: CURRENT, epochRewardsActive: false });
    assert.equal(periods.filter(({ when }) => when === 'now').length, 1, name);
    const first = periods[0]!.fromEpoch ?? 0;
    for (let epoch = first; epoch < 40; epoch += 1) assert.notEqual(phaseAt(periods, epoch), null, name);
    if (periods[0]!.fromEpoch !== null) assert.equal(phaseAt(periods, first - 1), null, name);
  }
});

it('five epochs are drawn with the current one in the middle, from 0 on a young cluster', () => {
  assert.deepEqual(epochsAround(808), [806, 807, 808, 809, 810]);
  assert.deepEqual(epochsAround(1), [0, 1, 2, 3, 4]);
});

describe('the marks of the timeline', () => {
  const READ = Date.parse('2026-11-21T10:00:00Z');
  const timing = {
    progressPct: 40,
    estimatedEpochEnd: '2026-11-21T11:00:00Z',
    earliestEpochEnd: '2026-11-21T10:50:00Z',
    latestEpochEnd: '2026-11-21T11:10:00Z',
  };
  const HOUR = 3_600_000;

  it('are drawn to scale, with the remaining time as the rest of the epoch', () => {
    const { now, earliestEnd, latestEnd } = epochMarksOf(timing, READ, READ + HOUR / 2);
    assert.equal(now, 0.7);
    assert.ok(Math.abs(earliestEnd - 0.9) < 1e-9);
    assert.ok(Math.abs(latestEnd - 1.1) < 1e-9);
  });

  it('never move backwards, and never beyond the end before the epoch is known to have ended', () => {
    assert.equal(epochMarksOf(timing, READ, READ - HOUR).now, 0.4);
    const late = epochMarksOf(timing, READ, READ + 5 * HOUR);
    assert.equal(late.now, 1);
    assert.equal(late.earliestEnd, 1);
  });

  it('stay at the end once the expected end has passed', () => {
    const due = { ...timing, estimatedEpochEnd: '2026-11-21T10:00:00Z' };
    assert.deepEqual(epochMarksOf(due, READ, READ), { now: 1, earliestEnd: 1, latestEnd: 1 });
  });
});
