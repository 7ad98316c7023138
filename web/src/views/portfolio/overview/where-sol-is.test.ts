// Every lamport of the wallet and of its accounts counts in exactly one part.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whereSolIs } from './where-sol-is.ts';

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

const NONE = { wallet: 0n, active: 0n, activating: 0n, cooling: 0n, withdrawable: 0n, locked: 0n };

test('rent and tips count with the stake of their account, and deactivating stake counts once', () => {
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
      active: 25n * SOL,
      activating: 4n * SOL,
      cooling: 10n * SOL,
      withdrawable: 3n * SOL,
    },
  );
});

test('SOL of an account that is neither active nor activating counts with the larger of the two parts', () => {
  const { active, activating } = whereSolIs(0, [account(10, { activeSol: 2, activatingSol: 7.9 })]);
  assert.deepEqual([active, activating], [2n * SOL, 8n * SOL]);
});

test('the balance of an account that is neither staked nor withdrawable is locked', () => {
  assert.deepEqual(whereSolIs(0, [account(5)]), { ...NONE, locked: 5n * SOL });
});

test('tips that are not worth a withdrawal count with their stake', () => {
  const tips = (withdrawableSol: number) => {
    const { active, withdrawable } = whereSolIs(0, [account(5, { activeSol: 4.9, withdrawableSol })]);
    return [active, withdrawable];
  };
  assert.deepEqual(tips(0.009), [5n * SOL, 0n]);
  assert.deepEqual(tips(0.01), [(499n * SOL) / 100n, SOL / 100n]);
});

test('accounts that the wallet may only unstake are not its SOL', () => {
  assert.deepEqual(whereSolIs(1, [{ ...account(5, { activeSol: 5 }), role: 'staker' }]), {
    ...NONE,
    wallet: SOL,
  });
});
