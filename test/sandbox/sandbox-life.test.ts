// Completes a staking lifecycle on the chain with two independent client libraries through the gateway.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { address, createSolanaRpcSubscriptions } from '@solana/kit';
import {
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  StakeProgram,
  sendAndConfirmTransaction,
} from '@solana/web3.js';
import { readDelegation } from '../../sandbox/epochs/delegation-bytes.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { patience } from '../support/patience.ts';
import { QUICK_SANDBOX, sharedSandbox } from '../support/sandbox-fixture.ts';
import { withLegacyConnection } from '../support/sandbox-legacy-client.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';

const SOL = 1_000_000_000n;
const RENT = 1_666_240n;
const cluster = sharedSandbox({ before, after });

test('a kit client stakes, earns the amount that getInflationReward reports, and withdraws everything', async () => {
  const sandbox = cluster.get();
  const staker = await SandboxStaker.fund(sandbox, 20n * SOL);
  const stake = await staker.stake(10n * SOL + RENT);
  const activationEpoch = BigInt(sandbox.epoch());
  const activating = readDelegation((await staker.account(stake))!.data);
  assert.equal(activating?.stakeLamports, 10n * SOL);
  assert.equal(activating?.activationEpoch, activationEpoch);

  await sandbox.advanceEpochs(1);
  const active = await staker.account(stake);
  assert.equal(readDelegation(active!.data)?.stakeLamports, 10n * SOL, 'no reward for the activation epoch');
  const [none] = await staker.rpc.getInflationReward([address(stake)]).send();
  assert.equal(none, null);
  assert.ok(
    (readDelegation(active!.data)?.creditsObserved ?? 0n) > 0n,
    'credits of the activation epoch are skipped',
  );

  const balances = [active!.lamports];
  for (let round = 0; round < 3; round += 1) {
    const ended = BigInt(sandbox.epoch());
    const before = await staker.account(stake);
    await sandbox.advanceEpochs(1);
    const grown = await staker.account(stake);
    const [reward] = await staker.rpc.getInflationReward([address(stake)], { epoch: ended }).send();
    const delegated = (data: Buffer): bigint => readDelegation(data)?.stakeLamports ?? 0n;
    assert.equal(reward?.epoch, ended);
    assert.equal(reward?.effectiveSlot, (ended + 1n) * 432_000n);
    assert.ok(reward.amount > 0n);
    assert.equal(
      delegated(grown!.data) - delegated(before!.data),
      reward.amount,
      'the delegation grows by the reward',
    );
    assert.equal(reward.postBalance, before!.lamports + reward.amount);
    const tip = grown!.lamports - reward.postBalance;
    assert.ok(tip >= 0n, 'tips are plain lamports on top');
    balances.push(grown!.lamports);
  }
  await staker.deactivate(stake);
  const whole = balances.at(-1) as bigint;
  await assert.rejects(staker.withdraw(stake, whole), 'still effective');
  await sandbox.advanceEpochs(1);
  const last = await staker.account(stake);
  assert.ok(last!.lamports > whole, 'the epoch of the deactivation still earns');
  await assert.rejects(staker.withdraw(stake, last!.lamports + 1n), 'one lamport too much');
  await staker.withdraw(stake, last!.lamports);
  assert.equal(await staker.account(stake), null);
});

test('a legacy web3.js connection stakes, is notified of confirmations by WebSocket, unstakes and withdraws', async () => {
  const sandbox = cluster.get();
  await withLegacyConnection(sandbox, async (connection) => {
    const wallet = Keypair.generate();
    const funding = await connection.requestAirdrop(wallet.publicKey, 5 * LAMPORTS_PER_SOL);
    const latest = await connection.getLatestBlockhash();
    await connection.confirmTransaction({ signature: funding, ...latest });
    const stake = Keypair.generate();
    const lamports = 2 * LAMPORTS_PER_SOL;
    const create = StakeProgram.createAccount({
      fromPubkey: wallet.publicKey,
      stakePubkey: stake.publicKey,
      authorized: { staker: wallet.publicKey, withdrawer: wallet.publicKey },
      lamports,
    });
    create.add(
      StakeProgram.delegate({
        stakePubkey: stake.publicKey,
        authorizedPubkey: wallet.publicKey,
        votePubkey: new PublicKey(sandbox.voteAccount),
      }),
    );
    await sendAndConfirmTransaction(connection, create, [wallet, stake]);
    await sandbox.advanceEpochs(1);
    const votes = await connection.getVoteAccounts();
    const ours = votes.current.find((vote) => vote.votePubkey === sandbox.voteAccount);
    assert.ok((ours?.activatedStake ?? 0) >= lamports - Number(RENT));
    assert.equal(ours?.commission, 0);
    const authorizedPubkey = wallet.publicKey;
    const deactivate = StakeProgram.deactivate({ stakePubkey: stake.publicKey, authorizedPubkey });
    await sendAndConfirmTransaction(connection, deactivate, [wallet]);
    await sandbox.advanceEpochs(1);
    const balance = await connection.getBalance(stake.publicKey);
    assert.ok(balance > lamports);
    const withdraw = StakeProgram.withdraw({
      stakePubkey: stake.publicKey,
      authorizedPubkey,
      toPubkey: wallet.publicKey,
      lamports: balance,
    });
    await sendAndConfirmTransaction(connection, withdraw, [wallet]);
    assert.equal(await connection.getBalance(stake.publicKey), 0);
  });
});

