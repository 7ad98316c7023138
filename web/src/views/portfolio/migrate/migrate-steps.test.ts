// Tests that moving a stake here shows which epoch earns nothing and when the stake earns here, for each state
// of the stake.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { boundedTime } from '../../../text/epoch-boundary.ts';
import { timeText } from '../../../text/format-figures.ts';
import { bringStep, type ElsewhereAccount, readyElsewhere, stakesElsewhere } from './migrate-steps.ts';

const NOW_MS = Date.parse('2026-11-24T12:00:00Z');
const timing = {
  currentEpoch: 10,
  epochRewardsActive: false,
  estimatedEpochEnd: '2026-11-24T14:10:00Z',
  earliestEpochEnd: '2026-11-24T13:55:00Z',
  latestEpochEnd: '2026-11-24T14:30:00Z',
};
const boundary = boundedTime(
  timing.estimatedEpochEnd,
  [timing.earliestEpochEnd, timing.latestEpochEnd],
  NOW_MS,
);
const account = (
  state: ElsewhereAccount['state'],
  more: Partial<ElsewhereAccount> = {},
): ElsewhereAccount => ({
  address: 'a',
  role: 'owner',
  state,
  lamports: 5,
  voteAccount: 'other',
  withdrawableAtEpoch: null,
  estimatedWithdrawableAt: null,
  ...more,
});
const delegate = (epoch: number) => ({
  laterSteps: [{ stakeAccountAddress: 'a', action: 'delegate' as const, epoch }],
  blocked: [],
});
const NOTHING_LATER = { laterSteps: [], blocked: [] };
const step = (...[one, plan]: [ElsewhereAccount, Parameters<typeof bringStep>[1]]) =>
  bringStep(one, plan, timing, NOW_MS);

it('active stake is deactivated, earns no rewards for an epoch and earns here from the next one', () => {
  assert.deepEqual(step(account('active'), delegate(11)), {
    words: `Deactivated first; it still earns there until epoch 10 ends. You can stake it here from ${boundary}. It earns nothing in epoch 11 and earns here from epoch 12.`,
    isNow: true,
  });
  // So much stake is deactivating that it takes several epochs.
  assert.match(
    step(account('active'), delegate(13)).words,
    /from epoch 13\. It earns nothing in epoch 13 and earns here from epoch 14/,
  );
});

it('activating stake changes immediately, deactivating stake waits, inactive stake is staked', () => {
  assert.match(step(account('activating'), NOTHING_LATER).words, /earns from epoch 11\. You lose no rewards/);
  const waiting = account('deactivating', { withdrawableAtEpoch: 11 });
  assert.deepEqual(step(waiting, null), {
    words: `Deactivating. You can stake it here from ${boundary}. It earns nothing in epoch 11 and earns here from epoch 12.`,
    isNow: false,
  });
  const at = '2026-11-26T14:10:00Z';
  const long = account('deactivating', { withdrawableAtEpoch: 12, estimatedWithdrawableAt: at });
  assert.ok(step(long, delegate(12)).words.includes(`from ${timeText(at, NOW_MS)}.`));
  assert.equal(step(account('inactive'), NOTHING_LATER).isNow, true);
});

it('stake that cannot be moved has a reason, and no action is offered while rewards are paid', () => {
  const blocked = {
    laterSteps: [],
    blocked: [{ stakeAccountAddress: 'a', reason: 'below the minimum' as const, possibleFromEpoch: null }],
  };
  assert.match(step(account('active'), blocked).words, /below the minimum stake/);
  const paying = bringStep(account('active'), delegate(11), { ...timing, epochRewardsActive: true }, NOW_MS);
  assert.equal(paying.isNow, false);
});

it('only stake that the wallet owns at another validator counts', () => {
  const accounts = [
    account('active', { address: 'yes' }),
    account('active', { voteAccount: 'ours' }),
    account('initialized', { voteAccount: null }),
    account('active', { role: 'staker' }),
  ];
  assert.deepEqual(
    stakesElsewhere(accounts, 'ours').map(({ address }) => address),
    ['yes'],
  );
});

it('only inactive stake above the minimum is ready, and its rent is not counted', () => {
  const of = (
    address: string,
    state: ElsewhereAccount['state'],
    lamports: number,
    voteAccount = 'other',
  ) => ({
    ...account(state, { address, lamports, voteAccount }),
    rentReserveSol: 0.002,
  });
  const accounts = [
    of('yes', 'inactive', 4_002_000_000),
    of('small', 'inactive', 1_001_000_000),
    of('active', 'active', 4_002_000_000),
    of('here', 'inactive', 4_002_000_000, 'ours'),
  ];
  assert.deepEqual(readyElsewhere(accounts, 'ours'), { accounts: ['yes'], lamports: 4_000_000_000n });
});
