import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OWNER, STAKE_ADDRESS, VOTE_ACCOUNT } from '../../../test/support/stake-account-examples.ts';
import { EPOCH_ABSENT } from '../stake/stake-account.ts';
import { stakeCalendar } from './stake-calendar.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const position = {
  epoch: 20n,
  slotIndex: 100_000n,
  slotsInEpoch: 432_000n,
  readAtMs: NOW,
  slotDurationMs: 200,
  fastestSlotMs: 190,
  slowestSlotMs: 220,
  epochRewardsActive: false,
};
const stake = (
  delegation: { activationEpoch?: bigint; deactivationEpoch?: bigint },
  assessment: { activatingLamports?: bigint; activeLamports?: bigint; withdrawableAtEpoch?: bigint | null },
) => ({
  account: {
    address: STAKE_ADDRESS,
    lamports: 2_500_000_000n,
    delegation: {
      voteAccount: VOTE_ACCOUNT,
      stakeLamports: 2_497_717_120n,
      creditsObserved: 0n,
      activationEpoch: 20n,
      deactivationEpoch: EPOCH_ABSENT,
      ...delegation,
    },
  },
  assessment: { activatingLamports: 0n, activeLamports: 0n, withdrawableAtEpoch: null, ...assessment },
});
const unfolded = (text: string) => text.replaceAll('\r\n ', '');
const uids = (text: string) => [...unfolded(text).matchAll(/^UID:(.*)\r$/gm)].map(([, uid]) => uid);

test('activating, active and deactivating stakes have entries whose UIDs stay the same when estimates change', () => {
  const stakes = [
    stake({}, { activatingLamports: 1n }),
    stake({ activationEpoch: 3n, deactivationEpoch: 20n }, { activeLamports: 1n, withdrawableAtEpoch: 21n }),
  ];
  const text = stakeCalendar(OWNER, stakes, position, NOW);
  assert.deepEqual(uids(text), [
    `active-${STAKE_ADDRESS}-20@holdfast`,
    `undo-${STAKE_ADDRESS}-20@holdfast`,
    `withdraw-${STAKE_ADDRESS}-20@holdfast`,
    `reward-${OWNER}-20@holdfast`,
  ]);
  const later = stakeCalendar(
    OWNER,
    stakes,
    { ...position, slotIndex: 200_000n, slotDurationMs: 210 },
    NOW + 3_600_000,
  );
  assert.deepEqual(uids(later), uids(text));
  assert.notEqual(later, text);
  assert.match(unfolded(text), /DTSTART:20261124T062640Z/, '332,000 slots of 200 ms after noon');
  assert.match(unfolded(text), /between 2026-11-24T0\d:.* and 2026-11-24T/);
  assert.deepEqual(uids(stakeCalendar(OWNER, [], position, NOW)), []);
});

test('lines end with CRLF and have at most 75 octets, and commas and semicolons are escaped', () => {
  const text = stakeCalendar(OWNER, [stake({}, { activatingLamports: 1n })], position, NOW);
  assert.ok(text.startsWith('BEGIN:VCALENDAR\r\nVERSION:2.0\r\n') && text.endsWith('END:VCALENDAR\r\n'));
  assert.doesNotMatch(text.replaceAll('\r\n', ''), /[\r\n]/);
  for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line);
  assert.doesNotMatch(unfolded(text), /^(SUMMARY|DESCRIPTION):.*[^\\][,;]/m);
});
