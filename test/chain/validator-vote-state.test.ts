import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it, test } from 'node:test';
import { type Address, getAddressEncoder } from '@solana/kit';
import { sandboxKey } from '../../sandbox/sandbox-keys.ts';
import { decodeVoteState, VOTE_PROGRAM_ADDRESS } from '../../src/chain/validator/validator-vote-state.ts';
import { sharedSandbox } from '../support/sandbox-fixture.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import { seededRandom } from '../support/seeded-random.ts';

const owner = VOTE_PROGRAM_ADDRESS;

describe('a vote account of the real Vote program', () => {
  const shared = sharedSandbox({ before, after }, { startEpoch: 700 });
  let data: Buffer;
  before(async () => {
    const sandbox = shared.get();
    await sandbox.advanceEpochs(3);
    const staker = await SandboxStaker.fund(sandbox, 1_000_000_000n);
    data = (await staker.account(sandbox.voteAccount))!.data;
  });

  it('decodes to the identity, commissions, credits of each epoch, root and last vote', () => {
    const state = decodeVoteState({ owner, data })!;
    assert.equal(state.identity, shared.get().identity);
    assert.equal(state.inflationCommissionBps, 0);
    const { lastVoteSlot, rootSlot } = state;
    assert.deepEqual(
      state.epochCredits.map(({ epoch, credits, previousCredits }) => [epoch, credits - previousCredits]),
      [
        [700n, 6_808_320n],
        [701n, 6_808_320n],
        [702n, 6_808_320n],
      ],
    );
    assert.equal(lastVoteSlot! - rootSlot!, 31n);
    assert.equal(state.meanVoteLatencySlots, 1);
  });

  it('both commissions are read in basis points', () => {
    const charged = Buffer.from(data);
    charged.writeUInt16LE(725, 132);
    charged.writeUInt16LE(10_000, 134);
    const state = decodeVoteState({ owner, data: charged })!;
    assert.deepEqual([state.inflationCommissionBps, state.layout4?.blockRevenueCommissionBps], [725, 10_000]);
  });

  it('decodes to the same fields if it has a BLS key', () => {
    const keyed = Buffer.alloc(data.length);
    Buffer.concat([data.subarray(0, 144), Buffer.from([1]), Buffer.alloc(48, 9), data.subarray(145)])
      .subarray(0, data.length)
      .copy(keyed);
    const { epochCredits, rootSlot } = decodeVoteState({ owner, data })!;
    const state = decodeVoteState({ owner, data: keyed })!;
    assert.deepEqual([state.epochCredits, state.rootSlot], [epochCredits, rootSlot]);
    assert.equal(state.layout4?.hasBlsKey, true);
  });

  it('decodes to null if it is truncated, or has a different owner or layout', () => {
    for (const length of [0, 3, 67, 68, 100, 144, 300])
      assert.equal(decodeVoteState({ owner, data: data.subarray(0, length) }), null);
    assert.equal(decodeVoteState({ owner: sandboxKey('faucet').address as Address, data }), null);
    for (const layout of [0, 1, 4, 255]) {
      const other = Buffer.from(data);
      other.writeUInt32LE(layout, 0);
      assert.equal(decodeVoteState({ owner, data: other }), null);
    }
  });

  it('decodes to a state or null after each of a thousand random corruptions, and never throws', () => {
    const random = seededRandom(185);
    for (let round = 0; round < 1_000; round += 1) {
      const damaged = Buffer.from(data.subarray(0, 4 + Math.floor(random() * data.length)));
      for (let hit = 0; hit < 8; hit += 1)
        damaged[Math.floor(random() * Math.min(600, damaged.length))] = Math.floor(random() * 256);
      decodeVoteState({ owner, data: damaged });
    }
  });
});

/**
 * Builds layout 3, written by Agave since 2022, by hand, because the local Vote program writes only layout 4.
 */
const layout3 = (latencies: readonly number[]): Uint8Array => {
  const u64 = (value: bigint) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(value);
    return bytes;
  };
  const key = (name: string) => Buffer.from(getAddressEncoder().encode(sandboxKey(name).address as Address));
  const votes = latencies.map((latency, index) =>
    Buffer.concat([Buffer.from([latency]), u64(1_000n + BigInt(index)), Buffer.from([31 - index, 0, 0, 0])]),
  );
  const body = Buffer.concat([
    Buffer.from([2, 0, 0, 0]),
    key('identity'),
    key('withdrawer'),
    Buffer.from([8]),
    u64(BigInt(votes.length)),
    ...votes,
    Buffer.from([0]),
    u64(1n),
    u64(700n),
    key('identity'),
    Buffer.alloc(32 * 48 + 9),
    u64(1n),
    u64(700n),
    u64(500n),
    u64(100n),
    Buffer.alloc(16),
  ]);
  const data = new Uint8Array(3_762);
  data.set(body);
  return data;
};

test('a real validator’s vote account decodes with its commission collectors, pending delegator rewards and BLS key', () => {
  type Recorded = { readonly name: string; readonly params: [[string]]; readonly answer: unknown };
  const { calls } = JSON.parse(
    readFileSync('test/fixtures/agave-4.1.2/getMultipleAccounts.json', 'utf8'),
  ) as {
    calls: Recorded[];
  };
  const { answer: response, params } = calls.find(({ name }) => name === 'the vote account')!;
  const { result } = response as { result: { value: [{ data: [string]; owner: Address }] } };
  const [{ data: base64, owner: program }] = result.value;
  const state = decodeVoteState({ owner: program, data: Buffer.from(base64[0], 'base64') })!;
  const [voteAccount] = params[0];
  assert.deepEqual(
    [state.identity, state.withdrawAuthority, state.inflationCommissionBps, state.layout4],
    [
      'Cc3Q36ygtC2zcrztEAw4Hxx6ZctoaDPdbTNypNygABiw',
      voteAccount,
      0,
      {
        inflationCollector: voteAccount,
        blockRevenueCollector: state.identity,
        blockRevenueCommissionBps: 0,
        pendingDelegatorRewardsLamports: 0n,
        hasBlsKey: true,
      },
    ],
  );
  assert.deepEqual(
    state.epochCredits.map(({ epoch }) => epoch),
    [1n, 2n, 3n, 4n],
  );
  assert.equal(state.lastVoteSlot, 128n);
});

describe('the previous layout', () => {
  it('has whole-percent commissions and no commission on block revenue', () => {
    assert.deepEqual(decodeVoteState({ owner, data: layout3([1, 2, 4]) }), {
      identity: sandboxKey('identity').address,
      withdrawAuthority: sandboxKey('withdrawer').address,
      inflationCommissionBps: 800,
      layout4: null,
      lastVoteSlot: 1_002n,
      meanVoteLatencySlots: 2.33,
      rootSlot: null,
      epochCredits: [{ epoch: 700n, credits: 500n, previousCredits: 100n }],
    });
  });

  it('votes recorded before latencies existed do not count as fast', () => {
    assert.equal(decodeVoteState({ owner, data: layout3([0, 0, 3]) })?.meanVoteLatencySlots, 3);
    assert.equal(decodeVoteState({ owner, data: layout3([0, 0]) })?.meanVoteLatencySlots, null);
    assert.equal(decodeVoteState({ owner, data: layout3([]) })?.lastVoteSlot, null);
  });
});
