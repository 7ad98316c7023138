// Tests that the figures of a wallet are the sums of its accounts, that inactive stake does not count, and that
// the earliest stake determines since when the wallet has staked here.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Account } from '../operator-api.ts';
import { concentrationPct, filterAccounts, groupStakers, sortStakers } from './group-stakers.ts';

const account = (walletAddress: string, stakeSol: number, more: Partial<Account> = {}): Account => ({
  stakeAccountAddress: `${walletAddress}-${stakeSol}`,
  walletAddress,
  label: null,
  stakeAuthority: walletAddress,
  stakeSol,
  balanceSol: stakeSol,
  sharePct: stakeSol,
  state: 'active',
  activationEpoch: 800,
  deactivationEpoch: null,
  firstSeenEpoch: 800,
  firstSeenAt: '2026-11-01T00:00:00.000Z',
  throughThisService: false,
  wayIn: null,
  ...more,
});

const inactive = { state: 'inactive', stakeSol: 0, sharePct: 0, activationEpoch: 5 } as const;

it('the accounts of a wallet are added up exactly to the lamport', () => {
  const [staker] = groupStakers([account('a', 0.1), account('a', 0.2, { activationEpoch: 790 })]);
  assert.equal(staker?.stakeLamports, 300_000_000n);
  assert.equal(staker?.accounts.length, 2);
  assert.equal(staker?.sinceEpoch, 790);
});

it('inactive accounts do not affect `sinceEpoch`, and stake since genesis counts as the earliest', () => {
  const since = (...accounts: Account[]) => groupStakers(accounts)[0]?.sinceEpoch;
  assert.equal(since(account('a', 1), account('a', 2, inactive)), 800);
  assert.equal(since(account('a', 2, inactive)), undefined);
  assert.equal(since(account('a', 1), account('a', 2, { activationEpoch: null })), null);
});

it('concentration is measured by wallets, not by accounts', () => {
  const stakers = groupStakers([
    account('a', 10),
    account('a', 30),
    account('b', 35),
    ...Array.from({ length: 25 }, (_, at) => account(`c${at}`, 1)),
  ]);
  assert.equal(concentrationPct(stakers, 1), 40);
  assert.equal(concentrationPct(stakers, 10), 83);
});

it('the search for stakers matches part of any address, part of a label in any case, and one state', () => {
  const accounts = [account('a', 1, { stakeAuthority: 'thief' }), account('b', 2, inactive)];
  assert.deepEqual(
    filterAccounts(accounts, 'hie', '').map(({ walletAddress }) => walletAddress),
    ['a'],
  );
  assert.equal(filterAccounts([account('a', 1, { label: 'Big Fund' })], 'big f', '').length, 1);
  assert.deepEqual(
    filterAccounts(accounts, '', 'inactive').map(({ walletAddress }) => walletAddress),
    ['b'],
  );
});

it('stakers can be sorted by each column, in both orders', () => {
  const stakers = groupStakers([
    account('a', 1, { activationEpoch: 700, firstSeenAt: null }),
    account('b', 3),
    account('c', 2, { activationEpoch: null }),
    account('c', 2.5, { activationEpoch: 1 }),
  ]);
  const order = (sort: Parameters<typeof sortStakers>[1], direction: 'asc' | 'desc') =>
    sortStakers(stakers, sort, direction)
      .map(({ walletAddress }) => walletAddress)
      .join('');
  assert.equal(order('stake', 'desc'), 'cba');
  assert.equal(order('stake', 'asc'), 'abc');
  assert.equal(order('since', 'asc'), 'cab');
  assert.equal(order('firstSeen', 'asc'), 'bca');
  assert.equal(order('accounts', 'desc'), 'cab');
  assert.equal(order('wallet', 'desc'), 'cba');
});
