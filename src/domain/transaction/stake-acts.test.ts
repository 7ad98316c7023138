import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from '../../kernel/sentence.ts';
import { actsOf, confirmationOf } from './stake-acts.ts';
import type { TransactionLeg } from './transaction-legs.ts';

const SOL = 1_000_000_000n;
const RENT = 2_282_880n;

type Row = readonly [
  type: TransactionLeg['type'],
  stakeAccount: string,
  counterAccount: string | null,
  lamports: bigint | null,
];

type Landed = Parameters<typeof actsOf>[0];

const landed = (rows: readonly Row[], overrides: Partial<Landed> = {}): Landed => ({
  type: 'rearrange',
  wallet: 'wallet',
  stakeAccountAddress: null,
  amountLamports: 0n,
  legs: rows.map(([type, stakeAccount, counterAccount, lamports]) => ({
    type,
    stakeAccount,
    counterAccount,
    lamports,
  })),
  ...overrides,
});
const done = (rows: readonly Row[], overrides: Partial<Landed> = {}) => actsOf(landed(rows, overrides));
/**
 * Lists the changes made by a transaction with their lamports, and the numbers of accounts before and after.
 */
const figures = (rows: readonly Row[]) =>
  done(rows).acts.map(({ act, lamports, accounts, accountsLeft }) => [act, lamports, accounts, accountsLeft]);
const title = (...rows: readonly Row[]) => done(rows).title;

const create = (account: string, lamports = RENT): Row => ['create', account, 'wallet', lamports];

test('an unstake contains the deactivated amount, however it was split off', () => {
  const split: readonly Row[] = [
    create('b'),
    ['split', 'a', 'b', 3n * SOL],
    ['deactivate', 'b', null, 3n * SOL],
  ];
  assert.equal(title(...split), 'Unstake 3 SOL');
  assert.equal(title(...split, ['deactivate', 'c', null, 2n * SOL]), 'Unstake 5 SOL');
  assert.equal(
    title(...split, ['deactivate', 'c', null, null]),
    'Unstake',
    'an unknown part makes the whole amount unknown',
  );
  assert.equal(
    title(
      ['withdraw', 'd', 'wallet', SOL],
      ['moveStake', 'a', 'b', SOL],
      ['deactivate', 'b', null, 5n * SOL],
    ),
    'Unstake 5 SOL, withdraw 1 SOL',
  );
});

test('an unstake remains an unstake if idle SOL is withdrawn from the same account', () => {
  const idle: Row = ['withdraw', 'a', 'wallet', 94n];
  const deactivation: Row = ['deactivate', 'a', null, SOL];
  for (const rows of [
    [idle, deactivation],
    [deactivation, idle],
    [['withdraw', 'a', 'wallet', 5n * SOL] as const, deactivation],
  ])
    assert.deepEqual(
      figures(rows).map(([act]) => act),
      ['unstake', 'withdraw'],
    );
  assert.equal(title(idle, deactivation), 'Unstake 1 SOL, withdraw 0.000000094 SOL');
  assert.equal(title(idle, ['deactivate', 'a', null, null]), 'Unstake, withdraw 0.000000094 SOL');
});

test('closing stake that was never active counts as a withdrawal', () => {
  const ended: readonly Row[] = [
    ['deactivate', 'a', null, 3n * SOL],
    ['withdraw', 'a', 'wallet', 3n * SOL + RENT],
  ];
  assert.deepEqual(figures(ended), [['withdraw', 3n * SOL + RENT, null, null]]);
  assert.equal(title(...ended), 'Withdraw 3.00228288 SOL');
});

test('undoing an unstake is not called a restake, whether for a whole account, for a part or with borrowed lamports', () => {
  assert.equal(title(['undo', 'a', 'vote', 5n * SOL]), 'Undo unstake 5 SOL');
  assert.equal(
    title(create('b'), ['split', 'a', 'b', 3n * SOL], ['undo', 'a', 'vote', 2n * SOL]),
    'Undo unstake 2 SOL',
  );
  assert.equal(
    title(['transfer', 'a', 'wallet', 9n], ['undo', 'a', 'vote', SOL], ['withdraw', 'a', 'wallet', 9n]),
    'Undo unstake 1 SOL',
  );
  assert.equal(title(['delegate', 'a', 'vote', 5n * SOL]), 'Stake again 5 SOL');
});

test('a new stake, a stake made from withdrawn stake, and a top-up of an activating account have different names', () => {
  const stake: readonly Row[] = [create('a', 2n * SOL), ['delegate', 'a', 'vote', null]];
  assert.equal(title(...stake), 'Stake 2 SOL');
  assert.equal(title(['withdraw', 'b', 'wallet', SOL], ...stake), 'Stake 2 SOL');
  assert.equal(title(['withdraw', 'b', 'wallet', 2n * SOL], ...stake), 'Stake again 2 SOL');
  assert.equal(
    title(create('b', SOL + RENT), ['moveLamports', 'b', 'a', SOL], ['delegate', 'a', 'vote', 9n * SOL]),
    'Add 1 SOL',
  );
  assert.equal(title(['merge', 'a', 'b', SOL], ['delegate', 'a', 'vote', 9n * SOL]), 'Stake again 9 SOL');
});

