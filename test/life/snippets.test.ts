// Runs the snippets that the service returns, and checks that the wallets they create can stake.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createKeyPairSignerFromBytes, getBase58Encoder } from '@solana/kit';
import { patience } from '../support/patience.ts';
import { sharedService } from '../support/service-fixture.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const shared = sharedService({ before, after });

const snippets = [
  {
    language: 'javascript',
    program: process.execPath,
    file: 'wallet.mjs',
    versionFlag: '--version',
    usable: /./,
  },
  { language: 'python', program: 'python3', file: 'wallet.py', versionFlag: '--version', usable: /./ },
  {
    language: 'cli',
    program: 'sh',
    file: 'wallet.sh',
    needs: 'openssl',
    versionFlag: 'version',
    usable: /OpenSSL [3-9]/,
  },
];

test('the steps for a new wallet list local signing first and the call with a secret key last', async () => {
  const { nextSteps } = await shared().service.client.post('/api/v1/wallet/generate');
  const withKey = Object.keys(nextSteps).filter((name) => /secretKey and/.test(nextSteps[name]));
  assert.deepEqual(withKey, ['alternative_oneShot']);
  assert.equal(Object.keys(nextSteps).at(-1), 'alternative_oneShot');
  assert.match(
    nextSteps['5_stake'],
    /POST \/api\/v1\/stake\/transaction .* sign .* POST \/api\/v1\/transaction\/submit/,
  );
});

for (const { language, program, file, needs = program, versionFlag, usable } of snippets) {
  test(`the ${language} snippet creates a wallet that stakes`, async (t) => {
    const version = spawnSync(needs, [versionFlag], { encoding: 'utf8' });
    if (version.status !== 0 || !usable.test(version.stdout + version.stderr)) {
      t.skip(`${needs} is missing here, so the ${language} snippet was not run`);
      return;
    }
    const { sandbox, service } = shared();
    const { runThis } = await service.client.post('/api/v1/wallet/generate');
    const folder = temporaryFolder(t);
    writeFileSync(join(folder, file), runThis[language]);
    const { stdout, stderr, status } = spawnSync(program, [file], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 30_000,
    });
    assert.equal(status, 0, stderr);
    const { walletAddress, secretKey } = JSON.parse(stdout);
    const signer = await createKeyPairSignerFromBytes(getBase58Encoder().encode(secretKey));
    assert.equal(signer.address, walletAddress);
    await sandbox.airdrop(walletAddress, 5_000_000_000n, patience());
    const { stakeAccountAddress } = await service.client.post('/api/v1/stake', {
      walletAddress,
      secretKey,
      amountSol: 2,
    });
    const { accounts } = await service.client.get(`/api/v1/stake/accounts/${walletAddress}`);
    assert.deepEqual(
      accounts.map((account: { address: string }) => account.address),
      [stakeAccountAddress],
    );
  });
}
