// Tests the sources of a wallet's accounts: the index once it knows the wallet, otherwise the chain after a
// wait.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { createManualClock } from '../../../test/support/steerable-clock.ts';
import { WalletAccountLists, type WalletAccountListsOptions } from './wallet-account-lists.ts';

const signal = new AbortController().signal;
const [w, x] = ['w', 'x'] as Address[];

const worldOf = () => {
  const clock = createManualClock();
  const rows = new Map<string, { role: string; account: { address: string } }[]>();
  const asked: string[] = [];
  const options = {
    clock,
    voteAccount: 'vote' as Address,
    index: { walletRows: (wallet: string) => (rows.has(wallet) ? { rows: rows.get(wallet) } : null) },
    reads: {
      stakeAccountsOf: async (wallet: string, vote: string, { commitment }: { commitment: string }) => {
        asked.push(`${wallet} ${vote} ${commitment}`);
        return { accounts: [{ address: `chain's of ${wallet}` }] };
      },
    },
  } as unknown as WalletAccountListsOptions;
  const lists = new WalletAccountLists(options);
  const of = async (...wallets: Address[]) => {
    const listed = await lists.of(wallets, signal);
    return listed && Object.fromEntries(listed);
  };
  return { clock, rows, asked, of };
};

test('the index alone is read if it knows the wallets, and only accounts that they own count', async () => {
  const { rows, asked, of } = worldOf();
  rows.set('w', [
    { role: 'owner', account: { address: 'a' } },
    { role: 'staker', account: { address: 'b' } },
    { role: 'owner', account: { address: 'c' } },
  ]);
  rows.set('x', []);
  assert.deepEqual(await of(w!, x!), { w: ['a', 'c'], x: [] });
  assert.deepEqual(await of(), {});
  assert.deepEqual(asked, []);
});

test('a lookup waits up to a minute for a wallet missing in the index, then reads only that wallet from the chain', async () => {
  const { clock, rows, asked, of } = worldOf();
  rows.set('w', [{ role: 'owner', account: { address: 'a' } }]);
  assert.equal(await of(w!, x!), null);
  clock.advance(59_999);
  assert.equal(await of(w!, x!), null);
  assert.deepEqual(asked, []);
  clock.advance(1);
  assert.deepEqual(await of(w!, x!), { w: ['a'], x: ["chain's of x"] });
  assert.deepEqual(asked, ['x vote finalized']);
});

test('the one-minute wait for the index does not get longer if the clock is set back', async () => {
  const { clock, asked, of } = worldOf();
  assert.equal(await of(x!), null);
  clock.advance(30_000);
  assert.equal(await of(x!), null);
  clock.setBack(3_600_000);
  assert.equal(await of(x!), null);
  clock.advance(30_000);
  assert.deepEqual([await of(x!), asked], [{ x: ["chain's of x"] }, ['x vote finalized']]);
});

test('the one-minute wait starts again after the index has known all wallets', async () => {
  const { clock, rows, of } = worldOf();
  assert.equal(await of(x!), null);
  clock.advance(30_000);
  rows.set('x', []);
  assert.deepEqual(await of(x!), { x: [] });
  rows.delete('x');
  assert.equal(await of(x!), null);
  clock.advance(59_999);
  assert.equal(await of(x!), null, 'a minute after the wallet went missing again');
  clock.advance(1);
  assert.deepEqual(await of(x!), { x: ["chain's of x"] });
});
