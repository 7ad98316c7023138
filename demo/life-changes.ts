// Changes stake by amount, step by step: unstakes 5 of 2 + 2 + 10 SOL, undoes that, unstakes again, withdraws,
// and merges the rest.
import assert from 'node:assert/strict';
import type { HttpClient } from './http-client.ts';
import { signBuiltAndSubmit } from './sign-built-and-submit.ts';
import type { Story } from './story.ts';
import { runSnippet } from './wallet.ts';

const STAKES_SOL = [2, 2, 10];
const WANTED_SOL = 5;

interface PlannedAccount {
  readonly before: { readonly state: string; readonly sol: number } | null;
  readonly after: { readonly state: string; readonly sol: number; readonly stakedSol: number } | null;
}

const inWords = (accounts: readonly PlannedAccount[], side: 'before' | 'after'): string =>
  accounts
    .flatMap((account) => account[side] ?? [])
    .map(({ sol, state }) => `${sol.toFixed(3)} ${state}`)
    .join(' + ');

const stakedIn = (accounts: readonly PlannedAccount[], state: string): number =>
  accounts.reduce((sum, { after }) => sum + (after?.state === state ? after.stakedSol : 0), 0);

/** Runs the stake changes. Throws on the first unexpected result. */
export const playStakeChanges = async (service: HttpClient, story: Story): Promise<void> => {
  const { step } = story;
  const wallet = runSnippet((await service.post('/api/v1/wallet/generate')).runThis.javascript);
  const { walletAddress } = wallet;
  const endEpoch = () => service.post('/sandbox/epoch');

  await step(`Stake ${STAKES_SOL.join(' + ')} SOL with another wallet, until all are active`, async () => {
    await service.post('/sandbox/airdrop', { walletAddress, amountSol: 15 });
    for (const amountSol of STAKES_SOL) await service.post('/api/v1/stake', { ...wallet, amountSol });
    await endEpoch();
    const { accounts } = await service.get(`/api/v1/stake/accounts/${walletAddress}`);
    assert.deepEqual(
      accounts.map(({ state }: { state: string }) => state),
      STAKES_SOL.map(() => 'active'),
    );
    return { value: undefined, result: `${accounts.length} active stake accounts` };
  });
  const unstake = async () => {
    const built = await service.post('/api/v1/unstake/transaction', { walletAddress, amountSol: WANTED_SOL });
    const { accounts, wallet: when } = built.plan;
    assert.equal(Math.round(stakedIn(accounts, 'deactivating') * 1e9), WANTED_SOL * 1e9);
    const link = await signBuiltAndSubmit(service, wallet, built);
    return { accounts, later: when.later, link };
  };
  await step(`Unstake exactly ${WANTED_SOL} SOL: one transaction, signed here`, async () => {
    const { accounts, later, link } = await unstake();
    return {
      value: undefined,
      result: `${inWords(accounts, 'before')} → ${inWords(accounts, 'after')}; withdrawable about ${later[0].estimatedAt}`,
      link,
    };
  });
  await step('Cancel: free until the epoch ends', async () => {
    const built = await service.post('/api/v1/unstake/undo/transaction', { walletAddress });
    const { accounts } = built.plan;
    assert.equal(stakedIn(accounts, 'deactivating'), 0);
    const link = await signBuiltAndSubmit(service, wallet, built);
    return { value: undefined, result: inWords(accounts, 'after'), link };
  });
  await step(`Unstake the ${WANTED_SOL} SOL again, and withdraw everything once it is inactive`, async () => {
    await unstake();
    await endEpoch();
    const built = await service.post('/api/v1/withdraw/transaction', { walletAddress, all: true });
    const { beforeSol, afterSol } = built.plan.wallet;
    assert.ok(afterSol - beforeSol > WANTED_SOL - 0.001, `${afterSol - beforeSol} SOL came back`);
    const link = await signBuiltAndSubmit(service, wallet, built);
    const { sol } = await service.get(`/api/v1/wallet/balance/${walletAddress}`);
    assert.equal(sol, afterSol);
    return {
      value: undefined,
      result: `${(afterSol - beforeSol).toFixed(9)} SOL arrived in the wallet`,
      link,
    };
  });
  await step('Merge the rest into one account, which returns the rent of the others', async () => {
    const { feasible, plan, transactions } = await service.post('/api/v1/plan', {
      walletAddress,
      goal: 'tidy',
    });
    assert.equal(feasible, true);
    let link = '';
    for (const one of transactions) link = await signBuiltAndSubmit(service, wallet, one);
    const { accounts } = await service.get(`/api/v1/stake/accounts/${walletAddress}`);
    assert.equal(accounts.length, 1);
    return {
      value: undefined,
      result: `${inWords(plan.accounts, 'before')} → ${accounts[0].sol} ${accounts[0].state}; ${(-plan.cost.rentLockedSol).toFixed(9)} SOL rent back`,
      link,
    };
  });
};
