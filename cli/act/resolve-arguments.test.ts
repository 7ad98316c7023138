// Shows that the first letters of an address choose an account only where one account begins with them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../usage-error.ts';
import { createResolver } from './resolve-arguments.ts';

test('a prefix that matches several accounts selects none', async () => {
  const addresses = [
    '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2',
    '7Np49xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9Pus',
  ];
  const { account } = createResolver(null, 'wallet', async () => addresses, new AbortController().signal);
  assert.equal(await account('7Np41'), addresses[0]);
  await assert.rejects(
    account('7Np4'),
    (error) => error instanceof UsageError && /2 of your/.test(error.message),
  );
  await assert.rejects(account('9xQe'), UsageError);
  await assert.rejects(account('7Np'), UsageError);
});
