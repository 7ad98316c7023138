// Every lamport of the wallet and of its accounts counts in exactly one part.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownLamports, whereSolIs } from './where-sol-is.ts';

const SOL = 1_000_000_000n;

const account = (sol: number, state: Partial<Parameters<typeof whereSolIs>[1][number]> = {}) => ({
  role: 'owner' as const,
  lamports: sol * 1e9,
  activeSol: 0,
  activatingSol: 0,
  deactivatingSol: 0,
  withdrawableSol: 0,
  withdrawReady: false,
  ...state,
});

const NONE = { wallet: 0n, active: 0n, activating: 0n, cooling: 0n, withdrawable: 0n, rent: 0n, locked: 0n };

test('staked amounts are without rent, rent that leaves counts with its stake, and deactivating stake counts once', () => {
  assert.deepEqual(
    whereSolIs(75, [
      account(25, { activeSol: 24.9 }),
      account(4, { activatingSol: 3.9 }),
      account(10, { activeSol: 9.9, deactivatingSol: 9.9 }),
      account(3, { withdrawableSol: 3, withdrawReady: true }),
    ]),
    {
      ...NONE,
      wallet: 75n * SOL,
      active: (249n * SOL) / 10n,
      activating: (39n * SOL) / 10n,
      rent: SOL / 5n,
      cooling: 10n * SOL,
      withdrawable: 3n * SOL,
    },
  );
});

test('the balance of an account that is neither staked nor withdrawable is locked', () => {
  assert.deepEqual(whereSolIs(0, [account(5)]), { ...NONE, locked: 5n * SOL });
});

test('tips that are not worth a withdrawal count with the rent', () => {
  const tips = (withdrawableSol: number) => {
    const { rent, withdrawable } = whereSolIs(0, [account(5, { activeSol: 4.9, withdrawableSol })]);
    return [rent, withdrawable];
  };
  assert.deepEqual(tips(0.009), [SOL / 10n, 0n]);
  assert.deepEqual(tips(0.01), [(9n * SOL) / 100n, SOL / 100n]);
});

test('accounts that the wallet may only unstake are not its SOL', () => {
  assert.deepEqual(whereSolIs(1, [{ ...account(5, { activeSol: 5 }), role: 'staker' }]), {
    ...NONE,
    wallet: SOL,
  });
});

test('a list shows the stake of a staked account, and the balance of one that leaves', () => {
  const shown = (state: 'active' | 'activating' | 'deactivating' | 'inactive', more = {}) =>
    shownLamports({ lamports: 5_001_666_240, activeSol: 5, activatingSol: 0, ...more, state });
  assert.equal(shown('active'), 5n * SOL);
  assert.equal(shown('activating', { activeSol: 0, activatingSol: 5 }), 5n * SOL);
  assert.equal(shown('deactivating'), 5_001_666_240n);
  assert.equal(shown('inactive', { activeSol: 0 }), 5_001_666_240n);
});
