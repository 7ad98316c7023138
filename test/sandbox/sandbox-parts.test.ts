// Checks the small parts of the sandbox: encodings compared with the runtime's decoding, the gate, the
// timeline, the samples and the leaders.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getBase58Decoder } from '@solana/kit';
import { decodeAddress, decodeBase58, encodeBase58 } from '../../sandbox/base58.ts';
import { readDelegation } from '../../sandbox/epochs/delegation-bytes.ts';
import { LeaderSchedule } from '../../sandbox/epochs/leader-schedule.ts';
import { RewardLedger } from '../../sandbox/epochs/reward-ledger.ts';
import { SlotTimeline } from '../../sandbox/epochs/slot-timeline.ts';
import { AccessGate } from '../../sandbox/gateway/access-gate.ts';
import { PerformanceSamples } from '../../sandbox/gateway/performance-samples.ts';
import { parseJson, stringifyJson } from '../../sandbox/runtime-client.ts';
import { sharedSandbox } from '../support/sandbox-fixture.ts';

const cluster = sharedSandbox({ before, after }, { startEpoch: 70 });

test('base58 matches kit for every length and for leading zeros', () => {
  for (let length = 0; length <= 70; length += 1) {
    for (const leadingZeros of [0, 1, Math.floor(length / 2), length]) {
      const bytes = Uint8Array.from({ length }, (_, index) =>
        index < leadingZeros ? 0 : (index * 167 + length * 31) % 256,
      );
      const text = encodeBase58(bytes);
      assert.equal(text, getBase58Decoder().decode(bytes));
      assert.deepEqual(decodeBase58(text), bytes);
    }
  }
  assert.equal(decodeBase58('0OIl'), null);
  for (const wrong of [
    '',
    '1',
    'x'.repeat(44),
    '1'.repeat(31),
    '1'.repeat(33),
    5,
    null,
    `${'1'.repeat(31)}0`,
  ]) {
    assert.equal(decodeAddress(wrong), null, String(wrong));
  }
  assert.deepEqual(decodeAddress('1'.repeat(32)), new Uint8Array(32));
});

test('large integers keep all their digits in JSON, and other values stay unchanged', () => {
  const text =
    '{"a":18446744073709551615,"b":[9007199254740993,1.5,-2,1e3],"c":"18446744073709551615","d":null}';
  assert.equal(stringifyJson(parseJson(text)), text.replace('1e3', '1000'));
  assert.equal(stringifyJson({ lamports: 18_446_744_073_709_551_615n }), '{"lamports":18446744073709551615}');
});

test('the runtime decodes the vote account written by the sandbox exactly', async () => {
  const sandbox = cluster.get();
  await sandbox.advanceEpochs(66);
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'getAccountInfo',
    params: [sandbox.voteAccount, { encoding: 'jsonParsed' }],
  });
  const response = await fetch(sandbox.rpcUrl, { method: 'POST', body });
  const { info } = (
    (await response.json()) as { result: { value: { data: { parsed: { info: VoteInfo } } } } }
  ).result.value.data.parsed;
  assert.equal(info.nodePubkey, sandbox.identity);
  assert.equal(info.commission, 0);
  assert.equal(info.inflationRewardsCommissionBps, 0);
  assert.equal(info.authorizedVoters[0]?.authorizedVoter, sandbox.identity);
  assert.equal(info.votes.length, 31);
  assert.equal(info.votes.at(-1)?.confirmationCount, 1);
  assert.equal(info.rootSlot, (info.votes[0]?.slot ?? 0) - 1);
  assert.equal(info.lastTimestamp.slot, info.votes.at(-1)?.slot);
  assert.equal(info.epochCredits.length, 64, 'the oldest epochs are dropped');
  info.epochCredits.forEach((entry, index) => {
    assert.equal(entry.epoch, sandbox.epoch() - 64 + index);
    assert.equal(BigInt(entry.credits) - BigInt(entry.previousCredits), 6_808_320n);
  });
});

type VoteInfo = {
  nodePubkey: string;
  commission: number;
  inflationRewardsCommissionBps: number;
  authorizedVoters: { authorizedVoter: string }[];
  votes: { slot: number; confirmationCount: number }[];
  rootSlot: number;
  lastTimestamp: { slot: number };
  epochCredits: { epoch: number; credits: string; previousCredits: string }[];
};

