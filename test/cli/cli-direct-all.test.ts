// Checks that a whole wallet can be unstaked and withdrawn using only an RPC node: in steps of a bounded size,
// across validators, and with a command that continues where an interrupted one stopped.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { createRpcNode, type RpcNode } from '../../cli/direct/call-rpc-node.ts';
import { signWithKeypair } from '../../cli/local/keypair-file.ts';
import type { Sandbox } from '../../sandbox/sandbox-options.ts';
import { buildTransaction, encodeWire } from '../../src/chain/transactions/transaction.ts';
import { addressWithSeed } from '../../src/domain/address-with-seed.ts';
import { STAKE_PROGRAM } from '../../src/domain/instruction-programs.ts';
import { NO_LOCKUP } from '../../src/domain/stake/stake-account.ts';
import { patience } from '../support/patience.ts';
import { withSandbox } from '../support/sandbox-fixture.ts';
import { holdfast, type KeypairFile, keypairFile } from './cli-runner.ts';

const SOL = 1_000_000_000n;
const STAKE_SOL = 3n;
const PER_TRANSACTION = 2;

const settled = async (node: RpcNode, signature: string): Promise<void> => {
  for (;;) {
    const { value } = await node.call<{
      value: readonly ({ err: unknown; confirmationStatus: string } | null)[];
    }>('getSignatureStatuses', [[signature]]);
    if (value[0]?.err) throw new Error(JSON.stringify(value[0].err));
    if (value[0]?.confirmationStatus === 'confirmed' || value[0]?.confirmationStatus === 'finalized') return;
    patience().throwIfAborted();
  }
};

/** Creates stakes of 3 SOL each, alternately with the sandbox's two validators. */
const stakeMany = async (
  sandbox: Sandbox,
  node: RpcNode,
  { path, walletAddress }: KeypairFile,
  count: number,
): Promise<void> => {
  const wallet = walletAddress as Address;
  const newStake = (index: number) => {
    const seed = `stake ${index}`;
    const account = addressWithSeed(wallet, seed, STAKE_PROGRAM)!;
    const voteAccount = (index % 2 === 0 ? sandbox.voteAccount : sandbox.otherVoteAccount) as Address;
    return [
      { type: 'create', account, payer: wallet, lamports: STAKE_SOL * SOL, seed },
      { type: 'initialize', account, stakeAuthority: wallet, withdrawAuthority: wallet, lockup: NO_LOCKUP },
      { type: 'delegate', account, voteAccount, authority: wallet },
    ] as const;
  };
  for (let at = 0; at < count; at += PER_TRANSACTION) {
    const { value } = await node.call<{ value: { blockhash: string } }>('getLatestBlockhash');
    const built = buildTransaction.rearrange({
      wallet,
      operations: Array.from({ length: Math.min(PER_TRANSACTION, count - at) }, (_, index) =>
        newStake(at + index),
      ).flat(),
      memo: 'test',
      blockhash: value.blockhash,
    });
    const signature = signWithKeypair(path, walletAddress, built.messageBytes);
    const wire = encodeWire(built, new Map([[walletAddress, signature]]));
    const sent = await node.call<string>('sendTransaction', [
      Buffer.from(wire).toString('base64'),
      { encoding: 'base64' },
    ]);
    await settled(node, sent);
  }
};

interface Context {
  readonly sandbox: Sandbox;
  readonly direct: (
    args: readonly string[],
    more?: Parameters<typeof holdfast>[1],
  ) => ReturnType<typeof holdfast>;
  /** States of the wallet's stakes, sorted. */
  readonly states: () => Promise<readonly string[]>;
  readonly liquid: () => Promise<bigint>;
}

/** Runs `use` with a wallet that has `count` active stakes, and no service. */
const withStakes = (
  t: { after: (run: () => void) => void },
  count: number,
  use: (context: Context) => Promise<void>,
) =>
  withSandbox({}, async (sandbox) => {
    const wallet = keypairFile(t);
    const { walletAddress, path } = wallet;
    await sandbox.airdrop(walletAddress, (BigInt(count) * STAKE_SOL + 5n) * SOL, patience());
    const node = createRpcNode(sandbox.rpcUrl, patience());
    await stakeMany(sandbox, node, wallet, count);
    await sandbox.advanceEpochs(1);
    const direct: Context['direct'] = (args, more) =>
      holdfast(
        [...args, '--direct', '--rpc', sandbox.rpcUrl, '--url', 'http://127.0.0.1:1', '--keypair', path],
        more,
      );
    await use({
      sandbox,
      direct,
      states: async () => {
        const run = await direct(['list', '--json']);
        assert.equal(run.code, 0, run.stderr);
        return (run.json().accounts as { state: string }[]).map(({ state }) => state).toSorted();
      },
      liquid: async () =>
        BigInt(
          (await node.call<{ value: number }>('getBalance', [walletAddress, { commitment: 'confirmed' }]))
            .value,
        ),
    });
  });

