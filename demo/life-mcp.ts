// Runs the full staking lifecycle as an agent would, with MCP tools. Only signing and the sandbox's controls
// use other means.
import assert from 'node:assert/strict';
import { type HttpClient, Refusal } from './http-client.ts';
import type { McpClient } from './mcp-client.ts';
import { eventually } from './poll-until-result.ts';
import type { Story } from './story.ts';
import { runSnippet, signTransaction, type Wallet } from './wallet.ts';

const STAKE_SOL = 2;
/** Fee of one signature. A stake earns less than this in a short sandbox epoch. */
const FEE_SOL = 0.000005;
const AIRDROP_SOL = 10;

/**
 * Runs the staking lifecycle. `agent` has only the MCP tools; `sandbox` provides SOL and ends epochs. Throws on
 * the first unexpected result.
 */
export const playLifeOverMcp = async (agent: McpClient, sandbox: HttpClient, story: Story): Promise<void> => {
  const { step } = story;
  const endEpoch = () =>
    step('The epoch ends', async () => ({
      value: undefined,
      result: `epoch ${(await sandbox.post('/sandbox/epoch')).epoch}`,
    }));

  await step("List the server's tools", async () => {
    const names = await agent.tools();
    assert.equal(names.length, 33);
    return { value: undefined, result: `${names.length} tools` };
  });
  await step('Read the resources: the validator is voting, the epoch is running', async () => {
    // The response is cached and may still show a delinquency from an earlier run.
    const status = await eventually(async () => {
      const read = await agent.read('holdfast://validator/status');
      return read.delinquent === false ? read : null;
    }, 'a validator that votes');
    const epoch = await agent.read('holdfast://epoch/current');
    assert.ok(epoch.currentEpoch >= status.currentEpoch);
    return { value: undefined, result: `epoch ${epoch.currentEpoch}, ${epoch.progressPct}% complete` };
  });
  const wallet: Wallet = await step('generate_wallet, then run its snippet here', async () => {
    const made = runSnippet((await agent.call('generate_wallet')).runThis.javascript);
    return { value: made, result: made.walletAddress };
  });
  const one = { walletAddress: wallet.walletAddress };
  const stakeAccount = async () => (await agent.call('check_stake_accounts', one)).accounts[0];

  await step(`Airdrop ${AIRDROP_SOL} SOL, then check_balance`, async () => {
    await sandbox.post('/sandbox/airdrop', { ...one, amountSol: AIRDROP_SOL });
    const balance = await agent.call('check_balance', one);
    assert.deepEqual([balance.sol, balance.readyToStake], [AIRDROP_SOL, true]);
    assert.equal((await agent.call('check_address_type', { address: wallet.walletAddress })).type, 'wallet');
    return { value: undefined, result: `${balance.availableToStake} SOL can be staked` };
  });
  await step(`get_validator_info, get_staking_apy, simulate_stake ${STAKE_SOL} SOL`, async () => {
    const { voteAccount } = await agent.call('get_validator_info');
    const { totalApy } = await agent.call('get_staking_apy');
    const { recommendation } = await agent.call('simulate_stake', { amountSol: STAKE_SOL });
    return { value: undefined, result: `${voteAccount}, ${totalApy}% a year. ${recommendation}` };
  });

  const submit = async (built: { transaction: string }, idempotencyKey?: string) => {
    const signedTransaction = signTransaction(built.transaction, wallet);
    const members = { signedTransaction, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
    const submitted = await agent.call('submit_transaction', members);
    const again = await agent.call('submit_transaction', members);
    assert.equal(again.signature, submitted.signature, 'submitting again must not stake again');
    return submitted;
  };
  const stakeAccountAddress: string = await step(
    'create_stake_transaction, sign here, submit_transaction twice',
    async () => {
      const idempotencyKey = `demo-mcp-${wallet.walletAddress}`;
      const stake = { ...one, amountSol: STAKE_SOL, idempotencyKey };
      const built = await agent.call('create_stake_transaction', stake);
      assert.deepEqual(
        built.instructions.map(({ name }: { name: string }) => name),
        ['createAccount', 'initialize', 'delegateStake', 'addMemo'],
      );
      const { signature, explorerUrl } = await submit(built, idempotencyKey);
      const { verified, checks } = await agent.call('verify_transaction', { signature });
      assert.equal(verified, true);
      assert.equal(checks.delegatesToValidator && checks.noOtherInstructions, true);
      assert.equal((await stakeAccount()).state, 'activating');
      return {
        value: built.stakeAccountAddress,
        result: `one stake account: ${built.stakeAccountAddress}, verified`,
        link: explorerUrl,
      };
    },
  );
  await endEpoch();
  await endEpoch();
  await step('The stake is active and has earned rewards', async () => {
    const { portfolio, recommendedAction } = await agent.call('get_staking_summary', one);
    assert.ok(portfolio.totalStakedSol > STAKE_SOL, 'an active stake must have earned something');
    return {
      value: undefined,
      result: `${portfolio.totalStakedSol} SOL; ${recommendedAction.action}: ${recommendedAction.reason}`,
    };
  });
  const account = { ...one, stakeAccountAddress };
  await step('create_unstake_transaction, sign here, submit_transaction', async () => {
    const { explorerUrl } = await submit(await agent.call('create_unstake_transaction', account));
    assert.equal((await stakeAccount()).state, 'deactivating');
    return { value: undefined, result: 'deactivated', link: explorerUrl };
  });
  await step('withdraw_stake is refused for now, with advice on what to do instead', async () => {
    const refusal = await agent.call('withdraw_stake', account).then(
      () => assert.fail('an early withdrawal must be refused'),
      (error: unknown) => error,
    );
    assert.ok(refusal instanceof Refusal, String(refusal));
    assert.equal(refusal.errorCode, 'STAKE_NOT_WITHDRAWABLE');
    return { value: undefined, result: `${refusal.errorCode}: ${refusal.body.suggestedAction}` };
  });
  await endEpoch();
  await step('check_withdraw_ready, then withdraw_stake, sign here, submit_transaction', async () => {
    assert.equal((await agent.call('check_withdraw_ready', one)).anyReady, true);
    const before = (await agent.call('check_balance', one)).sol;
    const { explorerUrl } = await submit(await agent.call('withdraw_stake', account));
    const after = (await agent.call('check_balance', one)).sol;
    assert.ok(after + FEE_SOL > before + STAKE_SOL, 'the full amount must come back, with its rewards');
    assert.equal(await stakeAccount(), undefined, 'the emptied account must be gone');
    return { value: undefined, result: `balance ${after} SOL, from ${before}`, link: explorerUrl };
  });
  await step('stake with the key, twice with one idempotency key', async () => {
    const request = { ...wallet, amountSol: STAKE_SOL, idempotencyKey: `demo-key-${wallet.walletAddress}` };
    const first = await agent.call('stake', request);
    const second = await agent.call('stake', request);
    assert.equal(second.signature, first.signature, 'the repeated call must not stake again');
    assert.equal((await agent.call('check_stake_accounts', one)).accounts.length, 1);
    return { value: undefined, result: first.message, link: first.explorerUrl };
  });
};
