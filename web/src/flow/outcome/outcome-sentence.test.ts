// The outcome before signing: the amount and its time come first.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { timeText } from '../../text/format-figures.ts';
import { outcomeSentence } from './outcome-sentence.ts';

const NOW_MS = Date.parse('2026-11-24T12:00:00Z');
const END = '2026-11-24T14:10:00Z';
const boundary = { estimatedEpochEnd: END, earliestEpochEnd: END, latestEpochEnd: END };
const account = {
  state: 'active',
  activeSol: 5,
  activatingSol: 0,
  rentReserveSol: 0.00166624,
  lamports: 5_001_666_240,
} as const;
const time = timeText(END, NOW_MS);
const words = (
  request: Parameters<typeof outcomeSentence>[0],
  more: Partial<Parameters<typeof outcomeSentence>[1]> = {},
) => outcomeSentence(request, { lamports: 2_000_000_000n, account, boundary, ...more }, NOW_MS);

it('the outcome sentence contains the amount that arrives, and when it arrives', () => {
  assert.equal(words({ kind: 'stake' }), `Stake 2 SOL, earning from ${time}.`);
  assert.equal(words({ kind: 'withdraw' }), 'You get 2 SOL now.');
  assert.equal(words({ kind: 'unstake' }), `You can withdraw 5.0016 SOL from ${time}.`);
  assert.equal(words({ kind: 'restake' }), `5 SOL staked again, earning from ${time}.`);
  assert.equal(
    words({ kind: 'rearrange', change: { goal: 'undo' } }),
    'Your 5 SOL stays staked and misses no rewards.',
  );
});

it('stake that was never active is free immediately, and an unknown amount is not invented', () => {
  const fresh = { ...account, state: 'activating', activeSol: 0 } as const;
  assert.equal(words({ kind: 'unstake' }, { account: fresh }), 'You can withdraw 5.0016 SOL right away.');
  const inactive = { ...account, state: 'inactive' } as const;
  assert.equal(words({ kind: 'unstake' }, { account: inactive }), 'You can withdraw 5.0016 SOL right away.');
  assert.equal(words({ kind: 'unstake' }, { account: null }), null);
  assert.equal(words({ kind: 'stake' }, { lamports: null }), null);
  assert.equal(words({ kind: 'stake' }, { boundary: null }), 'Stake 2 SOL, earning from the next epoch.');
});
