// Tests the news about an ended epoch: nothing is reported as unchanged before the rewards are known, and no
// reported change is lost.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type ElsewhereWatch, type EpochWatch, withElsewhere, withEpoch, withSummary } from './epoch-news.ts';

type Summary = Parameters<typeof withSummary>[1];

const START_MS = 1_000_000;

/** A summary with one active stake of this many lamports. */
const summary = (currentEpoch: number, lamports: number, more: object = {}): Summary =>
  ({
    walletAddress: 'wallet',
    accounts: [{ address: 'AAAAxxxxBBBB', lamports, sol: lamports / 1e9, state: 'active' }],
    portfolio: {},
    epochTiming: { currentEpoch, epochRewardsActive: false },
    ...more,
  }) as unknown as Summary;
const paying = (currentEpoch: number, lamports: number): Summary =>
  summary(currentEpoch, lamports, { epochTiming: { currentEpoch, epochRewardsActive: true } });

/** A page that has read epoch 10 and, by default, the wallet in it. */
const page = (before: Summary | null = summary(10, 1_000)) => {
  let watch: EpochWatch = withEpoch({ news: null }, 10, START_MS);
  const said = () => {
    const { news } = watch;
    return news && [news.epoch, news.isComplete, ...news.changes.map(({ text }) => text)];
  };
  const reads = {
    epoch: (epoch: number, afterMs = 0) => {
      watch = withEpoch(watch, epoch, START_MS + afterMs);
      return said();
    },
    summary: (read: Summary, afterMs = 0) => {
      watch = withSummary(watch, read, START_MS + afterMs);
      return said();
    },
    restarted: () => watch.news?.restarted,
  };
  if (before !== null) assert.equal(reads.summary(before), null);
  return reads;
};
const PAID = 'AAAA…BBBB received 0.0000005 SOL of rewards';

it('an epoch that began is not complete before a summary from it without a running distribution', () => {
  const { epoch, summary: read } = page();
  assert.deepEqual(epoch(11), [11, false]);
  assert.deepEqual(read(summary(10, 1_000), 7_000), [11, false], 'a summary from the old epoch');
  assert.deepEqual(read(paying(11, 1_000), 8_000), [11, false], 'a running distribution');
  assert.deepEqual(read(summary(11, 1_500), 9_000), [11, true, PAID]);
});

it('nothing is reported as unchanged right after the boundary, when rewards may not be visible yet', () => {
  const { epoch, summary: read } = page();
  epoch(11);
  assert.deepEqual(read(summary(11, 1_000), 5_999), [11, false]);
  assert.deepEqual(read(summary(11, 1_000), 6_000), [11, true]);
});

it('a summary that arrives before the epoch is read starts the same wait', () => {
  const { epoch, summary: read } = page();
  assert.deepEqual(read(summary(11, 1_000), 1_000), [11, false]);
  assert.deepEqual(read(summary(11, 1_500), 3_000), [11, true, PAID]);
  assert.deepEqual(epoch(11, 4_000), [11, true, PAID]);
});

it('a later read of the epoch or of the wallet does not replace a reported payment', () => {
  const { epoch, summary: read } = page();
  assert.deepEqual(read(paying(11, 1_500)), [11, false, PAID]);
  assert.deepEqual(epoch(11, 1_000), [11, false, PAID]);
  assert.deepEqual(read(summary(11, 900), 2_000), [11, false, PAID], 'withdrawn since');
  assert.deepEqual(read(summary(11, 900), 9_000), [11, true, PAID]);
  assert.deepEqual(read(summary(11, 900), 39_000), [11, true, PAID]);
  assert.deepEqual(epoch(12, 60_000), [12, false], 'the next epoch');
});

it('without an earlier state of the wallet, nothing is reported about it', () => {
  const first = page(null);
  assert.deepEqual(first.epoch(11), [11, false]);
  assert.equal(first.summary(summary(11, 1_000), 1_000), null);
  const other = page();
  other.epoch(11);
  assert.equal(other.summary(summary(11, 1_000, { walletAddress: 'other' }), 1_000), null);
});

it('a restarted sandbox is reported as such, and its wallet is not compared with the old chain', () => {
  const { epoch, summary: read, restarted } = page();
  assert.deepEqual(epoch(0), [0, true]);
  assert.deepEqual(read(summary(0, 5_000), 1_000), [0, true]);
  assert.equal(restarted(), true);
  assert.deepEqual(epoch(1, 60_000), [1, false]);
  assert.equal(restarted(), false);
});

it('stake with another validator that became inactive can be staked here, and stake with this one is in the summary', () => {
  const all = (currentEpoch: number, state: string, more: object = {}) =>
    ({
      walletAddress: 'wallet',
      validatorVoteAccount: 'ours',
      accounts: [
        { address: 'AAAAxxxxBBBB', lamports: 5, sol: 5, role: 'owner', voteAccount: 'other', state },
        { address: 'CCCCxxxxDDDD', lamports: 5, sol: 5, role: 'owner', voteAccount: 'ours', state },
      ],
      epochTiming: { currentEpoch },
      ...more,
    }) as unknown as Parameters<typeof withElsewhere>[1];
  const textsOf = ({ changes }: ElsewhereWatch) => changes.map(({ text }) => text);
  const first = withElsewhere(null, all(10, 'deactivating'));
  assert.deepEqual(textsOf(first), []);
  const ended = withElsewhere(first, all(11, 'inactive'));
  assert.deepEqual(textsOf(ended), ['AAAA…BBBB is inactive and can be staked here']);
  assert.deepEqual(textsOf(withElsewhere(ended, all(11, 'inactive'))), textsOf(ended), 'read again');
  assert.deepEqual(textsOf(withElsewhere(first, all(11, 'inactive', { walletAddress: 'b' }))), []);
  assert.deepEqual(textsOf(withElsewhere(first, all(0, 'inactive'))), [], 'a restarted sandbox');
});
