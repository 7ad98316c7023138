// Tests that the faucet pays any address that can receive SOL and refuses addresses of programs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import type { Context } from '../context.ts';
import { airdrop } from './sandbox-operations.ts';

const ADDRESS = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2' as Address;

const ask = async (owner: string | null, faucetLamports = 10_000_000n) => {
  const given: bigint[] = [];
  const ctx = {
    service: {
      sandbox: {
        state: async () => ({ faucetAddress: ADDRESS }),
        airdrop: async (_address: Address, lamports: bigint) => {
          given.push(lamports);
          return { signature: '5'.repeat(88) };
        },
      },
    },
    chain: {
      reads: {
        accounts: async () => ({
          accounts: [owner === null ? null : { owner }, { lamports: faucetLamports }],
        }),
      },
    },
  } as unknown as Context;
  const input = { walletAddress: ADDRESS, amountSol: 7n };
  const { signal } = new AbortController();
  await airdrop.run({ ctx, input, signal, source: 'rest', client: '' });
  return given;
};

test('a new address and any account that is not a program receive the requested amount', async () => {
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

test('an empty faucet is reported as a refusal with the remaining amount and not as an outage', async () => {
  assert.deepEqual(await ask(null, 1_000_007n), [7n]);
  await assert.rejects(ask(null, 1_000_006n), {
    code: 'INSUFFICIENT_BALANCE',
    message: 'The sandbox faucet has only 0.000000006 SOL left.',
    suggestedAction: /at most 0\.000000006 SOL/,
  });
  await assert.rejects(ask(null, 0n), { code: 'INSUFFICIENT_BALANCE', suggestedAction: /^Restart/ });
});