test('a delegation is read only from account data whose tag indicates one', () => {
  const data = Buffer.alloc(200);
  data.writeUInt32LE(2, 0);
  data.writeBigUInt64LE(5n, 156);
  assert.equal(readDelegation(data)?.stakeLamports, 5n);
  data.writeUInt32LE(1, 0);
  assert.equal(readDelegation(data), null);
  assert.equal(readDelegation(data.subarray(0, 100)), null);
});

test('an exclusive section waits for earlier sections, holds back later ones, and runs alone', async () => {
  const gate = new AccessGate();
  const events: string[] = [];
  const leaveFirst = await gate.enter();
  const exclusive = gate.exclusive(async () => {
    events.push('exclusive begins');
    await Promise.resolve();
    events.push('exclusive ends');
  });
  const second = gate.enter().then((leave) => {
    events.push('second enters');
    leave();
  });
  const another = gate.exclusive(() => events.push('another exclusive'));
  await Promise.resolve();
  assert.deepEqual(events, []);
  leaveFirst();
  leaveFirst();
  await Promise.all([exclusive, second, another]);
  assert.deepEqual(events, ['exclusive begins', 'exclusive ends', 'another exclusive', 'second enters']);
});

test('a section that throws leaves the gate open', async () => {
  const gate = new AccessGate();
  await assert.rejects(
    gate.exclusive(() => {
      throw new Error('broken');
    }),
  );
  (await gate.enter())();
  assert.equal(await gate.exclusive(() => 1), 1);
});

test('the time of a block is between the times of its neighbors, even across a jump', () => {
  const timeline = new SlotTimeline();
  timeline.note(100, 1_000_000);
  timeline.note(101, 1_000_400);
  timeline.note(150, 1_010_000);
  timeline.note(150, 1_010_100, true);
  timeline.note(432_000, 1_010_100, true);
  assert.equal(timeline.blockTime(99), null);
  assert.equal(timeline.blockTime(100), 1_000);
  assert.equal(timeline.blockTime(125), 1_005);
  assert.equal(timeline.blockTime(150), 1_010);
  assert.equal(timeline.blockTime(300_000), 1_010);
  assert.equal(timeline.blockTime(500_000), 1_010);
});

test('samples report the slots that actually passed, or the configured rate until a minute has passed', () => {
  const samples = new PerformanceSamples(1_440);
  assert.deepEqual(
    samples.recent(5, 10).map((sample) => sample.numSlots),
    [86_400],
  );
  for (let second = 1; second <= 120; second += 1) samples.note(second * 100, 100, 1_000);
  const recent = samples.recent(12_000, 10);
  assert.deepEqual(
    recent.map(({ slot, numSlots, samplePeriodSecs }) => [slot, numSlots, samplePeriodSecs]),
    [
      [12_000, 6_000, 60],
      [6_000, 6_000, 60],
    ],
  );
  assert.equal(samples.recent(12_000, 1).length, 1);
});

test('every slot has one leader, the same one in each run, four slots at a time and in proportion to stake', () => {
  const leaders = [
    { identity: 'a', weight: 1 },
    { identity: 'b', weight: 9 },
  ];
  const schedule = new LeaderSchedule(12, leaders);
  const slots = schedule.slotsOf('a');
  assert.ok(slots.length > 432_000 * 0.09 && slots.length < 432_000 * 0.11, String(slots.length));
  assert.equal(slots.length + schedule.slotsOf('b').length, 432_000);
  assert.ok(slots.every((slot) => schedule.leaderAt(slot) === 'a'));
  assert.equal(schedule.countBetween('a', 0, 431_999), slots.length);
  assert.equal(schedule.countBetween('a', 3, 5) + schedule.countBetween('b', 3, 5), 3);
  assert.deepEqual(new LeaderSchedule(12, leaders).slotsOf('a'), slots);
  assert.notDeepEqual(new LeaderSchedule(13, leaders).slotsOf('a'), slots);
  assert.deepEqual(schedule.slotsOf('nobody'), []);
});

test('the reward ledger adds up the rewards of one epoch per address, has no entry without a payment, and drops old epochs', () => {
  const ledger = new RewardLedger();
  const reward = { epoch: 5, effectiveSlot: 6, amount: 10n, postBalance: 100n, commissionBps: 0 };
  ledger.open(5);
  ledger.add('x', reward);
  ledger.add('x', { ...reward, amount: 5n, postBalance: 105n });
  ledger.add('y', { ...reward, amount: 0n });
  assert.deepEqual(ledger.reward(5, 'x'), { ...reward, amount: 15n, postBalance: 105n });
  assert.equal(ledger.reward(5, 'y'), undefined);
  ledger.open(517);
  assert.equal(ledger.reward(5, 'x'), undefined);
});