test('a kit client connected to the printed WebSocket URL is notified about an account', async () => {
  const sandbox = cluster.get();
  const staker = await SandboxStaker.fund(sandbox, SOL);
  const aborter = new AbortController();
  const notifications = await createSolanaRpcSubscriptions(sandbox.wsUrl)
    .accountNotifications(staker.wallet.address, { commitment: 'processed' })
    .subscribe({ abortSignal: aborter.signal });
  const heard = notifications[Symbol.asyncIterator]().next();
  // The runtime confirms a subscription shortly before it becomes active, and changes in between trigger no
  // notification.
  let lamports = SOL;
  const notified = heard.then(({ value }) => value!.value.lamports);
  const later = (): Promise<null> => new Promise((resolve) => setTimeout(resolve, 3_000, null));
  let first: bigint | null = null;
  while (first === null) {
    await sandbox.airdrop(staker.wallet.address, SOL, patience());
    lamports += SOL;
    first = await Promise.race([notified, later()]);
  }
  assert.ok(first > SOL && first <= lamports, `${first}`);
  aborter.abort();
});

test('confirmations by WebSocket contain the slot of the transaction', async () => {
  const sandbox = cluster.get();
  const rpcSubscriptions = createSolanaRpcSubscriptions(sandbox.wsUrl);
  const staker = await SandboxStaker.fund(sandbox, SOL);
  for (const commitment of ['confirmed', 'finalized'] as const) {
    const { signature, send } = await staker.prepare([]);
    const aborter = new AbortController();
    const notifications = await rpcSubscriptions
      .signatureNotifications(signature, { commitment })
      .subscribe({ abortSignal: aborter.signal });
    await send();
    for await (const { context, value } of notifications) {
      const { value: statuses } = await staker.rpc.getSignatureStatuses([signature]).send();
      const landed = statuses[0]!.slot;
      assert.equal(value.err, null);
      assert.ok(context.slot >= landed && context.slot <= landed + 40n, `${context.slot} against ${landed}`);
      break;
    }
    aborter.abort();
  }
});

test('block times are wall-clock times, even after many skipped epochs', async () => {
  const sandbox = cluster.get();
  const staker = await SandboxStaker.fund(sandbox, SOL);
  await sandbox.advanceEpochs(5);
  const [entry] = await staker.rpc.getSignaturesForAddress(staker.wallet.address).send();
  const transaction = await staker.rpc
    .getTransaction(entry!.signature, { encoding: 'base64', maxSupportedTransactionVersion: 0 })
    .send();
  const clockTime = await staker.rpc
    .getBlockTime(await staker.rpc.getSlot({ commitment: 'processed' }).send())
    .send();
  const nowSeconds = Math.floor(Date.now() / 1_000);
  for (const time of [entry!.blockTime, transaction!.blockTime, clockTime]) {
    assert.ok(Math.abs(Number(time) - nowSeconds) < 60, `${time} is not about ${nowSeconds}`);
  }
});

test('two sandboxes started in the same second are different chains', async () => {
  await using first = await startSandbox(QUICK_SANDBOX);
  await using second = await startSandbox(QUICK_SANDBOX);
  assert.notEqual(first.genesisHash, second.genesisHash);
  for (const { rpcUrl, genesisHash } of [first, second]) {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getGenesisHash' }),
    });
    assert.equal(((await response.json()) as { result: string }).result, genesisHash);
  }
});
