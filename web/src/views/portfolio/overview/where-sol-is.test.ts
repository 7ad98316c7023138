// Tests that every lamport of the wallet and of its accounts counts in exactly one part.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inAccountsLamports, whereSolIs } from './where-sol-is.ts';

const SOL = 1_000_000_000n;

const account = (sol: number, state: Partial<Parameters<typeof whereSolIs>[1][number]> = {}) => ({
  role: 'owner' as const,
  lamports: sol * 1e9,
  activeSol: 0,
  activatingSol: 0,
  deactivatingSol: 0,
  withdrawableSol: 0,
  ...state,
});

const NONE = { wallet: 0n, active: 0n, activating: 0n, cooling: 0n, withdrawable: 0n, rent: 0n, locked: 0n };

test('stake excludes rent in every state, rent counts separately, and deactivating stake counts once', () => {
  assert.deepEqual(
    whereSolIs(75, [
      account(25, { activeSol: 24.9 }),
      account(4, { activatingSol: 3.9 }),
      account(10, { activeSol: 9.9, deactivatingSol: 9.9 }),
      account(3, { withdrawableSol: 3 }),
    ]),
    {
      ...NONE,
      wallet: 75n * SOL,
      active: (249n * SOL) / 10n,
      activating: (39n * SOL) / 10n,
      rent: (3n * SOL) / 10n,
      cooling: (99n * SOL) / 10n,
      withdrawable: 3n * SOL,
    },
  );
});

test('the balance of an account that is neither staked nor withdrawable is locked', () => {
  assert.deepEqual(whereSolIs(0, [account(5)]), { ...NONE, locked: 5n * SOL });
});

test('tips are never rent: the owner can withdraw them', () =>
  assert.deepEqual(whereSolIs(0, [account(5, { activeSol: 4.9, withdrawableSol: 0.000001 })]), {
    ...NONE,
    active: (49n * SOL) / 10n,
    withdrawable: 1_000n,
    rent: SOL / 10n - 1_000n,
  }));

test('accounts that the wallet may only unstake are not its SOL', () => {
  assert.deepEqual(whereSolIs(1, [{ ...account(5, { activeSol: 5 }), role: 'staker' }]), {
    ...NONE,
    wallet: SOL,
  });
});

test('the total is the balance of the stake accounts, the same in every state', () => {
  for (const state of [
    { activatingSol: 19.998 },
    { activeSol: 19.998 },
    { activeSol: 19.998, deactivatingSol: 19.998 },
    { withdrawableSol: 20 },
    {},
  ])
    assert.equal(inAccountsLamports(whereSolIs(75, [account(20, state)])), 20n * SOL);
});
