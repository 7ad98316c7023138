// Shows over real HTTP that the index holds many accounts within its bound of memory, and finds each of them.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { measureIndexMemory, RAW_ACCOUNT_BYTES } from '../../bench/index-memory.ts';

const ACCOUNTS = 50_000;

it('50,000 accounts, scanned as a stream and scanned again for leavers, take at most 2.5 times their raw bytes', async () => {
  // The measuring process throws when one of 2,000 wallets that it asks for has no accounts.
  const measured = await measureIndexMemory(ACCOUNTS);
  assert.equal(measured.accounts, ACCOUNTS);
  const ratio = measured.steadyBytes / (ACCOUNTS * RAW_ACCOUNT_BYTES);
  assert.ok(ratio <= 2.5, `${ratio.toFixed(2)} times the raw bytes`);
  assert.ok(measured.tableBytes >= ACCOUNTS * RAW_ACCOUNT_BYTES * 0.9, 'what was measured is the table');
});
