// Runs planned changes on the validator: unstakes an exact amount from several accounts, undoes it, withdraws,
// merges and sweeps.
import assert from 'node:assert/strict';
import { newWallet, signedBy, type TestWallet } from '../support/wallets.ts';
import { type ClusterWorld, compareAccount, compareIndex } from './scenarios.ts';

const SOL = 1_000_000_000n;

interface PlannedAccount {
  readonly stakeAccountAddress: string;
  readonly after: { readonly state: string; readonly sol: number } | null;
}

const lamports = (sol: unknown): bigint => BigInt(Math.round(Number(sol) * 1e9));

/** Plans, signs and submits a change. The balances of every account and of the wallet must match the plan. */
const change = async (
  world: ClusterWorld,
  wallet: TestWallet,
  wanted: { readonly goal: string; readonly amountSol?: number; readonly to?: string },
): Promise<readonly PlannedAccount[]> => {
  const { chain, client, count } = world;
  const { walletAddress } = wallet;
  const { feasible, refusal, transactions, plan } = await client.post('/api/v1/plan', {
    walletAddress,
    ...wanted,
  });
  assert.equal(feasible, true, `${wanted.goal}: ${JSON.stringify(refusal)}`);
  for (const { transaction } of transactions)
    await client.post('/api/v1/transaction/submit', { signedTransaction: signedBy(wallet, transaction) });
  count('plans carried out');
  count('transactions of plans', transactions.length);
  const accounts = plan.accounts as readonly PlannedAccount[];
  for (const { stakeAccountAddress, after } of accounts) {
    if (after === null) {
      assert.equal(await chain.balance(stakeAccountAddress), 0n, `${wanted.goal} closes the account`);
      continue;
    }
    const { state, sol } = await compareAccount(world, walletAddress, stakeAccountAddress);
    assert.deepEqual({ state, sol }, { state: after.state, sol: after.sol }, wanted.goal);
    count('planned accounts compared');
  }
  assert.equal(
    await chain.balance(walletAddress),
    lamports(plan.wallet.afterSol),
    `wallet after ${wanted.goal}`,
  );
  await compareIndex(world, [walletAddress]);
  return accounts;
};

/** Runs the changes on 2 + 2 + 10 SOL of active stake. */
export const playPlans = async (world: ClusterWorld): Promise<void> => {
  const { chain, client, walletFile } = world;
  const wallet = newWallet();
  const { walletAddress, secretKey } = wallet;
  await chain.airdrop(walletAddress, 30n * SOL);
  await chain.nextEpoch();
  for (const amountSol of [2, 2, 10])
    await client.post('/api/v1/stake', { walletAddress, secretKey, amountSol });
  await chain.nextEpoch();
  // An undo is possible only in the epoch of the deactivation, so both start at the beginning of an epoch.
  await chain.nextEpoch();
  await change(world, wallet, { goal: 'unstake', amountSol: 5 });
  const { refusal } = await client.post('/api/v1/plan', { walletAddress, goal: 'undo' });
  // If an epoch is shorter than the lifetime of a blockhash, any signed transaction may land after the
  // boundary, so the service refuses to build the undo.
  if (refusal?.errorCode === 'EPOCH_BOUNDARY_NEAR') world.count('undos refused because the boundary is near');
  else await change(world, wallet, { goal: 'undo' });
  await chain.nextEpoch();
  await change(world, wallet, { goal: 'withdraw-amount', amountSol: 5 });
  await chain.nextEpoch();
  await change(world, wallet, { goal: 'withdraw-all' });
  const [left] = (await change(world, wallet, { goal: 'tidy' })).filter(({ after }) => after !== null);
  assert.ok(left);
  await chain.solana(walletFile, 'transfer', left.stakeAccountAddress, '0.3');
  await chain.nextEpoch();
  await change(world, wallet, { goal: 'sweep' });
};
