// Each step of a landed transaction says what moved from where to where, without unknown figures.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HistoryLeg } from '../../../../client/generated/stake-operations.ts';
import { legWords } from './leg-words.ts';

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
