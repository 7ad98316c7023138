// Checks priority fees, transaction versions and durable nonces on the validator.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import {
  ComputeBudgetProgram,
  PublicKey,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { Refusal } from '../../demo/http-client.ts';
import { eventually } from '../../demo/poll-until-result.ts';
import { newWallet, signedBy, type TestWallet } from '../support/wallets.ts';
import { type ClusterWorld, compareAccount } from './scenarios.ts';

const SOL = 1_000_000_000n;
/** Compute unit price of the wallet's competing transactions, in micro-lamports. */
const COMPETING_PRICE = 50_000;

// biome-ignore lint/suspicious/noExplicitAny: the test reads untyped JSON.
type Json = any;

/** Repeatedly transfers SOL from the wallet to itself with a priority fee, until `signal` is aborted. */
const payPriority = async (
  { chain, count }: ClusterWorld,
  wallet: TestWallet,
  signal: AbortSignal,
): Promise<void> => {
  const payer = new PublicKey(wallet.walletAddress);
  for (let lamports = 1; !signal.aborted; lamports += 1) {
    type Latest = { value: { blockhash: string } };
    const { value } = await chain.ask<Latest>('getLatestBlockhash', [{ commitment: 'confirmed' }]);
    const message = new TransactionMessage({
      payerKey: payer,
      recentBlockhash: value.blockhash,
      instructions: [
        ComputeBudgetProgram.setComputeUnitPrice({ microLamports: COMPETING_PRICE }),
        SystemProgram.transfer({ fromPubkey: payer, toPubkey: payer, lamports }),
      ],
    }).compileToV0Message();
    const transaction = Buffer.from(new VersionedTransaction(message).serialize()).toString('base64');
    await chain.ask('sendTransaction', [
      signedBy(wallet, transaction),
      { encoding: 'base64', skipPreflight: true },
    ]);
    count('competing transactions');
    await delay(200);
  }
};

/** Returns the fee that the chain charged for a confirmed transaction. */
const chargedFee = ({ chain }: ClusterWorld, signature: string): Promise<number> =>
  eventually(async () => {
    const found = await chain.ask<{ meta: { fee: number } } | null>('getTransaction', [
      signature,
      { commitment: 'confirmed', maxSupportedTransactionVersion: 1 },
    ]);
    return found === null ? null : found.meta.fee;
  }, `the fee of ${signature}`);

const submit = ({ client }: ClusterWorld, wallet: TestWallet, transaction: string): Promise<Json> =>
  client.post('/api/v1/transaction/submit', { signedTransaction: signedBy(wallet, transaction) });

/**
 * Stakes and unstakes with a priority fee in each transaction version. The chain must charge the announced
 * fee.
 */
export const playFees = async (world: ClusterWorld): Promise<void> => {
  const { chain, client, count, story } = world;
  const wallet = newWallet();
  const { walletAddress, secretKey } = wallet;
  await chain.airdrop(walletAddress, 100n * SOL);
  const stop = new AbortController();
  const competing = payPriority(world, wallet, stop.signal);
  const build = (path: string, body: object): Promise<Json> =>
    client.post(path, { walletAddress, priority: 'high', ...body });
  try {
    await eventually(async () => {
      const { priorityFee } = await build('/api/v1/stake/transaction', { amountSol: 2 });
      return priorityFee.lamports > 0 ? true : null;
    }, 'a fee estimate above zero');
    for (const transactionVersion of ['legacy', 0, 1] as const) {
      const addressing = transactionVersion === 0 ? 'seed' : 'key';
      const stake = await build('/api/v1/stake/transaction', {
        amountSol: 2,
        transactionVersion,
        addressing,
      });
      const { signature } = await submit(world, wallet, stake.transaction);
      const unstake = await build('/api/v1/unstake/transaction', {
        stakeAccountAddress: stake.stakeAccountAddress,
        transactionVersion,
      });
      const submitted = await submit(world, wallet, unstake.transaction);
      for (const [built, landed, signatures] of [
        [stake, signature, addressing === 'seed' ? 1 : 2],
        [unstake, submitted.signature, 1],
      ] as const) {
        assert.ok(built.priorityFee.lamports > 0, 'a priority fee');
        const charged = await chargedFee(world, landed);
        assert.equal(
          charged,
          5_000 * signatures + built.priorityFee.lamports,
          `version ${transactionVersion}`,
        );
        count(`fees charged as announced, version ${transactionVersion}`);
        story.tell(`version ${transactionVersion}: ${charged} lamports, ${built.priorityFee.form}`);
      }
    }
    const done = await client.post('/api/v1/stake', {
      walletAddress,
      secretKey,
      amountSol: 2,
      priority: 'high',
    });
    assert.ok(done.priorityFee.lamports > 0, 'a one-shot stake pays a priority fee');
    assert.equal(await chargedFee(world, done.signature), 10_000 + done.priorityFee.lamports);
    count('fees charged as announced, one-shot');
  } finally {
    stop.abort();
    await competing;
  }
};

