import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../../test/support/steerable-clock.ts';
import { notice } from '../domain/notice.ts';
import type { ApyFacts } from './apy-facts.ts';
import { createValidatorStatusBoard, STATUS_LIFETIME_MS, type ValidatorStatus } from './validator-status.ts';

const YIELD: ApyFacts = {
  apy: { stakingApy: 6.6, jitoMevApy: 0.4, totalApy: 7 },
  inflationPerEpoch: 0.00035,
  tipsPerEpoch: 0.00002,
  secondsPerEpoch: 172_800,
  staking: null,
  mev: null,
  schedule: null,
  epochs: [],
  spread: { interval: null, missing: null, past: { said: 0, held: 0 } },
  notices: [],
  warnings: [],
};
const FINE: ValidatorStatus = {
  listed: true,
  moved: null,
  delinquent: false,
  lastVote: null,
  inEpoch: true,
  reported: [],
  commission: 5,
  recordedCommission: 5,
  apy: YIELD,
};
const SOL = 1_000_000_000n;

const boardWith = (status: ValidatorStatus) => {
  const clock = createManualClock();
  const board = createValidatorStatusBoard(clock);
  board.post(status);
  return { clock, board };
};

test('the validator status is unknown before the first poll and once the last poll is a minute old', () => {
  const empty = createValidatorStatusBoard(createManualClock());
  assert.deepEqual([empty.current(), empty.warnings(), empty.rewardsEstimate(SOL)], [null, [], null]);
  const { clock, board } = boardWith({ ...FINE, commission: 7, recordedCommission: 5 });
  clock.advance(STATUS_LIFETIME_MS - 1);
  assert.equal(board.warnings().length, 1);
  clock.advance(1);
  assert.deepEqual([board.current(), board.warnings(), board.rewardsEstimate(SOL)], [null, [], null]);
});

test('a critical notice outlives its poll, until a newer read says that the validator has recovered', () => {
  const { clock, board } = boardWith({ ...FINE, delinquent: true, commission: 7, recordedCommission: 5 });
  clock.advance(STATUS_LIFETIME_MS);
  assert.deepEqual(
    board.notices().map(({ code }) => code),
    ['VALIDATOR_DELINQUENT'],
  );
  board.noteState({ delinquent: false, inEpoch: true, commissionPct: 5 });
  assert.deepEqual(board.notices(), []);
});

test('a poll that is in the future because the clock was set back yields no validator status', () => {
  const { clock, board } = boardWith({ ...FINE, delinquent: true });
  clock.advance(-1);
  assert.deepEqual([board.current(), board.rewardsEstimate(SOL)], [null, null]);
  board.post(FINE);
  assert.equal(board.current(), FINE);
});

test('a state read after the poll replaces the state of the poll, but does not make the poll younger', () => {
  const { clock, board } = boardWith(FINE);
  board.noteState({ delinquent: true, inEpoch: false, commissionPct: 100 });
  assert.deepEqual(
    board.notices().map(({ code }) => code),
    ['VALIDATOR_DELINQUENT', 'VALIDATOR_NOT_ADMITTED', 'COMMISSION_FULL', 'COMMISSION_RAISED'],
  );
  board.noteState('closed');
  assert.deepEqual(
    board.notices().map(({ code }) => code),
    ['VALIDATOR_CLOSED'],
  );
  board.noteState({ delinquent: false, inEpoch: true, commissionPct: 5 });
  assert.deepEqual(board.notices(), []);
  clock.advance(STATUS_LIFETIME_MS);
  board.noteState({ delinquent: true, inEpoch: true, commissionPct: 5 });
  assert.equal(board.current(), null);
});

test('a healthy validator triggers no warning', () => {
  assert.deepEqual(boardWith(FINE).board.warnings(), []);
});

