// Checks that the command line works without the service: it lists, unstakes and withdraws a stake using only
// an RPC node after the service has stopped.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { createRpcNode } from '../../cli/direct/call-rpc-node.ts';
import { lamportsToSol } from '../../client/sol-amount.ts';
import { toBase64 } from '../../client/staking/base64.ts';
import { buildTransaction, encodeWire } from '../../src/chain/transactions/transaction.ts';
import { patience } from '../support/patience.ts';
import { withSandbox } from '../support/sandbox-fixture.ts';
import { settingsFor, startServiceHere } from '../support/service-fixture.ts';
import { holdfast, keypairFile, trustService } from './cli-runner.ts';

const SOL = 1_000_000_000n;

test('with the service stopped, a stake is listed, shown on the account sheet, unstaked and withdrawn using only an RPC node', async (t) => {
  await withSandbox({}, async (sandbox) => {
    const wallet = keypairFile(t);
    const { walletAddress } = wallet;
    await sandbox.airdrop(walletAddress, 10n * SOL, patience());
    const service = await startServiceHere(t, settingsFor(sandbox));
    await trustService(service.url);
    const given = ['--yes', '--keypair', wallet.path];
    const staked = await holdfast(['stake', '4', '--json', '--url', service.url, ...given]);
    assert.equal(staked.code, 0, staked.stderr);
    const account = String(staked.json().stakeAccountAddress);
    await sandbox.advanceEpochs(1);
    const bySheet = await holdfast(['sheet', '--json', '--url', service.url, ...given]);
    await service.app.close();

    // Nothing listens at the service's URL.
    const direct = (...args: string[]) =>
      holdfast([...args, '--direct', '--rpc', sandbox.rpcUrl, '--url', 'http://127.0.0.1:1', ...given]);
    const done = async (...args: string[]): Promise<Record<string, unknown>> => {
      const run = await direct(...args, '--json');
      assert.equal(run.code, 0, `${args.join(' ')}: ${run.stderr}`);
      return run.json();
    };
    const listed = async () =>
      (await done('list')).accounts as { address: string; state: string; lamports: string; sol: number }[];
    const [first] = await listed();
    assert.deepEqual([first!.address, first!.state], [account, 'active']);
    assert.ok(first!.sol >= 4);

    const sheet = await direct('sheet');
    assert.match(sheet.stdout, new RegExp(`^  may withdraw +${walletAddress} \\(this wallet\\)$`, 'm'));
    assert.match(
      sheet.stdout,
      new RegExp(`^  \\$ solana deactivate-stake ${account} --stake-authority KEYPAIR$`, 'm'),
    );
    assert.deepEqual(
      (await done('sheet')).accounts,
      bySheet.json().accounts,
      'the result is the same as from the service',
    );

    const verify = (...args: string[]) =>
      holdfast(['verify', ...args, '--vote', sandbox.voteAccount, '--url', 'http://127.0.0.1:1', ...given]);
    const unsigned = toBase64(
      encodeWire(
        buildTransaction.unstake({
          wallet: walletAddress as Address,
          stakeAccount: account as Address,
          memo: 'any',
          blockhash: walletAddress,
        }),
      ),
    );
    const goal = [unsigned, '--goal', 'unstake', '--amount'];
    const other = await verify(...goal, '1', '--rpc', sandbox.rpcUrl, '--json');
    assert.equal(other.code, 1, other.stdout);
    const { deactivatedLamports } = other.json().effects as { deactivatedLamports: string };
    const exact = lamportsToSol(BigInt(deactivatedLamports));
    assert.equal((await verify(...goal, exact, '--offline')).code, 1, 'the bytes do not show the amount');
    const shownByNode = await verify(...goal, exact, '--rpc', sandbox.rpcUrl);
    assert.equal(shownByNode.code, 0, shownByNode.stdout + shownByNode.stderr);

    const early = await direct('withdraw', account);
    assert.match(early.stderr, /STAKE_NOT_WITHDRAWABLE/);
    assert.doesNotMatch(early.stderr, /\/api\/v1/, 'no paths of the stopped service are shown');
    const shown = await direct('unstake', account.slice(0, 6));
    assert.equal(shown.code, 0, shown.stderr);
    assert.match(shown.stdout, /checked on this machine: this is all it does/);
    assert.match(
      shown.stdout,
      /^✓ confirmed {2}\w{80,}\n {2}[\d.]+ SOL is deactivating and can be withdrawn once epoch \d+ has ended/m,
    );
    const [signature] = /\b\w{80,}$/m.exec(shown.stdout)!;
    const landed = await verify(signature, '--rpc', sandbox.rpcUrl);
    assert.equal(landed.code, 0, landed.stdout + landed.stderr);
    assert.match(landed.stdout, /^✓ It landed and succeeded, according to your RPC node\.$/m);
    assert.match(landed.stdout, /^ {2}Stake\.deactivate: /m, 'says what it did');
    const another = await verify(`${signature.slice(0, -4)}1111`, '--rpc', sandbox.rpcUrl);
    assert.match(another.stderr, /knows no confirmed transaction with this signature/);
    assert.match((await direct('unstake', account)).stderr, /STAKE_ALREADY_DEACTIVATED/);
    await sandbox.advanceEpochs(1);
    await done('withdraw', account, '1');
    await done('withdraw', account);
    assert.deepEqual(await listed(), []);
    const lamports = await createRpcNode(sandbox.rpcUrl, patience()).call<{ value: number }>('getBalance', [
      walletAddress,
      { commitment: 'confirmed' },
    ]);
    assert.ok(BigInt(lamports.value) > 10n * SOL - 50_000n, `${lamports.value}`);
  });
});

test('commands that need a service are refused before any request, and an unresponsive node is reported as unresponsive', async (t) => {
  const wallet = keypairFile(t);
  const run = (...args: string[]) => holdfast([...args, '--yes', '--keypair', wallet.path]);
  const account = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2';
  const nowhere = ['--direct', '--rpc', 'http://127.0.0.1:1'];
  for (const [args, problem] of [
    [['stake', '2', ...nowhere], /list, unstake and withdraw/],
    [['unstake', account, '--wait', ...nowhere], /--wait requires a service/],
    [['list', '--rpc', 'http://127.0.0.1:1'], /works only with --direct/],
    [['unstake', account, '--direct', '--rpc', 'http://rpc.example'], /must begin with https/],
    [['unstake', account, '--direct'], /specify one with --rpc URL, or once .* holdfast config set rpc URL/],
    [['list', '--direct', '--rpc', 'nonsense'], /not a URL/],
  ] as const) {
    const { code, stderr } = await run(...args);
    assert.deepEqual([code, problem.test(stderr)], [2, true], stderr);
  }
  const { code, stderr } = await run('list', ...nowhere);
  assert.equal(code, 3, stderr);
  assert.doesNotMatch(stderr, /127\.0\.0\.1:1/, 'its URL may contain a key');
});