const isRefused = (error: unknown): error is Refusal => error instanceof Refusal;

/**
 * Creates a nonce account, stakes with it after a recent blockhash would have expired, cancels a transaction by
 * advancing the nonce, and closes the account.
 */
export const playNonces = async (world: ClusterWorld): Promise<void> => {
  const { chain, client, count } = world;
  const wallet = newWallet();
  const { walletAddress } = wallet;
  await chain.airdrop(walletAddress, 20n * SOL);
  const build = (path: string, body: object = {}): Promise<Json> =>
    client.post(path, { walletAddress, ...body });
  const created = await build('/api/v1/nonce/create/transaction');
  await submit(world, wallet, created.transaction);
  const nonce: string = created.nonceAccountAddress;
  type Printed = { readonly nonce: string };
  const value = async (): Promise<unknown> => {
    const printed = (await chain.solana(world.walletFile, 'nonce-account', nonce)) as Printed;
    return printed.nonce;
  };
  const first = await value();
  const listed = await client.get(`/api/v1/nonce/${walletAddress}`);
  assert.deepEqual(
    listed.accounts.map((account: Json) => account.nonceAccountAddress),
    [nonce],
  );
  count('nonce accounts compared with solana nonce-account');

  const ordinary = await build('/api/v1/stake/transaction', { amountSol: 3 });
  const stake = await build('/api/v1/stake/transaction', { amountSol: 2, nonce });
  // A blockhash is valid for 150 blocks of 0.4 to 0.8 s.
  const height = () => chain.ask<number>('getBlockHeight', [{ commitment: 'confirmed' }]);
  while ((await height()) <= ordinary.lastValidBlockHeight) await delay(500);
  await assert.rejects(submit(world, wallet, ordinary.transaction), isRefused);
  count('transactions expired with their blockhash');
  await submit(world, wallet, stake.transaction);
  assert.notEqual(await value(), first, 'the nonce advanced');
  const account = await compareAccount(world, walletAddress, stake.stakeAccountAddress);
  assert.equal(account.lamports, 2_000_000_000);
  count('stakes under a nonce landed after a blockhash expired');

  const { stakeAccountAddress } = stake;
  const unstake = await build('/api/v1/unstake/transaction', { stakeAccountAddress, nonce });
  const advance = await build('/api/v1/nonce/advance/transaction', { nonceAccountAddress: nonce });
  await submit(world, wallet, advance.transaction);
  await assert.rejects(
    submit(world, wallet, unstake.transaction),
    (error) => isRefused(error) && error.errorCode === 'BLOCKHASH_EXPIRED',
  );
  assert.notEqual((await compareAccount(world, walletAddress, stakeAccountAddress)).state, 'deactivating');
  count('transactions canceled by advancing the nonce');

  const close = await build('/api/v1/nonce/close/transaction', { nonceAccountAddress: nonce });
  const held = await chain.balance(nonce);
  const before = await chain.balance(walletAddress);
  await submit(world, wallet, close.transaction);
  assert.equal(await chain.balance(nonce), 0n);
  assert.equal(await chain.balance(walletAddress), before + held - 5_000n);
  count('nonce accounts closed');
};
