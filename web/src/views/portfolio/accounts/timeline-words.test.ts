// Tests the timeline in words: past, present and future, with the bounds of estimates.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { timeText } from '../../../text/format-figures.ts';
import { boundaryWords, periodWords } from './timeline-words.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const timing = {
  currentEpoch: 20,
  estimatedSecondsRemaining: 3600,
  estimatedEpochEnd: '2026-11-21T11:00:00Z',
  earliestEpochEnd: '2026-11-21T10:50:00Z',
  latestEpochEnd: '2026-11-21T11:10:00Z',
  progressPct: 40,
  slotIndex: 4,
  slotsInEpoch: 10,
  slotsRemaining: 6,
  slotDurationMs: 600_000,
  epochRewardsActive: false,
};
const say = (
  phase: 'active' | 'cooling' | 'withdrawable' | 'locked',
  fromEpoch: number | null,
  untilEpoch: number | null,
  when: 'past' | 'now' | 'next',
): string => periodWords({ phase, fromEpoch, untilEpoch, when }, timing, NOW);

it('the end of the epoch is shown with its bounds', () => {
  const [end, early, late] = ['11:00', '10:50', '11:10'].map((time) =>
    timeText(`2026-11-21T${time}:00Z`, NOW),
  );
  assert.equal(boundaryWords(timing, NOW), `in about 1 h, at ${end} (between ${early} and ${late})`);
});

it('bounds within the same minute are shown once, and a passed end is "any moment now"', () => {
  const sharp = {
    ...timing,
    earliestEpochEnd: timing.estimatedEpochEnd,
    latestEpochEnd: timing.estimatedEpochEnd,
  };
  assert.doesNotMatch(boundaryWords(sharp, NOW), /between/);
  assert.match(boundaryWords(timing, NOW + 7_200_000), /^any moment now, /);
});

it('past phases are described by their epochs', () => {
  assert.equal(say('active', 11, 20, 'past'), 'epochs 11 to 19');
  assert.equal(say('cooling', 19, 20, 'past'), 'epoch 19');
  assert.equal(say('active', null, 20, 'past'), 'until epoch 19');
});

it('the current phase is described by its beginning', () => {
  assert.equal(say('cooling', 20, 21, 'now'), 'in epoch 20');
  assert.equal(say('active', 11, null, 'now'), 'since epoch 11');
  assert.equal(say('active', null, null, 'now'), '');
  assert.equal(say('locked', 19, null, 'now'), 'since epoch 19, until its lockup ends');
});

it('the next phase is described by its time of day, later ones by the number of epochs until then', () => {
  assert.match(
    say('withdrawable', 21, null, 'next'),
    /^from epoch 21 at the earliest, in about 1 h, at .*between/,
  );
  assert.equal(say('withdrawable', 23, null, 'next'), 'from epoch 23 at the earliest, 3 epochs from now');
});