test('a merge confirmation counts the accounts before and after, and a rescue confirmation counts the recovered stakes', () => {
  const merges: readonly Row[] = [
    ['merge', 'a', 'b', SOL],
    ['merge', 'a', 'c', null],
  ];
  assert.equal(title(...merges), 'Merge 3 → 1');
  assert.equal(title(...merges, ['withdraw', 'a', 'wallet', RENT]), 'Merge 3 → 1, withdraw 0.00228288 SOL');
  assert.equal(title(...merges, ['merge', 'd', 'e', null]), 'Merge 5 → 2');
  assert.deepEqual(figures([...merges, ['withdraw', 'a', 'wallet', RENT]]), [
    ['merge', null, 3, 1],
    ['withdraw', RENT, null, null],
  ]);
  assert.equal(title(['authorize', 'a', 'wallet', null]), 'Took back control');
  assert.equal(
    title(['authorize', 'a', 'wallet', null], ['authorize', 'b', 'wallet', null]),
    'Took back control of 2 stakes',
  );
  assert.deepEqual(
    figures([
      ['authorize', 'a', 'wallet', null],
      ['authorize', 'b', 'wallet', null],
    ]),
    [['rescue', null, 2, null]],
  );
  assert.equal(title(['authorize', 'a', 'thief', null]), 'Change an authority');
  const stake: readonly Row[] = [create('a', 2n * SOL), ['delegate', 'a', 'vote', null]];
  assert.equal(title(...stake, ['authorize', 'a', 'agent', null]), 'Stake 2 SOL');
  assert.equal(
    title(...stake, ['authorizeWithdrawer', 'a', 'thief', null]),
    'Change an authority, stake 2 SOL',
  );
  assert.equal(
    title(['authorizeWithdrawer', 'a', 'thief', null], ['authorizeWithdrawer', 'b', 'thief', null]),
    'Change an authority of 2 stakes',
  );
  assert.equal(
    title(['authorize', 'a', 'wallet', null], ['deactivate', 'a', null, SOL]),
    'Took back control, unstake 1 SOL',
  );
});

test('a single split or move has its own name, and a record without legs has the name of its type', () => {
  assert.equal(title(create('b'), ['split', 'a', 'b', SOL]), 'Split off 1 SOL');
  assert.equal(title(['moveStake', 'a', 'b', SOL]), 'Move 1 SOL');
  assert.deepEqual(figures([]), [['change', null, null, null]]);
  assert.equal(title(), 'Change stake');
  assert.equal(done([], { type: 'unstake' }).title, 'Unstake');
  assert.equal(done([], { type: 'withdraw', amountLamports: SOL }).title, 'Withdraw 1 SOL');
  assert.equal(
    done([['transfer', 'x', 'them', SOL]], { type: 'donate', amountLamports: SOL }).title,
    'Donate 1 SOL',
  );
});

test('the confirmation names each change with its amount, and the resulting state', () => {
  const confirmation = (rows: readonly Row[], overrides: Partial<Landed> = {}) =>
    textOf(confirmationOf(landed(rows, overrides)));
  const split: readonly Row[] = [create('b'), ['split', 'a', 'b', 5n * SOL]];
  const unstaked: readonly Row[] = [...split, ['deactivate', 'b', null, 5n * SOL]];
  assert.match(
    confirmation(unstaked),
    /^Unstake of 5 SOL confirmed\. What was unstaked can be withdrawn once/,
  );
  assert.match(
    confirmation([['withdraw', 'd', 'wallet', 3n * SOL], ...unstaked]),
    /^Unstake of 5 SOL, withdrawal of 3 SOL confirmed\. .+\. The withdrawn SOL is in your wallet\.$/,
  );
  assert.equal(
    confirmation([['undo', 'a', 'vote', SOL]]),
    'Undo of the unstake of 1 SOL confirmed. It stays staked and misses no rewards.',
  );
  assert.match(
    confirmation([['merge', 'a', 'b', SOL]]),
    /^Merge of 2 accounts into 1 confirmed\. The stake is now in fewer accounts; its state has not changed\.$/,
  );
  assert.match(confirmation([['authorize', 'a', 'wallet', null]]), /^Rescue confirmed\. Your wallet is/);
  assert.match(
    confirmation([['delegate', 'a', 'vote', null]], { type: 'restake' }),
    /^Delegation confirmed\. Stake that was unstaked in this epoch stays staked/,
  );
  assert.match(
    confirmation([], { type: 'stake', amountLamports: SOL }),
    /^Stake of 1 SOL confirmed\. It becomes/,
  );
  assert.equal(confirmation([]), 'Stake change confirmed. The accounts are as planned.');
});
