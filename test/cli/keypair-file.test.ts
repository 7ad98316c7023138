// Checks that keypair files are read in solana-keygen's format, and refused if they are invalid or readable by
// others. No message contains any part of a file.
import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { keypairAddress, signWithKeypair } from '../../cli/local/keypair-file.ts';
import { UsageError } from '../../cli/usage-error.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { newWallet } from '../support/wallets.ts';
import { keypairFile } from './cli-runner.ts';

test('the address belongs to the key, and signatures made with the key are valid', (t) => {
  const { path, walletAddress } = keypairFile(t);
  assert.equal(keypairAddress(path), walletAddress);
  const message = Buffer.from('the signed bytes');
  const publicKey = Buffer.from((JSON.parse(readFileSync(path, 'utf8')) as number[]).slice(32));
  const key = createPublicKey({
    key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), publicKey]),
    format: 'der',
    type: 'spki',
  });
  assert.equal(verify(null, message, key, signWithKeypair(path, walletAddress, message)), true);
});

test('whitespace between the numbers is allowed', (t) => {
  const { path, walletAddress } = keypairFile(t);
  const numbers = JSON.parse(readFileSync(path, 'utf8')) as number[];
  for (const text of [JSON.stringify(numbers, null, 2), `\n[ ${numbers.join(' , ')} ]\r\n`]) {
    writeFileSync(path, text);
    assert.equal(keypairAddress(path), walletAddress);
  }
});

test('a file that others can read is refused with the command that fixes it', (t) => {
  const { path } = keypairFile(t);
  for (const mode of [0o644, 0o640, 0o602]) {
    chmodSync(path, mode);
    assert.throws(
      () => keypairAddress(path),
      (error: Error) => {
        assert.ok(error instanceof UsageError);
        assert.ok(error.message.includes(`chmod 600 ${path}`));
        return true;
      },
    );
  }
  chmodSync(path, 0o400);
  assert.ok(keypairAddress(path));
});

test('an invalid keypair file is refused, and no part of it is quoted', (t) => {
  const { path, secrets } = keypairFile(t);
  const good = readFileSync(path, 'utf8');
  const numbers = JSON.parse(good) as number[];
  const contents = [
    '',
    '[]',
    'x',
    JSON.stringify(numbers.slice(1)),
    JSON.stringify([...numbers, 1]),
    JSON.stringify(numbers.with(5, 256)),
    JSON.stringify(numbers).replace(',', ',,'),
    JSON.stringify(numbers).replace('[', '[['),
    `${good}x`,
    good.slice(0, -1),
    good.replace(',', ' '),
    JSON.stringify(secrets[0]),
    ' '.repeat(5000) + good,
    // The two halves belong to different keys.
    JSON.stringify(numbers.with(40, (numbers[40]! + 1) % 256)),
  ];
  for (const content of contents) {
    writeFileSync(path, content);
    assert.throws(
      () => keypairAddress(path),
      (error: Error) => {
        assert.ok(error instanceof UsageError, `${content.slice(0, 20)}: ${error}`);
        for (const secret of [...secrets, numbers.slice(0, 4).join(',')])
          assert.ok(!error.message.includes(secret));
        return true;
      },
    );
  }
  const missing = join(temporaryFolder(t), 'none.json');
  assert.throws(() => keypairAddress(missing), {
    name: 'UsageError',
    message: /does not exist; create it with holdfast keygen /,
  });
});

test('a keypair file that no longer contains the wallet’s key cannot sign', (t) => {
  const { path } = keypairFile(t);
  assert.throws(() => signWithKeypair(path, newWallet().walletAddress, Buffer.from('x')), {
    name: 'UsageError',
  });
});