test('unstake ALL and withdraw ALL with --direct empty a wallet of 85 stakes with two validators, in two steps each', async (t) => {
  await withStakes(t, 85, async ({ sandbox, direct, states, liquid }) => {
    const dry = await direct(['unstake', 'ALL', '--dry-run', '--json']);
    assert.equal(dry.code, 0, dry.stderr);
    const planned = dry.json() as {
      amountSol: number;
      steps: { accounts: readonly string[]; accountsBefore: readonly { state: string; sol: number }[] }[];
    };
    assert.deepEqual(
      planned.steps.map(({ accounts }) => accounts.length),
      [80, 5],
    );
    assert.deepEqual(
      planned.steps.map(
        ({ accountsBefore }) =>
          accountsBefore.filter(({ state, sol }) => state === 'active' && sol >= 3).length,
      ),
      [80, 5],
    );
    const unstaked = await direct(['unstake', 'ALL', '--yes']);
    assert.equal(unstaked.code, 0, unstaked.stderr);
    assert.match(unstaked.stdout, /^Step 1 of 2: 80 of your accounts$/m);
    assert.match(unstaked.stdout, /^✓ confirmed 1 of \d {2}\w{80,}$/m);
    assert.match(unstaked.stdout, /^Step 2 of 2: 5 of your accounts$/m);
    assert.match(
      unstaked.stdout,
      /SOL is deactivating and can be withdrawn once epoch \d+ has ended\. Then: holdfast withdraw ALL --direct, with the same --rpc$/m,
    );
    assert.match(unstaked.stdout, /before and after, according to your RPC node \(times in .+\):/);
    assert.deepEqual([...new Set(await states())], ['deactivating']);
    const early = await direct(['withdraw', 'ALL', '--yes']);
    assert.equal(early.code, 1);
    assert.match(early.stderr, /NOTHING_TO_DO/);
    await sandbox.advanceEpochs(1);
    const withdrawn = await direct(['withdraw', 'ALL', '--yes', '--json']);
    assert.equal(withdrawn.code, 0, withdrawn.stderr);
    assert.equal((withdrawn.json().steps as unknown[]).length, 2);
    assert.deepEqual(await states(), []);
    assert.ok((await liquid()) > (85n * STAKE_SOL + 4n) * SOL);
  });
});

test('an interrupted unstake ALL with --direct says so, and the same command continues with the accounts that are left', async (t) => {
  await withStakes(t, 82, async ({ direct, states }) => {
    const responses = ['y', 'n'];
    const stopped = await direct(['unstake', 'ALL'], { responses });
    assert.equal(stopped.code, 1, stopped.stderr);
    assert.match(stopped.stderr, /^ {2}To continue, run the command again\./m);
    assert.match(stopped.stderr, /\d transactions? of the plan landed .* You declined the next step\./);
    assert.deepEqual((await states()).slice(0, 3), ['active', 'active', 'deactivating']);
    const resumed = await direct(['unstake', 'ALL', '--yes', '--json']);
    assert.equal(resumed.code, 0, resumed.stderr);
    assert.equal((resumed.json().accounts as unknown[]).length, 2);
    assert.deepEqual([...new Set(await states())], ['deactivating']);
  });
});

test('amounts work with --direct as well: a part of a stake is split off, and a part of the ready SOL is withdrawn', async (t) => {
  await withStakes(t, 2, async ({ sandbox, direct, states, liquid }) => {
    const unstaked = await direct(['unstake', '4', '--yes']);
    assert.equal(unstaked.code, 0, unstaked.stderr);
    assert.deepEqual(await states(), ['active', 'deactivating', 'deactivating']);
    const before = await liquid();
    const early = await direct(['withdraw', '1', '--yes']);
    assert.match(early.stderr, /Nothing can be withdrawn now|At most [\d.]+ SOL can be withdrawn now/);
    await sandbox.advanceEpochs(1);
    const withdrawn = await direct(['withdraw', '1.5', '--yes', '--json']);
    assert.equal(withdrawn.code, 0, withdrawn.stderr);
    assert.equal(withdrawn.json().amountSol, 1.5);
    const between = await liquid();
    assert.equal(between - before, (3n * SOL) / 2n - 5_000n);
    const all = (await direct(['withdraw', 'ALL', '--yes', '--json'])).json();
    assert.equal(Math.round(Number(all.amountSol) * 1e9), Number((await liquid()) - between) + 5_000);
  });
});
