// MCP-6: tests that a wallet's accounts fit a size budget: totals of all accounts, at most 250 bytes per listed
// account, and full details on request.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountsViewInput, viewAccounts } from './compact-accounts.ts';

const ADDRESS = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';

// Every field has its maximum length.
const account = {
  address: ADDRESS,
  sol: 12_345_678.123456789,
  lamports: 9_007_199_254_740_991,
  state: 'deactivating',
  stateDescription: 'cooling down',
  role: 'staker',
  voteAccount: ADDRESS,
  lockup: null,
  withdrawableSol: 12_345_678.123456789,
  withdrawableWhen: 'at_epoch',
  withdrawableAtEpoch: 123_456,
  estimatedWithdrawableAt: '2026-11-28T12:00:00.000Z' as string | null,
  ifUnstakedNow: null as { at: string } | null,
  suggestedActions: [
    { action: 'withdraw', reason: 'r', method: 'POST', endpoint: '/e' },
    { action: 'unstake', reason: 'r', method: 'POST', endpoint: '/e' },
  ],
};
const staked = {
  ...account,
  state: 'activating',
  withdrawableWhen: 'not_fixed',
  withdrawableAtEpoch: null,
  estimatedWithdrawableAt: null,
  ifUnstakedNow: { at: '2026-11-26T12:00:00.000Z', earliest: '', latest: '' },
  // A stake authority that cannot withdraw.
  suggestedActions: [{ action: 'unstake', reason: 'r', method: 'POST', endpoint: '/e' }],
};
const body = {
  walletAddress: ADDRESS,
  validatorVoteAccount: ADDRESS,
  totalStakedSol: 5,
  delegatedSol: 4,
  withdrawableSol: 1,
  warnings: ['w'],
  accounts: [
    ...Array.from({ length: 58 }, () => account),
    staked,
    { ...staked, state: 'active', role: 'owner' },
  ],
};
// biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
const view = (given: object): any => viewAccounts(body, accountsViewInput.parse(given));

test('compact is the default: totals first, then up to 50 accounts of at most 250 bytes each', () => {
  const compact = view({});
  assert.deepEqual(Object.keys(compact).slice(0, 8), [
    ...['walletAddress', 'totalStakedSol', 'delegatedSol', 'withdrawableSol'],
    ...['accountCount', 'shownCount', 'byState', 'accounts'],
  ]);
  assert.deepEqual(
    [compact.accountCount, compact.shownCount, compact.byState, compact.warnings],
    [60, 50, { active: 1 }, ['w']],
    'as the total, the states exclude accounts of other owners',
  );
  for (const one of view({ limit: 60 }).accounts) assert.ok(Buffer.byteLength(JSON.stringify(one)) <= 250);
  assert.deepEqual(compact.accounts[0].actions, ['withdraw', 'unstake']);
  assert.equal(view({ limit: 60 }).accounts[58].ifUnstakedNow, '2026-11-26T12:00:00Z');
});

test('compact states the amount and time of the next withdrawal, excluding accounts of other owners', () => {
  const own = { ...account, role: 'owner', sol: 1.5, withdrawableAtEpoch: 802 };
  const accounts = [account, { ...own, withdrawableAtEpoch: 803 }, own, { ...own, sol: 0.000000001 }];
  const next = (given: readonly object[]): unknown =>
    viewAccounts({ ...body, accounts: given }, accountsViewInput.parse({})).nextWithdrawal;
  assert.deepEqual(next(accounts), {
    sol: 1.500000001,
    epoch: 802,
    estimatedAt: '2026-11-28T12:00:00.000Z',
  });
  assert.equal(next([account, staked]), undefined);
});

test('the argument `limit` lists fewer or more accounts, and `full` lists every field of all accounts', () => {
  assert.deepEqual([view({ limit: 3 }).accounts.length, view({ limit: 3 }).accountCount], [3, 60]);
  assert.equal(view({ limit: 60 }).accounts.at(-1).role, undefined, 'the usual role is omitted');
  assert.deepEqual(view({ detail: 'full' }), body);
  assert.equal(view({ detail: 'full', limit: 2 }).accounts.length, 2);
  for (const wrong of [{ detail: 'all' }, { limit: 0 }, { limit: 1.5 }])
    assert.equal(accountsViewInput.safeParse(wrong).success, false);
});
