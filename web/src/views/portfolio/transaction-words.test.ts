// Tests that each step of a landed transaction says what moved from where to where, and omits unknown figures.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HistoryEntry, HistoryLeg } from '../../../../client/generated/stake-operations.ts';
import { exactSol } from '../../text/format-figures.ts';
import { accountsOf, legWords, titleOf } from './transaction-words.ts';

const ONE = '11111111111111111111111111111112';
const TWO = 'Stake11111111111111111111111111111111111111';
const leg = (type: HistoryLeg['type'], amountSol: number | null, other: string | null = TWO): HistoryLeg => ({
  type,
  amountSol,
  stakeAccountAddress: ONE,
  counterAccountAddress: other,
});

test('a step names its accounts in the direction of the SOL, and its amount only if it is known', () => {
  const words = (...args: Parameters<typeof leg>): string => legWords(leg(...args));
  const [split, merge] = [words('split', 3), words('merge', 3)];
  assert.match(split, /^Split 3 SOL off 1111.+ into Stak/);
  assert.match(merge, /^Merged Stak.+ \(3 SOL\) into 1111/);
  assert.doesNotMatch(words('merge', null), /SOL|null/);
  assert.match(words('withdraw', null), /^Withdrew SOL from 1111/);
  assert.match(words('moveStake', 1.5), /^Moved 1\.5 SOL of stake from 1111.+ to Stak/);
  assert.match(words('moveStake', 1, null), /to another account$/);
});

test('the title lists every change with its amount or accounts, and only the first begins with a capital', () => {
  const act = (name: HistoryEntry['act'], amountSol: number | null, accounts: readonly number[] = []) => ({
    act: name,
    amountSol,
    accountCount: accounts[0] ?? null,
    accountsLeft: accounts[1] ?? null,
  });
  const title = (...acts: HistoryEntry['acts']): string => titleOf({ acts, legs: [leg('merge', null)] });
  assert.equal(title(act('unstake', 5), act('withdraw', 1234.5)), 'Unstake 5 SOL, withdraw 1,234.50 SOL');
  assert.equal(title(act('merge', null, [3, 1]), act('withdraw', 0.002)), 'Merge 3 → 1, withdraw 0.002 SOL');
  assert.equal(title(act('rescue', null, [1])), 'Took back control');
  assert.equal(title(act('rescue', null, [2])), 'Took back control of 2 stakes');
  const long = { acts: [act('unstake', 1.99833376)], legs: [] };
  assert.deepEqual(
    [titleOf(long), titleOf(long, exactSol)],
    ['Unstake 1.9983 SOL', 'Unstake 1.99833376 SOL'],
  );
  assert.equal(title(act('unstake', null)), 'Unstake');
  assert.equal(title(act('change', null)), 'Change stake');
  assert.equal(title(act('authorize', null, [1])), 'Changed an authority');
});

test('a row names every stake account of its transaction, and for a merge the amount that moved', () => {
  const THREE = 'Vote111111111111111111111111111111111111111';
  const accounts = (stakeAccountAddress: string | null, ...legs: HistoryLeg[]) =>
    accountsOf({ stakeAccountAddress, legs });
  assert.deepEqual(accounts(null, leg('split', 1), leg('undo', 1, THREE)), [ONE, TWO]);
  assert.deepEqual(accounts(null, leg('merge', 1), leg('merge', 2, THREE)), [ONE, TWO, THREE]);
  assert.deepEqual(accounts(TWO, leg('authorize', null, THREE)), [TWO, ONE]);
  assert.deepEqual(accounts(null), []);
  const acts = [{ act: 'merge', amountSol: null, accountCount: 3, accountsLeft: 1 }] as const;
  assert.equal(titleOf({ acts, legs: [leg('merge', 1.5), leg('merge', 2)] }), 'Merge 3 → 1 (3.50 SOL)');
  assert.equal(titleOf({ acts, legs: [leg('merge', 1.5), leg('merge', null)] }), 'Merge 3 → 1');
});
