// Requests the same change again through the second of two processes on one PostgreSQL database while the same
// blockhash is valid, and checks that it is executed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openReplicaWorld, replicasMissing } from '../support/replicas.ts';
import { balanceOf, buildAndSubmit, stakeNow } from '../support/service-calls.ts';
import { fundedWallet } from '../support/wallets.ts';

const skip = await replicasMissing();
const WITHDRAWALS = process.env.HOLDFAST_TEST_FULL === '1' ? 200 : 4;

test(`stake is unstaked, undone and unstaked again through two processes, and one amount is withdrawn ${WITHDRAWALS} times`, {
  skip,
}, async (t) => {
  // The service uses a blockhash for 20 blocks, which take 8 s here, as on Mainnet.
  const world = await openReplicaWorld(t, { sandbox: { slotMs: 400 } });
  const services = await Promise.all([world.start(), world.start()]);
  const wallet = await fundedWallet(world.sandbox, 10);
  const stakeAccountAddress = await stakeNow(services[0]!, wallet, 5);
  await world.sandbox.advanceEpochs(1);
  const signatures = new Set<string>();
  const blockhashes: string[] = [];
  /** Makes one change, alternating between the two processes. */
  const change = async (turn: number, path: string, body: object = {}) => {
    const { built, submitted } = await buildAndSubmit(services[turn % 2]!, wallet, path, {
      stakeAccountAddress,
      idempotencyKey: `${path} ${turn}`.replaceAll(' ', '-'),
      ...body,
    });
    signatures.add(submitted.signature);
    blockhashes.push(built.blockhash);
  };
  await change(0, '/api/v1/unstake/transaction');
  await change(0, '/api/v1/unstake/undo/transaction');
  await change(1, '/api/v1/unstake/transaction');
  const { accounts } = await services[0]!.client.get(`/api/v1/stake/accounts/${wallet.walletAddress}`);
  assert.equal(accounts[0].state, 'deactivating');
  await world.sandbox.advanceEpochs(1);
  const held = await balanceOf(world.sandbox, stakeAccountAddress);
  for (let turn = 0; turn < WITHDRAWALS; turn += 1) {
    await change(turn, '/api/v1/withdraw/transaction', { amountSol: 0.01 });
    const moved = BigInt(turn + 1) * 10_000_000n;
    assert.equal(await balanceOf(world.sandbox, stakeAccountAddress), held - moved, `withdrawal ${turn + 1}`);
  }
  assert.equal(signatures.size, 3 + WITHDRAWALS);
  assert.equal(new Set(blockhashes).size, 3 + WITHDRAWALS);
});
