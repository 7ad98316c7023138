// Tests the order of the account table, and the text about the next event of an account.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { boundedTime } from '../../../text/epoch-boundary.ts';
import { timeText } from '../../../text/format-figures.ts';
import { nextDate, type OrderedAccount, orderAccounts } from './account-order.ts';

const NOW_MS = Date.parse('2026-11-24T12:00:00Z');
const timing = {
  currentEpoch: 10,
  estimatedEpochEnd: '2026-11-24T14:10:00Z',
  earliestEpochEnd: '2026-11-24T13:55:00Z',
  latestEpochEnd: '2026-11-24T14:30:00Z',
};
const account = (address: string, more: Partial<OrderedAccount> = {}): OrderedAccount => ({
  address,
  state: 'active',
  lamports: 1,
  activationEpoch: 5,
  withdrawReady: false,
  withdrawableAtEpoch: null,
  estimatedWithdrawableAt: null,
  estimatedDailyRewardSol: 0.001,
  role: 'owner',
  withdrawAuthority: 'own',
  ...more,
});
const cooling = (address: string, epoch: number, estimatedWithdrawableAt: string) =>
  account(address, { state: 'deactivating', withdrawableAtEpoch: epoch, estimatedWithdrawableAt });

const words = (one: OrderedAccount, known: typeof timing | null = timing): string =>
  nextDate(one, known, NOW_MS).words;
it('an event at the next boundary is shown with its bounds, a later one with its time, and a ready account as ready', () => {
  const { estimatedEpochEnd, earliestEpochEnd, latestEpochEnd } = timing;
  const boundary = boundedTime(estimatedEpochEnd, [earliestEpochEnd, latestEpochEnd], NOW_MS);
  assert.equal(words(cooling('a', 11, timing.estimatedEpochEnd)), `Withdraw ${boundary}`);
  const later = '2026-11-26T14:10:00Z';
  assert.equal(words(cooling('a', 12, later)), `Withdraw ${timeText(later, NOW_MS)}`);
  assert.equal(words(account('a', { state: 'activating' })), `Active ${boundary}`);
  assert.equal(words(account('a', { state: 'activating' }), null), 'Active next epoch');
  assert.equal(words(account('a', { state: 'inactive', withdrawReady: true })), 'Withdraw now');
  assert.equal(words(account('a')), 'Earning');
  for (const estimatedDailyRewardSol of [0, null])
    assert.equal(words(account('a', { estimatedDailyRewardSol })), '–', 'nothing is earned');
  assert.equal(words(account('a', { state: 'inactive', withdrawableAtEpoch: 99 })), 'Withdraw epoch 99');
});

it('the stake authority alone reads who can withdraw, and when', () => {
  const lent = { role: 'staker', withdrawAuthority: '2iPdUKxxxxxxxxxxxxxxxxxxxxxxxxxxxxxnJRm' } as const;
  const ready = nextDate(account('a', { ...lent, withdrawReady: true }), timing, NOW_MS);
  assert.deepEqual(ready, { words: '2iPd…nJRm can withdraw now', sentence: '2iPd…nJRm can withdraw now' });
  const later = { ...cooling('a', 12, '2026-11-26T14:10:00Z'), ...lent };
  assert.match(nextDate(later, timing, NOW_MS).sentence, /^2iPd…nJRm can withdraw from Nov 26/);
});

it('each column sorts by its displayed value, in both directions, and equal accounts keep their order', () => {
  const accounts = [
    account('c', { lamports: 30, activationEpoch: null, state: 'initialized', withdrawReady: true }),
    account('b', { lamports: 10, activationEpoch: 7 }),
    account('d', { lamports: 10, activationEpoch: 9, state: 'activating' }),
    cooling('a', 11, timing.estimatedEpochEnd),
  ];
  const order = (by: Parameters<typeof orderAccounts>[1]['by'], descending = false): string =>
    orderAccounts(accounts, { by, descending })
      .map(({ address }) => address)
      .join('');
  assert.equal(order('account'), 'abcd');
  assert.equal(order('account', true), 'dcba');
  assert.equal(order('sol'), 'abdc');
  assert.equal(order('sol', true), 'cbda');
  assert.equal(order('state'), 'adbc');
  assert.equal(order('since'), 'abdc');
  assert.equal(
    order('next'),
    'cadb',
    'accounts sort by ready now, ready at the boundary, then without a date',
  );
});
