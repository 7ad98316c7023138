// Checks that the fee payer and the wallet can sign copies of one transaction on separate machines, merge the
// copies and submit the result.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Refusal } from '../../demo/http-client.ts';
import { sharedService } from '../support/service-fixture.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { holdfast, keypairFile } from './cli-runner.ts';

const shared = sharedService({ before, after });

test('copies of a transaction signed on different machines can be merged and submitted; anything else is refused', async (t) => {
  const { sandbox, service } = shared();
  const [wallet, payer] = [keypairFile(t), keypairFile(t)];
  const { walletAddress } = wallet;
  const feePayer = payer.walletAddress;
  const folder = temporaryFolder(t);
  for (const address of [walletAddress, feePayer])
    await sandbox.airdrop(address, 10_000_000_000n, new AbortController().signal);
  const run = async (argv: readonly string[], key?: string) => {
    const environment = key === undefined ? [] : ['--keypair', key];
    return holdfast([...argv, ...environment, '--url', service.url]);
  };
  const save = (name: string, text: string): string => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  const build = async (amountSol: number): Promise<string> => {
    const argv = [
      'stake',
      `walletAddress=${walletAddress}`,
      `amountSol=${amountSol}`,
      `feePayer=${feePayer}`,
    ];
    const { code, stdout, stderr } = await run(['build', ...argv]);
    assert.equal(code, 0, stderr);
    return stdout.trim();
  };
  const sign = async (file: string, amount: number, key: string): Promise<string> => {
    const meant = [
      '--wallet',
      walletAddress,
      '--fee-payer',
      feePayer,
      '--goal',
      'stake',
      '--amount',
      String(amount),
    ];
    const { code, stdout, stderr } = await run(
      ['sign', file, '--vote', sandbox.voteAccount, '--yes', ...meant],
      key,
    );
    assert.equal(code, 0, stderr);
    return stdout.trim();
  };

  const built = save('built.txt', await build(2));
  const unsigned = await run(['show', built]);
  assert.equal(unsigned.code, 0, unsigned.stderr);
  for (const address of [walletAddress, feePayer])
    assert.match(unsigned.stdout, new RegExp(`not signed by +${address}`));
  assert.match(unsigned.stdout, /1\. .*2 SOL[\s\S]*fee +0\.000015 SOL, paid by[\s\S]*about a minute/);

  const byWallet = save('wallet.txt', await sign(built, 2, wallet.path));
  const byPayer = save('payer.txt', await sign(built, 2, payer.path));
  const partly = JSON.parse((await run(['attach', built, byWallet, '--json'])).stdout);
  assert.deepEqual([partly.complete, partly.missingSigners], [false, [feePayer]]);
  const merged = await run(['attach', byWallet, byPayer]);
  assert.match(merged.stderr, /All signatures are there/);
  const transaction = merged.stdout.trim();

  // The service merges copies in the same way. It also accepts a signature without the signed transaction.
  const transactionOf = (document: string) => JSON.parse(document);
  const shown = transactionOf((await run(['show', byPayer, '--json'])).stdout);
  assert.deepEqual(shown.missingSigners, [walletAddress]);
  const copies = [partly.transaction, await sign(built, 2, payer.path)];
  const response = await service.client.post('/api/v1/transaction/attach', { transactions: copies });
  assert.deepEqual(
    [response.transaction, response.complete, response.missingSigners],
    [transaction, true, []],
  );

  const refusal = async (body: Readonly<Record<string, unknown>>) => {
    const error = await service.client
      .post('/api/v1/transaction/attach', body)
      .catch((thrown: unknown) => thrown);
    assert.ok(error instanceof Refusal, String(error));
    return [error.errorCode, error.message] as const;
  };
  const other = save('other.txt', await build(3));
  const [code, message] = await refusal({ transactions: [transaction, await build(3)] });
  assert.equal(code, 'INVALID_TRANSACTION');
  assert.match(message, /not copies of one transaction/);
  const mixed = await run(['attach', byWallet, other]);
  assert.deepEqual([mixed.code, mixed.stdout], [2, '']);
  assert.match(mixed.stderr, /not copies of one transaction/);
  const unreadable = await run(['show', save('text.txt', 'not base64!')]);
  assert.equal(unreadable.code, 2, unreadable.stderr);
  const bytes = Buffer.from(transaction, 'base64');
  bytes[10]! ^= 1;
  const flipped = bytes.toString('base64');
  assert.match(
    (await refusal({ transactions: [flipped] }))[1],
    new RegExp(`signature of ${feePayer} does not`),
  );
  const stranger = { address: sandbox.voteAccount, signature: '1'.repeat(64) };
  assert.match(
    (await refusal({ transactions: [transaction], signatures: [stranger] }))[1],
    /needs no signature/,
  );
  assert.equal((await run(['show', save('flipped.txt', flipped)])).code, 1, 'a wrong signature is reported');

  const submitted = await run(['submit', save('signed.txt', transaction)]);
  assert.equal(submitted.code, 0, submitted.stderr);
  assert.match(submitted.stdout, /confirmed/);
});
