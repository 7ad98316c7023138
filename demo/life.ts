// Runs the full staking lifecycle against a running service. Every step checks its response.
import assert from 'node:assert/strict';
import type { HttpClient } from './http-client.ts';
import { Refusal } from './http-client.ts';
import { eventually } from './poll-until-result.ts';
import type { Story } from './story.ts';
import { runSnippet, signTransaction, type Wallet } from './wallet.ts';

const STAKE_SOL = 2;
const AIRDROP_SOL = 10;

/** Runs the staking lifecycle. Throws on the first unexpected result. */
export const playLife = async (service: HttpClient, story: Story): Promise<void> => {
  const { step } = story;
  const sandbox = await service.get('/sandbox');
  story.tell(`Sandbox RPC ${sandbox.rpcUrl}, validator ${sandbox.voteAccount}, epoch ${sandbox.epoch}`);

  const wallet: Wallet = await step('Create a wallet here with the snippet from the service', async () => {
    const made = runSnippet((await service.post('/api/v1/wallet/generate')).runThis.javascript);
    return { value: made, result: made.walletAddress };
  });
  const { walletAddress } = wallet;
  const accountsPath = `/api/v1/stake/accounts/${walletAddress}`;
  const balanceSol = async (): Promise<number> =>
    (await service.get(`/api/v1/wallet/balance/${walletAddress}`)).sol;
  const endEpoch = () =>
    step('The epoch ends', async () => ({
      value: undefined,
      result: `epoch ${(await service.post('/sandbox/epoch')).epoch}`,
    }));

  await step(`Airdrop ${AIRDROP_SOL} SOL`, async () => {
    const { signature } = await service.post('/sandbox/airdrop', { walletAddress, amountSol: AIRDROP_SOL });
    const balance = await service.get(`/api/v1/wallet/balance/${walletAddress}`);
    assert.equal(balance.sol, AIRDROP_SOL);
    assert.equal(balance.readyToStake, true);
    return {
      value: undefined,
      result: `balance ${balance.sol} SOL, ready to stake`,
      link: explorerLink(sandbox.rpcUrl, signature),
    };
  });

  await step(`What would ${STAKE_SOL} SOL earn in a year?`, async () => {
    const { projections, activation, recommendation } = await service.post('/api/v1/stake/simulate', {
      amountSol: STAKE_SOL,
    });
    assert.equal(activation.epochsUntilActive, 1);
    if (projections !== null) assert.ok(projections.total.balanceSol > STAKE_SOL);
    return { value: undefined, result: recommendation };
  });

  const [stakeAccountAddress, stakeSignature]: readonly [string, string] = await step(
    `Stake ${STAKE_SOL} SOL in one call, twice with one idempotency key`,
    async () => {
      const request = { ...wallet, amountSol: STAKE_SOL };
      const key = { 'idempotency-key': `demo-${walletAddress}` };
      const first = await service.post('/api/v1/stake', request, key);
      const second = await service.post('/api/v1/stake', request, key);
      assert.equal(second.signature, first.signature, 'the repeated request must not stake again');
      assert.equal((await service.get(accountsPath)).accounts.length, 1);
      return {
        value: [first.stakeAccountAddress, first.signature] as const,
        result: `one stake account: ${first.stakeAccountAddress}`,
        link: first.explorerUrl,
      };
    },
  );
  const stakeAccount = async () => {
    const { accounts } = await service.get(accountsPath);
    return accounts.find((account: { address: string }) => account.address === stakeAccountAddress);
  };

  await step('The on-chain transaction has the memo and does nothing but create this stake', async () => {
    const { verified, checks } = await service.get(`/api/v1/verify/transaction/${stakeSignature}`);
    assert.equal(verified, true);
    assert.deepEqual(checks, {
      delegatesToValidator: true,
      authoritiesAreFeePayer: true,
      noOtherInstructions: true,
    });
    return { value: undefined, result: 'delegated to our validator, both authorities are the wallet' };
  });
  await step('The stake is activating', async () => {
    const account = await stakeAccount();
    assert.equal(account.state, 'activating');
    return { value: undefined, result: account.stateDescription };
  });
  await endEpoch();
  await step('It is active', async () => {
    const account = await stakeAccount();
    assert.equal(account.state, 'active');
    assert.ok(account.activeSol > 0);
    return { value: undefined, result: `${account.activeSol} SOL effective` };
  });
  await endEpoch();
  const stakedSol: number = await step('The stake has earned rewards', async () => {
    const account = await stakeAccount();
    assert.ok(account.sol > STAKE_SOL, 'an active stake must have earned something');
    return {
      value: account.sol,
      result: `${account.sol} SOL, ${(account.sol - STAKE_SOL).toFixed(9)} SOL more than was staked`,
    };
  });

  await step('The whole portfolio in one call, with the next step', async () => {
    const { portfolio, accounts, recommendedAction } = await service.get(
      `/api/v1/stake/summary/${walletAddress}`,
    );
    assert.equal(portfolio.totalStakedSol, stakedSol);
    assert.equal(accounts.length, 1);
    return {
      value: undefined,
      result: `${portfolio.liquidSol} SOL liquid, ${portfolio.activeSol} SOL active; ${recommendedAction.action}: ${recommendedAction.reason}`,
    };
  });
  await step('Rewards by epoch, once finalized, as JSON and CSV', async () => {
    const path = `/api/v1/stake/rewards/${walletAddress}`;
    const rewards = await eventually(async () => {
      const { totals } = await service.get(path);
      return totals.inflationSol > 0 ? totals : null;
    }, 'the rewards to be finalized');
    const csv = await service.text(`${path}?format=csv`);
    assert.match(csv, /^epoch,paidAt,/);
    assert.ok(csv.includes(stakeAccountAddress));
    return {
      value: undefined,
      result: `${rewards.inflationSol.toFixed(9)} SOL inflation, ${rewards.tipsSol?.toFixed(9) ?? 'unknown'} SOL tips; the CSV has ${csv.trimEnd().split('\n').length - 1} lines`,
    };
  });

  await step('Unstake: built unsigned, signed here, submitted', async () => {
    const built = await service.post('/api/v1/unstake/transaction', { walletAddress, stakeAccountAddress });
    assert.deepEqual(
      built.instructions.map((instruction: { name: string }) => instruction.name),
      ['deactivate', 'addMemo'],
    );
    const signedTransaction = signTransaction(built.transaction, wallet);
    const { signature, explorerUrl } = await service.post('/api/v1/transaction/submit', {
      signedTransaction,
    });
    const again = await service.post('/api/v1/transaction/submit', { signedTransaction });
    assert.equal(again.signature, signature, 'submitting again must return the same signature');
    return { value: undefined, result: 'deactivated', link: explorerUrl };
  });
  await step('Withdrawing is still refused, before anything is signed', async () => {
    const refusal = await service
      .post('/api/v1/withdraw/transaction', { walletAddress, stakeAccountAddress })
      .then(
        () => assert.fail('an early withdrawal must be refused'),
        (error: unknown) => error,
      );
    assert.ok(refusal instanceof Refusal, String(refusal));
    assert.equal(refusal.status, 400);
    assert.equal(refusal.errorCode, 'STAKE_NOT_WITHDRAWABLE');
    return { value: undefined, result: `400 ${refusal.errorCode}` };
  });
  await endEpoch();
  await step('It is ready to withdraw', async () => {
    const readiness = await service.get(`${accountsPath}/withdraw-ready`);
    assert.equal(readiness.anyReady, true);
    return { value: undefined, result: `${readiness.readyCount} of ${readiness.totalAccounts} ready` };
  });
  await step('Withdraw everything', async () => {
    const before = await balanceSol();
    const { explorerUrl, amountSol } = await service.post('/api/v1/withdraw', {
      ...wallet,
      stakeAccountAddress,
    });
    const after = await balanceSol();
    assert.ok(amountSol >= stakedSol, 'the full amount must come back');
    assert.ok(
      Math.abs(after - (before + amountSol - 0.000005)) < 1e-9,
      `${before} + ${amountSol} - fee is not ${after}`,
    );
    assert.equal(await stakeAccount(), undefined, 'the emptied account must be gone');
    return { value: undefined, result: `${amountSol} SOL back, balance ${after} SOL`, link: explorerUrl };
  });
  await step('The history lists everything once it is finalized', async () => {
    const history = await eventually(async () => {
      const { history: entries } = await service.get(`/api/v1/stake/history/${walletAddress}`);
      return entries.length === 3 ? entries : null;
    }, 'the history to be finalized');
    const types: string[] = history.map(({ type }: { type: string }) => type);
    assert.deepEqual(types, ['withdraw', 'unstake', 'stake']);
    return { value: undefined, result: types.toReversed().join(', ') };
  });
};

const explorerLink = (rpcUrl: string, signature: string): string =>
  `https://explorer.solana.com/tx/${signature}?cluster=custom&customUrl=${encodeURIComponent(rpcUrl)}`;
