// Checks over real HTTP that the index stores many accounts within its memory limit and finds each of them.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MAX_ACCOUNT_BYTES, measureIndexMemory } from '../../bench/index-memory.ts';

const ACCOUNTS = 50_000;

it(`50,000 accounts, scanned once for their data and once for accounts that left, take at most ${MAX_ACCOUNT_BYTES} bytes each`, async () => {
  // The measuring process throws if one of 2,000 requested wallets has no accounts.
  const measured = await measureIndexMemory(ACCOUNTS);
  assert.equal(measured.accounts, ACCOUNTS);
  const bytes = measured.steadyBytes / ACCOUNTS;
  assert.ok(bytes <= MAX_ACCOUNT_BYTES, `${bytes.toFixed(0)} bytes per account`);
  assert.ok(bytes >= 136, 'too small to be the index, whose fields alone take 136 bytes');
});
