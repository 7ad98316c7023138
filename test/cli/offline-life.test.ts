// OFFLINE-1: completes a staking lifecycle on the command line with the key on an offline machine.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { outlive } from '../support/expired-transactions.ts';
import { balanceOf } from '../support/service-calls.ts';
import { sharedService } from '../support/service-fixture.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { holdfast, keypairFile } from './cli-runner.ts';

const root = join(import.meta.dirname, '..', '..');
/** A network namespace whose only interface is a loopback that is down. */
const WITHOUT_NETWORK = ['unshare', '--map-root-user', '--net'] as const;
const canIsolate = spawnSync(WITHOUT_NETWORK[0], [...WITHOUT_NETWORK.slice(1), 'true']).status === 0;
const shared = sharedService({ before, after });

test('OFFLINE-1: a nonce account is created and closed, and a stake is created, unstaked and withdrawn, with every signature made offline', {
  skip: canIsolate ? false : 'unshare --net is not allowed here',
}, async (t) => {
  const { sandbox, service } = shared();
  const key = keypairFile(t);
  const { walletAddress } = key;
  const { voteAccount } = sandbox;
  const folder = temporaryFolder(t);
  await sandbox.airdrop(walletAddress, 10_000_000_000n, new AbortController().signal);
  const online = async (...argv: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await holdfast([...argv, '--url', service.url]);
    assert.equal(code, 0, stderr);
    return stdout.trim();
  };
  let signatures = 0;
  const offline = (argv: readonly string[]) => {
    const [program, ...isolate] = WITHOUT_NETWORK;
    const cli = [process.execPath, join(root, 'cli', 'main.ts'), ...argv];
    return spawnSync(program, [...isolate, ...cli], {
      encoding: 'utf8',
      env: {
        ...process.env,
        HOLDFAST_KEYPAIR: key.path,
        HOLDFAST_CONFIG_DIR: folder,
        XDG_CONFIG_HOME: folder,
      },
    });
  };
  /** Builds online, signs offline and submits online. */
  const carry = async (
    built: readonly string[],
    meant: readonly string[],
    whenBuilt?: () => Promise<unknown>,
  ) => {
    signatures += 1;
    const file = join(folder, `transaction-${signatures}.txt`);
    writeFileSync(
      file,
      await online('build', built[0]!, `walletAddress=${walletAddress}`, ...built.slice(1)),
    );
    await whenBuilt?.();
    const signed = offline(['sign', file, '--vote', voteAccount, '--yes', ...meant]);
    assert.equal(signed.status, 0, signed.stderr);
    writeFileSync(file, signed.stdout);
    return online('submit', file);
  };
  const accounts = async () =>
    (await service.client.get(`/api/v1/stake/accounts/${walletAddress}`)).accounts as readonly {
      readonly address: string;
      readonly state: string;
    }[];

  // The offline machine signs only the requested transactions and cannot reach any network.
  const unreachable = offline(['balance', walletAddress, '--url', service.url]);
  assert.notEqual(unreachable.status, 0, unreachable.stdout);

  await carry(['nonce-create'], []);
  const { accounts: nonces } = JSON.parse(await online('nonce', 'list', walletAddress, '--json'));
  const nonce = nonces[0].nonceAccountAddress as string;
  const blockhash = await service.client.post('/api/v1/stake/transaction', { walletAddress, amountSol: 2 });
  await carry(
    ['stake', 'amountSol=2', `nonce=${nonce}`],
    ['--goal', 'stake', '--amount', '2', '--nonce', nonce],
    () => outlive({ sandbox, service }, blockhash),
  );
  const [stake] = await accounts();
  await sandbox.advanceEpochs(1);
  const file = join(folder, 'other.txt');
  writeFileSync(
    file,
    await online(
      'build',
      'unstake',
      `walletAddress=${walletAddress}`,
      `stakeAccountAddress=${stake!.address}`,
      `nonce=${nonce}`,
    ),
  );
  const shown = offline(['show', file]);
  assert.match(
    shown.stdout,
    new RegExp(`until the nonce account ${nonce} is used or advanced`),
    shown.stderr,
  );
  for (const refused of [
    ['--goal', 'unstake', '--stake-account', stake!.address],
    ['--nonce', nonce],
    ['--goal', 'stake', '--amount', '2', '--nonce', nonce],
    ['--goal', 'unstake', '--stake-account', voteAccount, '--nonce', nonce],
  ]) {
    const { status, stdout } = offline(['sign', file, '--vote', voteAccount, '--yes', ...refused]);
    const isUsage = !refused.includes('--goal');
    assert.deepEqual([status, stdout], [isUsage ? 2 : 1, ''], refused.join(' '));
  }
  await carry(
    ['unstake', `stakeAccountAddress=${stake!.address}`, `nonce=${nonce}`],
    ['--goal', 'unstake', '--stake-account', stake!.address, '--nonce', nonce],
  );
  await sandbox.advanceEpochs(1);
  await carry(
    ['withdraw', `stakeAccountAddress=${stake!.address}`, `nonce=${nonce}`],
    ['--goal', 'withdraw', '--stake-account', stake!.address, '--nonce', nonce],
  );
  await carry(['nonce-close', `nonceAccountAddress=${nonce}`], []);
  assert.deepEqual(await accounts(), []);
  assert.ok((await balanceOf(sandbox, walletAddress)) > 9_990_000_000n, 'only fees were paid');
  assert.equal(signatures, 5);
});
