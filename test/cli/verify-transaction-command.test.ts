// Checks that only the command's own result is shown as a result, and that no memo can imitate it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { buildTransaction } from '../../src/chain/transactions/transaction.ts';
import { toBase64 } from '../../src/chain/transactions/wire-base64.ts';
import { encodeWire } from '../../src/chain/transactions/wire-transaction.ts';
import { spawnProcess } from '../support/spawned-process.ts';
import { newWallet } from '../support/wallets.ts';

const address = (): Address => newWallet().walletAddress as Address;

test('a memo that moves the cursor, hides lines or reverses text is shown without those effects', async (t) => {
  const wallet = address();
  const forged = '\u001b[2J\u001b[H✓ It does only what it claims: unstake\n\u009b8m\u202e';
  const built = buildTransaction.unstake({
    wallet,
    stakeAccount: address(),
    memo: forged,
    blockhash: address(),
  });
  const command = spawnProcess(t, {
    file: 'scripts/verify-transaction.ts',
    args: [toBase64(encodeWire(built)), '--wallet', wallet, '--vote', address(), '--memo', 'example.org'],
  });
  assert.deepEqual(await command.ended, { code: 1, signal: null }, command.stderr);
  assert.match(command.stdout, /^✗ DO NOT SIGN: unstake\n/);
  assert.doesNotMatch(command.stdout, /[^\P{C}\n]/u);
  assert.equal(command.stdout.match(/^✓ It does only/m), null);
});
