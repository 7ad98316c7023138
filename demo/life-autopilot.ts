// Runs a wallet's autopilot step by step: signs a policy, receives and verifies an offer, signs and submits it,
// and checks the new stake.
import assert from 'node:assert/strict';
import type { HttpClient } from './http-client.ts';
import { eventually } from './poll-until-result.ts';
import { signBuiltAndSubmit } from './sign-built-and-submit.ts';
import type { Story } from './story.ts';
import { runSnippet, signText } from './wallet.ts';
import type { ReceivedEvent, WebhookReceiver } from './webhook-receiver.ts';

const KEEP_SOL = 1;
const MIN_SWEEP_SOL = 1.5;
const FUNDED_SOL = 5;

/** Runs the autopilot scenario. Throws on the first unexpected result. */
export const playAutopilot = async (
  service: HttpClient,
  story: Story,
  receiver: WebhookReceiver,
): Promise<void> => {
  const { step } = story;
  const wallet = runSnippet((await service.post('/api/v1/wallet/generate')).runThis.javascript);
  const { walletAddress } = wallet;
  const path = `/api/v1/autopilot/policy/${walletAddress}`;

  const secret: string = await step(
    `Autopilot: keep ${KEEP_SOL} SOL, offer the rest for staking`,
    async () => {
      const request = {
        walletAddress,
        keepLiquidSol: KEEP_SOL,
        minSweepSol: MIN_SWEEP_SOL,
        callbackUrl: receiver.url,
        nonce: Date.now(),
      };
      // The refusal of a wrong signature contains the text to sign. A real signer would build the text itself
      // and compare the two.
      const refusal = await service
        .post('/api/v1/autopilot/policy', { ...request, signature: '1'.repeat(64) })
        .catch((error: { body: { textToSign: string } }) => error.body);
      const signature = signText(refusal.textToSign, wallet);
      const policy = await service.post('/api/v1/autopilot/policy', { ...request, signature });
      assert.match(policy.secret, /^whsec_/);
      return {
        value: policy.secret,
        result: 'policy signed by the wallet; the delivery secret is shown only once',
      };
    },
  );
  await step('The wallet is short of SOL, and the policy reports it', async () => {
    const { lastSkip } = await eventually(async () => {
      const policy = await service.get(path);
      return policy.lastSkip ? policy : null;
    }, 'the autopilot to check the wallet');
    assert.equal(lastSkip.reason, 'WALLET_SHORT');
    return { value: undefined, result: lastSkip.message };
  });
  const offer: ReceivedEvent = await step(`Airdrop ${FUNDED_SOL} SOL: an offer arrives`, async () => {
    await service.post('/sandbox/airdrop', { walletAddress, amountSol: FUNDED_SOL });
    const event = await receiver.next(secret, ({ type }) => type === 'autopilot_sweep');
    return {
      value: event,
      result: `${event.data.sol} SOL to ${event.data.stakeAccountAddress}; signature verified with the official library`,
    };
  });
  await step('Verify it, sign it here, submit it: staked', async () => {
    const { transaction, stakeAccountAddress } = offer.data as Record<string, string>;
    const check = await service.post('/api/v1/verify/stake-transaction', { transaction, walletAddress });
    assert.equal(check.ok, true, 'an offer must be verified before it is signed');
    const link = await signBuiltAndSubmit(service, wallet, { transaction: transaction! });
    const { accounts } = await service.get(`/api/v1/stake/accounts/${walletAddress}`);
    assert.equal(accounts[0].address, stakeAccountAddress);
    const { sol } = await service.get(`/api/v1/wallet/balance/${walletAddress}`);
    assert.ok(sol >= KEEP_SOL && sol < KEEP_SOL + 0.01, `${sol} SOL stayed liquid`);
    return {
      value: undefined,
      result: `${accounts[0].sol} SOL staked, ${sol} SOL liquid`,
      link,
    };
  });
};
