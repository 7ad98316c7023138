// The faucet gives to whoever can receive, and says of a program's address that it cannot.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import type { Context } from '../context.ts';
import { airdrop } from './sandbox.ts';

const ADDRESS = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2' as Address;

const ask = async (owner: string | null) => {
  const given: bigint[] = [];
  const ctx = {
    sandbox: {
      airdrop: async (_address: Address, lamports: bigint) => {
        given.push(lamports);
        return { signature: '5'.repeat(88) };
      },
    },
    reads: { accounts: async () => ({ accounts: [owner === null ? null : { owner }] }) },
  } as unknown as Context;
  const input = { walletAddress: ADDRESS, amountSol: 7n };
  const { signal } = new AbortController();
  await airdrop.run({ ctx, input, signal, source: 'rest', client: '' });
  return given;
};

test('a new address and any account that is no program receive what was asked for', async () => {
  for (const owner of [
    null,
    '11111111111111111111111111111111',
    'Vote111111111111111111111111111111111111111',
  ])
    assert.deepEqual(await ask(owner), [7n]);
});

test('the address of a program is refused before anything is sent', async () => {
  for (const owner of [
    'NativeLoader1111111111111111111111111111111',
    'BPFLoader2111111111111111111111111111111111',
    'BPFLoaderUpgradeab1e11111111111111111111111',
  ])
    await assert.rejects(ask(owner), { code: 'VALIDATION_ERROR' });
});
