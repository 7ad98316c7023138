// Checks that text for agents names tools and no path of the REST interface, in the responses, advice and
// refusals of a staking lifecycle over MCP.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { callToolRaw, rpcResponse } from '../support/mcp-rpc.ts';
import { stakeNow } from '../support/service-calls.ts';
import { sharedService } from '../support/service-fixture.ts';
import { fundedWallet, newWallet } from '../support/wallets.ts';

const shared = sharedService({ before, after });

/**
 * Returns the texts that contain a path, by position. Whole URLs are links for people, and `_meta.endpoint`
 * names the REST route.
 */
const restPaths = (value: unknown, place = ''): string[] => {
  if (typeof value === 'string') return /(?:^|\s|\()\/api\/v1\//.test(value) ? [`${place}: ${value}`] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    place === '._meta' && name === 'endpoint' ? [] : restPaths(member, `${place}.${name}`),
  );
};

test('responses and refusals name tools', async () => {
  const { sandbox, service } = shared();
  const wallet = await fundedWallet(sandbox, 20);
  const { walletAddress, secretKey } = wallet;
  const stakeAccountAddress = await stakeNow(service, wallet, 5);
  const empty = newWallet().walletAddress;
  const calls: readonly (readonly [tool: string, given: object])[] = [
    ['check_balance', { walletAddress }],
    ['check_balance', { walletAddress: empty }],
    ['check_balance', { walletAddress: stakeAccountAddress }],
    ['check_stake_accounts', { walletAddress }],
    ['check_stake_accounts', { walletAddress: empty }],
    ['check_withdraw_ready', { walletAddress }],
    ['get_staking_summary', { walletAddress }],
    ['get_staking_summary', { walletAddress: empty }],
    ['simulate_stake', { amountSol: 5 }],
    ['simulate_stake', { amount: 5 }],
    ['generate_wallet', {}],
    ['get_epoch_timing', {}],
    ['verify_code_integrity', {}],
    ['create_stake_transaction', { walletAddress, amountSol: 2 }],
    ['create_stake_transaction', { walletAddress, amount: 2 }],
    ['create_stake_transaction', { walletAddress, amountSol: 2000 }],
    ['create_unstake_transaction', { walletAddress, stakeAccountAddress }],
    ['create_unstake_transaction', { walletAddress, stakeAccountAddress: empty }],
    ['create_unstake_transaction', { walletAddress, amountSol: 100 }],
    ['withdraw_stake', { walletAddress, stakeAccountAddress }],
    ['withdraw_stake', { walletAddress, all: true }],
    ['submit_transaction', { signedTransaction: 'AAAA' }],
    ...['undo', 'restake', 'tidy', 'sweep', 'migrate', 'rescue', 'withdraw-all'].map(
      (goal) => ['plan_stake_change', { walletAddress, goal }] as const,
    ),
    ['plan_stake_change', { walletAddress, goal: 'top-up', amountSol: 1 }],
    ['stake', { walletAddress, amountSol: 2 }],
    ['unstake', { walletAddress, secretKey, stakeAccountAddress: empty }],
    ['withdraw', { walletAddress, secretKey, stakeAccountAddress }],
    ['withdraw', { walletAddress, secretKey, all: true }],
    ['unstake', { walletAddress, secretKey, stakeAccountAddress }],
    ['unstake', { walletAddress, secretKey, stakeAccountAddress }],
    ['list_webhooks', { walletAddress }],
  ];
  const found: string[] = [];
  for (const [tool, given] of calls) {
    const { result, error } = await rpcResponse(await callToolRaw(service.url, tool, JSON.stringify(given)));
    assert.equal(error, undefined, `${tool}: ${JSON.stringify(error)}`);
    found.push(...restPaths(result.structuredContent).map((text) => `${tool}${text}`));
  }
  assert.deepEqual(found, []);
});
