// Tests that merged pages of history contain nothing twice, lose nothing, and are sorted newest first.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { HistoryEntry, WalletAlert } from '../../../../client/generated/stake-operations.ts';
import { changesByOthers, isContiguous, mergeHistory } from './merge-history.ts';

const entry = (slot: number, more: Partial<HistoryEntry> = {}): HistoryEntry => ({
  type: 'stake',
  act: 'stake',
  title: 'Stake 1 SOL',
  acts: [{ act: 'stake', amountSol: 1, accountCount: null, accountsLeft: null }],
  signature: `sig${slot}`,
  stakeAccountAddress: 'S',
  amountSol: 1,
  legs: [],
  hasMemo: true,
  slot,
  epoch: 1,
  confirmedAt: '2026-11-21T10:00:00Z',
  source: 'rest',
  explorerUrl: `https://explorer.example/tx/sig${slot}?cluster=x`,
  accountUrl: 'https://explorer.example/address/S?cluster=x',
  ...more,
});
const slots = (entries: readonly HistoryEntry[]) => entries.map(({ slot }) => slot);

it('a first page with new entries leaves no gap to the older ones and repeats none', () => {
  const before = [entry(9), entry(8), entry(7)];
  const older = mergeHistory(before, [entry(6), entry(5)]);
  assert.deepEqual(slots(mergeHistory([entry(11), entry(10), entry(9)], older)), [11, 10, 9, 8, 7, 6, 5]);
});

it('older entries are kept only if the new first page reaches them, so none in between are missing', () => {
  const shown = [entry(9), entry(8), entry(7)];
  const page = (history: readonly HistoryEntry[], nextCursor: string | null = 'older') => ({
    history,
    nextCursor,
  });
  assert.equal(isContiguous(page([entry(11), entry(10), entry(9)]), shown), true);
  assert.equal(isContiguous(page([entry(14), entry(13), entry(12)]), shown), false);
  assert.equal(
    isContiguous(page([entry(9, { stakeAccountAddress: 'T' })]), shown),
    false,
    'another entry of that slot',
  );
  assert.equal(isContiguous(page([entry(14)], null), shown), true, 'the page is the whole history');
});

it('one transaction that affected two accounts stays two entries', () => {
  assert.equal(mergeHistory([entry(9)], [entry(9, { stakeAccountAddress: 'T' })]).length, 2);
});

it("changes that others signed are added as far back as the entries reach, and the wallet's own changes are not repeated", () => {
  const change = (slot: number, ...signedBy: string[]) =>
    ({ slot, data: { signedBy } }) as unknown as Pick<WalletAlert, 'slot' | 'data'>;
  const changes = [change(9, 'payer', 'wallet'), change(7, 'thief'), change(2, 'thief')];
  const slots = (hasMore: boolean) =>
    changesByOthers('wallet', changes, { entries: [entry(9), entry(5)], hasMore }).map(({ slot }) => slot);
  assert.deepEqual(slots(true), [7]);
  assert.deepEqual(slots(false), [7, 2]);
});
