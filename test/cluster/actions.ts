// Completes a staking lifecycle through Solana Actions: a standard wallet signs the transactions of the action
// cards and sends them to the validator itself.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../../demo/poll-until-result.ts';
import { createActionClient, fillLink } from '../support/action-client.ts';
import { newWallet } from '../support/wallets.ts';
import { type ClusterWorld, compareAccount } from './scenarios.ts';

const SOL = 1_000_000_000n;

/** Stakes, unstakes and withdraws everything. Checks the chain after each step. */
export const playActions = async (world: ClusterWorld): Promise<void> => {
  const { chain, client, count, serviceUrl } = world;
  const wallet = newWallet();
  const { walletAddress } = wallet;
  await chain.airdrop(walletAddress, 20n * SOL);
  const { show, post, run } = createActionClient(serviceUrl, {
    genesisHash: await chain.ask<string>('getGenesisHash'),
    rpcUrl: chain.rpcUrl,
    nextBlock: (signal) => delay(200, undefined, { signal }),
  });
  const act = async (card: string, label: string, typed: Readonly<Record<string, string>>): Promise<void> => {
    const { links } = await show(card);
    const link = links?.actions.find((one) => one.label === label);
    assert.ok(link, label);
    // Epochs last only seconds, so rewards are often being paid. A request during that time is refused with a
    // reason, and succeeds soon afterwards.
    const built = await eventually(async () => {
      const { status, body } = await post<{ type: string; errorCode?: string; transaction: string }>(
        fillLink(link, typed),
        { account: walletAddress },
      );
      if (body.errorCode === 'EPOCH_REWARDS_ACTIVE') count('refusals during a freeze');
      else assert.equal(status, 200, JSON.stringify(body));
      return status === 200 ? body : null;
    }, `${label} after the freeze`);
    const { completed, signature } = await run(wallet, built as Parameters<typeof run>[1]);
    assert.equal(completed.type, 'completed');
    assert.ok(completed.description.includes(signature));
    count('actions carried out');
  };

  // Starts far from an epoch boundary, because the chain refuses a transaction that lands while rewards are
  // being paid.
  await chain.nextEpoch();
  await act('/api/actions/stake', 'Stake SOL', { amountSol: '2.000000001' });
  const { accounts } = await client.get(`/api/v1/stake/accounts/${walletAddress}`);
  assert.equal(accounts.length, 1);
  const stakeAccountAddress: string = accounts[0].address;
  const staked = await compareAccount(world, walletAddress, stakeAccountAddress);
  assert.equal(staked.lamports, 2_000_000_001);
  await chain.nextEpoch();
  await act(`/api/actions/unstake?account=${walletAddress}`, 'Unstake', { stakeAccountAddress });
  assert.equal((await compareAccount(world, walletAddress, stakeAccountAddress)).state, 'deactivating');
  await chain.nextEpoch();
  const { lamports } = await compareAccount(world, walletAddress, stakeAccountAddress);
  const before = await chain.balance(walletAddress);
  await act('/api/actions/withdraw', 'Withdraw SOL', { stakeAccountAddress });
  assert.equal(await chain.balance(stakeAccountAddress), 0n);
  assert.equal(await chain.balance(walletAddress), before + BigInt(lamports) - 5_000n);
};
