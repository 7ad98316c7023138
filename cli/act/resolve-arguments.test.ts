// Tests abbreviated arguments: the first characters of an address, and amounts instead of an account.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HoldfastClient } from '../../client/holdfast-client.ts';
import { failureOf } from '../report-failure.ts';
import { UsageError } from '../usage-error.ts';
import { createResolver, isAmount } from './resolve-arguments.ts';
import { acts } from './stake-commands.ts';

const ready = (sol: number, role = 'owner', withdrawReady = true) => ({
  role,
  withdrawableSol: sol,
  withdrawReady,
});
const service = {
  listStakeAccounts: async () => ({ accounts: [ready(1.5), ready(0.25), ready(9, 'staker')] }),
  previewUnstake: async () => ({ reachable: [{ fromSol: 1, toSol: 4 }] }),
} as unknown as HoldfastClient;

test('a prefix that matches several accounts selects none', async () => {
  const addresses = [
    '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2',
    '7Np49xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9Pus',
  ];
  const { account } = createResolver(
    service,
    { walletAddress: 'wallet' },
    async () => addresses,
    new AbortController().signal,
  );
  assert.equal(await account('7Np41'), addresses[0]);
  await assert.rejects(
    account('7Np4'),
    (error) => error instanceof UsageError && /2 of your/.test(error.message),
  );
  await assert.rejects(account('9xQe'), UsageError);
  await assert.rejects(account('7Np'), UsageError);
});

test('a prefix in a command repeated with its idempotency key means the account that was signed for, even if it is closed', async () => {
  const closed = '32vTwLqC2wWmJzkSFMhS4tGh5rKfXbQVJdVvYm2pDzqA';
  const { account } = createResolver(
    service,
    { walletAddress: 'wallet', signedAccounts: [closed] },
    async () => [],
    new AbortController().signal,
  );
  assert.equal(await account('32vT'), closed);
  await assert.rejects(account('32vU'), UsageError);
});

test('an argument is an amount if it is a number or ALL, and otherwise an account', () => {
  for (const amount of ['1.5', '2', '1500', '0.000000001', '3.', 'ALL']) assert.ok(isAmount(amount), amount);
  for (const other of [undefined, '', '7Np4', 'all', '1e3', '-1', '1,5', '.5'])
    assert.ok(!isAmount(other), String(other));
});

const resolver = createResolver(
  service,
  { walletAddress: 'wallet' },
  async () => [],
  new AbortController().signal,
);
const requestOf = (name: string, args: readonly string[], values = {}) =>
  acts.find((act) => act.name === name)!.request(args, values, resolver);

test('unstake and withdraw take amounts in place of a stake account', async () => {
  assert.deepEqual(await requestOf('unstake', ['1.5']), {
    kind: 'rearrange',
    goal: 'unstake',
    stakeAccountAddress: undefined,
    amountLamports: 1_500_000_000n,
  });
  const all = await requestOf('unstake', ['ALL']);
  assert.equal('amountLamports' in all && all.amountLamports, 4_000_000_000n);
  assert.deepEqual(await requestOf('withdraw', ['ALL']), { kind: 'rearrange', goal: 'withdraw-all' });
  assert.deepEqual(await requestOf('withdraw', ['1.75']), {
    kind: 'rearrange',
    goal: 'withdraw-amount',
    amountLamports: 1_750_000_000n,
  });
});

test('an amount above the ready amount is refused with the ready amount in the error, and two amounts are refused too', async () => {
  const refusedWith = (pattern: RegExp) => (error: unknown) =>
    error instanceof UsageError && pattern.test(error.message);
  await assert.rejects(
    async () => requestOf('withdraw', ['1.750000001']),
    /At most 1\.75 SOL can be withdrawn now/,
  );
  await assert.rejects(async () => requestOf('withdraw', ['2']), { suggestedAction: /or withdraw ALL/ });
  const idle = createResolver(
    {
      listStakeAccounts: async () => ({ accounts: [ready(0.1, 'owner', false)] }),
    } as unknown as HoldfastClient,
    { walletAddress: 'wallet' },
    async () => [],
    new AbortController().signal,
  );
  await assert.rejects(idle.fromReady('3'), { suggestedAction: /^Unstake more\. holdfast accounts/ });
  await assert.rejects(async () => requestOf('withdraw', ['1', '2']), refusedWith(/stake account first/));
  await assert.rejects(async () => requestOf('unstake', ['1'], { amount: '2' }), refusedWith(/only once/));
});

test('an amount is refused, but not as a usage error, if the wallet has nothing to take it from', async () => {
  const empty = {
    balance: async () => ({ availableToStake: 0 }),
    listStakeAccounts: async () => ({ accounts: [] }),
    previewUnstake: async () => ({ reachable: [] }),
  } as unknown as HoldfastClient;
  const { fromWallet, fromReady, fromStake } = createResolver(
    empty,
    { walletAddress: 'wallet' },
    async () => [],
    new AbortController().signal,
  );
  for (const [run, errorCode] of [
    [() => fromWallet('ALL', 'stake'), 'INSUFFICIENT_BALANCE'],
    [() => fromReady('1'), 'AMOUNT_NOT_REACHABLE'],
    [() => fromStake('ALL', 'the amount', 'unstake'), 'AMOUNT_NOT_REACHABLE'],
  ] as const)
    await assert.rejects(run, (error) => {
      const { exitCode, body } = failureOf(error)!;
      assert.deepEqual([exitCode, body.errorCode], [1, errorCode]);
      return true;
    });
});

test('ALL in a repeated command is the amount signed with its idempotency key, not what the wallet has by now', async () => {
  const figures = { ...service, balance: async () => ({ availableToStake: 7 }) } as unknown as HoldfastClient;
  const of = (signed: object) =>
    createResolver(
      figures,
      { walletAddress: 'wallet', signed: signed as never },
      async () => [],
      new AbortController().signal,
    );
  const stake = of({ kind: 'stake', amountLamports: '2000000000' });
  assert.equal(await stake.fromWallet('ALL', 'stake'), 2_000_000_000n);
  assert.equal(await stake.fromWallet('3', 'stake'), 3_000_000_000n, 'a given amount stays');
  assert.equal(await stake.fromWallet('ALL', 'top-up'), 7_000_000_000n, 'the key of a different request');
  const unstake = of({ kind: 'rearrange', change: { goal: 'unstake' }, amountLamports: '1500000000' });
  assert.equal(await unstake.fromStake('ALL', 'the amount', 'unstake'), 1_500_000_000n);
  assert.equal(await unstake.fromStake('ALL', 'the amount', 'withdraw-amount'), 4_000_000_000n);
});

test('`undo` with an amount in place of a stake account suggests the option for undoing part of an unstake', async () => {
  const { request } = acts.find(({ name }) => name === 'undo')!;
  for (const [given, message] of [
    ['1', 'to undo a part: holdfast undo --amount 1'],
    ['1.25', 'to undo a part: holdfast undo --amount 1.25'],
    ['ALL', 'to undo everything: holdfast undo'],
    ['1,5', 'use a decimal point: 1.5'],
  ] as const)
    await assert.rejects(async () => request([given], {}, resolver), { name: 'UsageError', message });
});
