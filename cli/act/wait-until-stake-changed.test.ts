// Tests that a command with --wait waits for the changed accounts and then reports their balances.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Prepared } from '../../client/staking/prepared-transaction.ts';
import { isSettling, outcomeText, touchedAccounts } from './wait-until-stake-changed.ts';

test('--wait waits only for accounts that the plan creates, closes or changes', () => {
  const account = (stakeAccountAddress: string, before: string | null, after: string | null) => ({
    stakeAccountAddress,
    before: before === null ? null : { state: before },
    after: after === null ? null : { state: after },
  });
  const prepared = (stakeAccount?: string) =>
    ({
      verdict: { recognized: { stakeAccount } },
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

test('--wait also waits while rewards are being paid if stake is to be withdrawn, because withdrawals are impossible then', () => {
  const [paying, idle] = [{ epochRewardsActive: true }, { epochRewardsActive: false }];
  assert.equal(isSettling({ state: 'inactive' }, paying), true);
  assert.equal(isSettling({ state: 'inactive' }, idle), false);
  assert.equal(isSettling({ state: 'active' }, paying), false);
  assert.equal(isSettling({ state: 'deactivating' }, idle), true);
});

test('when the wait ends, --wait reports the withdrawable and the active SOL', () => {
  const account = (activeSol: number, withdrawableSol: number, withdrawReady: boolean) => ({
    activeSol,
    withdrawableSol,
    withdrawReady,
  });
  assert.equal(outcomeText([account(0, 1.2, true)]), '1.2 SOL can be withdrawn');
  assert.equal(outcomeText([account(2.5, 0.000000139, false)]), '2.5 SOL is active');
  assert.equal(
    outcomeText([account(0, 0.1, true), account(0, 0.2, true), account(1, 0, false)]),
    '0.3 SOL can be withdrawn, 1 SOL is active',
  );
  assert.equal(outcomeText([]), 'settled');
});
