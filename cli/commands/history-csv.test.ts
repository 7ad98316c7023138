// Checks the CSV of a wallet's history: exact amounts that add up per account and for the wallet, oldest first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HistoryLeg, WalletHistoryAnswer } from '../../client/generated/stake-operations.ts';
import { historyCsv } from './history-csv.ts';

const leg = (
  type: HistoryLeg['type'],
  stakeAccountAddress: string | null,
  counterAccountAddress: string | null,
  amountSol: number | null,
): HistoryLeg => ({ type, stakeAccountAddress, counterAccountAddress, amountSol });

const entry = (epoch: number, legs: readonly HistoryLeg[]) =>
  ({
    confirmedAt: `2026-11-2${epoch}T08:05:59.123Z`,
    epoch,
    slot: epoch * 10,
    signature: `s${epoch}`,
    legs,
  }) as WalletHistoryAnswer['history'][number];

/** Newest first, as in the response. */
const entries = [
  entry(3, [leg('withdraw', 'B', 'W', 1.500000001), leg('authorize', 'A', 'X', null)]),
  entry(2, [
    leg('create', 'B', 'W', 0.00228288),
    leg('split', 'A', 'B', 1.5),
    leg('deactivate', 'B', null, 1.5),
  ]),
  entry(1, [
    leg('create', 'A', 'W', 4),
    leg('delegate', 'A', 'V', 3.99771712),
    leg('transfer', null, 'D', 0.1),
  ]),
];

test('the lines are in order, with ISO times in UTC and empty fields for what does not apply', () => {
  const lines = historyCsv(entries, 'W').split('\r\n');
  assert.deepEqual(lines, [
    'confirmedAt,epoch,slot,signature,effect,stakeAccountAddress,fromAddress,toAddress,movedSol,walletChangeSol,delegatedSol',
    '2026-11-21T08:05:59.123Z,1,10,s1,create,A,W,A,4,-4,',
    '2026-11-21T08:05:59.123Z,1,10,s1,delegate,A,,,,,3.99771712',
    '2026-11-21T08:05:59.123Z,1,10,s1,transfer,,W,D,0.1,-0.1,',
    '2026-11-22T08:05:59.123Z,2,20,s2,create,B,W,B,0.00228288,-0.00228288,',
    '2026-11-22T08:05:59.123Z,2,20,s2,split,A,A,B,1.5,,',
    '2026-11-22T08:05:59.123Z,2,20,s2,deactivate,B,,,,,-1.5',
    '2026-11-23T08:05:59.123Z,3,30,s3,withdraw,B,B,W,1.500000001,1.500000001,',
    '2026-11-23T08:05:59.123Z,3,30,s3,authorize,A,,,,,',
    '',
  ]);
});

test('the amounts of all lines add up to the balance of each account', () => {
  const rows = historyCsv(entries, 'W')
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(','));
  const balances = new Map<string, number>();
  for (const [, , , , , , from, to, moved] of rows) {
    if (moved === '') continue;
    const lamports = Math.round(Number(moved) * 1e9);
    balances.set(from!, (balances.get(from!) ?? 0) - lamports);
    balances.set(to!, (balances.get(to!) ?? 0) + lamports);
  }
  const wallet = rows.reduce((sum, row) => sum + Math.round(Number(row[9] || 0) * 1e9), 0);
  assert.deepEqual(
    [balances.get('A'), balances.get('B'), balances.get('W')],
    [2_500_000_000, 2_282_879, wallet],
  );
});
