// Tests that known fields of the service's responses are kept, including those that only its MCP tools return.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountsViewInput, viewAccounts } from '../../src/mcp/compact-accounts.ts';
import { knownResponse } from './service-responses.ts';

test('every field of compact accounts is kept, including the time of a possible withdrawal and the next withdrawal', () => {
  const account = {
    address: '9WzD',
    sol: 1.5,
    state: 'deactivating',
    role: 'owner',
    withdrawableSol: 0,
    withdrawableWhen: 'at_epoch',
    withdrawableAtEpoch: 802,
    estimatedWithdrawableAt: '2026-11-28T12:00:00.000Z',
    ifUnstakedNow: null,
    suggestedActions: [{ action: 'wait', reason: 'r' }],
  };
  const staked = {
    ...account,
    state: 'active',
    withdrawableWhen: 'not_fixed',
    withdrawableAtEpoch: null,
    ifUnstakedNow: { at: '2026-11-28T12:00:00.000Z', earliest: '', latest: '' },
  };
  const totals = { walletAddress: 'W', totalStakedSol: 3, delegatedSol: 3, withdrawableSol: 0 };
  const compact = viewAccounts({ ...totals, accounts: [account, staked] }, accountsViewInput.parse({}));
  assert.deepEqual(knownResponse('check_stake_accounts', compact), { ...compact, _meta: {} });
});
