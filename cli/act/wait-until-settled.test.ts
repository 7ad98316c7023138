// Selects the accounts that a command with --wait waits for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Prepared } from '../../client/staking/check-built.ts';
import { touchedAccounts } from './wait-until-settled.ts';

test('--wait waits for accounts that the plan creates, closes or changes, and for no others', () => {
  const account = (stakeAccountAddress: string, before: string | null, after: string | null) => ({
    stakeAccountAddress,
    before: before === null ? null : { state: before },
    after: after === null ? null : { state: after },
  });
  const prepared = (stakeAccount?: string) =>
    ({
      verdict: { recognised: { stakeAccount } },
      built: {
        plan: {
          accounts: [
            account('made', null, 'deactivating'),
            account('closed', 'inactive', null),
            account('changed', 'active', 'deactivating'),
            account('kept', 'active', 'active'),
          ],
        },
      },
    }) as unknown as Prepared;
  assert.deepEqual(touchedAccounts(prepared()), ['made', 'closed', 'changed']);
  assert.deepEqual(touchedAccounts(prepared('named')), ['named', 'made', 'closed', 'changed']);
});
