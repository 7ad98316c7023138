// Runs stakes on a busy network: one without a priority fee waits, one with a fee overtakes it, and both land
// in the end.
import assert from 'node:assert/strict';
import type { HttpClient } from './http-client.ts';
import { eventually } from './poll-until-result.ts';
import type { Story } from './story.ts';
import { runSnippet, signTransaction, type Wallet } from './wallet.ts';

const STAKE_SOL = 2;
const AIRDROP_SOL = 6;
/** Settings for full blocks in which all background transactions pay the same price. */
const FULL_BLOCKS = { busy: true, transactionsPerBlock: 2, backgroundPerBlock: 20, unitPrices: [50_000] };
/**
 * Priority level of the stake. Level `high` has a price as soon as a quarter of the last 150 blocks are full,
 * sooner than the other levels. In a new sandbox, no earlier block is full.
 */
const PRIORITY = 'high';

/** Runs the scenario and makes the network quiet again. Throws on the first unexpected result. */
export const playBusyNetwork = async (service: HttpClient, story: Story): Promise<void> => {
  const { step } = story;
  const wallet: Wallet = runSnippet((await service.post('/api/v1/wallet/generate')).runThis.javascript);
  const { walletAddress } = wallet;
  const request = { walletAddress, amountSol: STAKE_SOL };
  await service.post('/sandbox/airdrop', { walletAddress, amountSol: AIRDROP_SOL });
  try {
    await step(
      'The network gets busy: a block has room for two transactions, and many compete for it',
      async () => {
        await service.post('/sandbox/network', FULL_BLOCKS);
        const fee = await eventually(async () => {
          const { priorityFee } = await service.post('/api/v1/stake/transaction', {
            ...request,
            priority: PRIORITY,
          });
          return priorityFee?.lamports > 0 ? priorityFee : null;
        }, 'blocks full enough for a price');
        return {
          value: undefined,
          result: `a compute unit costs ${fee.microLamportsPerUnit} micro-lamports: ${fee.lamports} lamports for a stake`,
        };
      },
    );
    const built = await service.post('/api/v1/stake/transaction', request);
    const signedTransaction = signTransaction(built.transaction, wallet);
    const submitted = service.post('/api/v1/transaction/submit', { signedTransaction });
    submitted.catch(() => undefined);
    await step(`A stake with priority ${PRIORITY} lands immediately`, async () => {
      const { priorityFee, explorerUrl } = await service.post('/api/v1/stake', {
        ...wallet,
        amountSol: STAKE_SOL,
        priority: PRIORITY,
      });
      assert.ok(priorityFee.lamports > 0);
      return {
        value: undefined,
        result: `its fee: ${priorityFee.lamports} lamports, ${priorityFee.shareOfAmountPct} % of the amount`,
        link: explorerUrl,
      };
    });
    await step('A stake without a priority fee, sent earlier, is still waiting', async () => {
      const { accounts } = await service.get(`/api/v1/stake/accounts/${walletAddress}`);
      assert.equal(accounts.length, 1);
      return { value: undefined, result: 'it is not on the chain yet' };
    });
    await step('The network is quiet again, and that stake lands', async () => {
      await service.post('/sandbox/network', { busy: false });
      const { explorerUrl } = await submitted;
      const { accounts } = await service.get(`/api/v1/stake/accounts/${walletAddress}`);
      assert.equal(accounts.length, 2);
      return { value: undefined, result: 'both stakes landed, each exactly once', link: explorerUrl };
    });
  } finally {
    await service.post('/sandbox/network', { busy: false });
  }
};