test('a raised commission is reported with both values, and a lowered or unknown one is not reported', () => {
  const warningsAt = (commission: number | null, recordedCommission: number | null) =>
    boardWith({ ...FINE, commission, recordedCommission }).board.warnings();
  assert.deepEqual(warningsAt(7.5, 5), [
    'The validator’s commission rose from 5% to 7.5% within the last epochs.',
  ]);
  for (const [now, before] of [
    [5, 7.5],
    [null, 5],
    [99, null],
  ] as const)
    assert.deepEqual(warningsAt(now, before), []);
});

test('delinquency and a raised commission are reported together', () => {
  const { board } = boardWith({
    ...FINE,
    delinquent: true,
    commission: 100,
    recordedCommission: 0,
    apy: null,
  });
  assert.match(board.warnings()[0]!, /delinquent/);
  assert.match(board.warnings()[1]!, /is 100%/);
  assert.match(board.warnings()[2]!, /from 0% to 100%/);
});

test('an estimate is based on the delegated part and the reported yield, to the lamport', () => {
  assert.deepEqual(boardWith(FINE).board.rewardsEstimate(10n * SOL), {
    estimatedAnnualSol: 0.7,
    estimatedPerEpochSol: 0.0037,
    basedOnApy: 7,
  });
  assert.equal(boardWith(FINE).board.rewardsEstimate(1n)?.estimatedAnnualSol, 0);
});

test('no reward estimate is given while there is a critical notice', () => {
  for (const status of [{ delinquent: true }, { inEpoch: false }, { commission: 100 }, { listed: false }])
    assert.equal(boardWith({ ...FINE, ...status }).board.rewardsEstimate(SOL), null);
  assert.deepEqual(
    boardWith({ ...FINE, commission: 100, recordedCommission: 0 }).board.notices()[0],
    notice(
      'COMMISSION_FULL',
      'The validator’s commission is 100%, so stake delegated to it earns no inflation rewards.',
      { commissionPct: 100 },
    ),
  );
});

test('no reward estimate is given while any part of the yield is unknown', () => {
  for (const apy of [
    null,
    { ...YIELD, apy: { ...YIELD.apy, jitoMevApy: null, totalApy: null } },
    { ...YIELD, tipsPerEpoch: null },
    { ...YIELD, inflationPerEpoch: null },
  ])
    assert.equal(boardWith({ ...FINE, apy }).board.rewardsEstimate(SOL), null);
});

test('a commission of 100%, a changed identity and a closed vote account are reported separately', () => {
  const warningsOf = (status: Partial<ValidatorStatus>) => boardWith({ ...FINE, ...status }).board.warnings();
  assert.deepEqual(warningsOf({ commission: 100, recordedCommission: 100 }), [
    'The validator’s commission is 100%, so stake delegated to it earns no inflation rewards.',
  ]);
  assert.deepEqual(warningsOf({ moved: { from: 'Old', to: 'New' } }), [
    'The validator’s vote account moved to another identity while this service was running, from Old to New.',
  ]);
  assert.deepEqual(warningsOf({ listed: false, delinquent: true }), [
    'The cluster no longer lists the validator’s vote account. It may have been closed, and stake delegated to it earns nothing.',
  ]);
});

test('reported validator alerts, such as a missed epoch, are shown before signing, and a raised commission is shown only once', () => {
  const raised = { ...FINE, commission: 10, recordedCommission: 0 };
  const reported = [
    notice('COMMISSION_RAISED', 'It rose at the boundary.', { what: 'inflationCommissionBps' }),
  ];
  assert.deepEqual(boardWith({ ...raised, reported }).board.warnings(), ['It rose at the boundary.']);
  const absent = [notice('EPOCH_MISSED', 'It was absent.')];
  assert.equal(boardWith({ ...raised, reported: absent }).board.warnings().length, 2);
  assert.match(
    boardWith({ ...FINE, inEpoch: false }).board.warnings()[0]!,
    /does not participate in this epoch/,
  );
});
