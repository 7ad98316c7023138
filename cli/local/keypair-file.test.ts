// Tests that errors about a keypair file contain its path, but never a stack trace, a signature or part of the
// key.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { holdfast, keypairFile } from '../../test/cli/cli-runner.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { keypairAddress, signWithKeypair } from './keypair-file.ts';
import { createKeypairFile } from './new-keypair.ts';

const message = Buffer.from('what is signed');
const mistake = (use: () => unknown): string => {
  try {
    use();
  } catch (error) {
    assert.equal((error as Error).name, 'UsageError', String(error));
    return (error as Error).message;
  }
  return 'taken';
};

test('a folder is never a keypair file, regardless of its permissions', (t) => {
  const folder = join(temporaryFolder(t), 'keys');
  mkdirSync(folder, { mode: 0o700 });
  assert.match(
    mistake(() => keypairAddress(folder)),
    /keys is not a keypair file/,
  );
});

test('the keypair file is checked again before signing: if it is readable by others or missing, nothing is signed', (t) => {
  const { path, walletAddress } = keypairFile(t);
  assert.equal(signWithKeypair(path, walletAddress, message).length, 64);
  chmodSync(path, 0o604);
  assert.match(
    mistake(() => signWithKeypair(path, walletAddress, message)),
    /other users can read .*chmod 600/,
  );
  chmodSync(path, 0o600);
  writeFileSync(path, '[]');
  assert.match(
    mistake(() => signWithKeypair(path, walletAddress, message)),
    /is not a keypair file/,
  );
});

test('the permissions are checked on the target of a link', (t) => {
  const { path, walletAddress } = keypairFile(t);
  const link = join(temporaryFolder(t), 'link.json');
  symlinkSync(path, link);
  assert.equal(keypairAddress(link), walletAddress);
  chmodSync(path, 0o640);
  assert.match(
    mistake(() => keypairAddress(link)),
    /other users can read the keypair file .*link\.json/,
  );
});

test('key bytes are accepted only as JSON numbers', (t) => {
  const { path } = keypairFile(t);
  const numbers = JSON.parse(readFileSync(path, 'utf8')) as number[];
  const [first, ...rest] = numbers.join().split(',');
  for (const spelled of [
    `+${first}`,
    `-${first}`,
    `${first}.0`,
    `${first}e0`,
    `0x${first}`,
    `"${first}"`,
    '1 2',
    '0256',
    '',
  ]) {
    writeFileSync(path, `[${[spelled, ...rest].join()}]`);
    assert.match(
      mistake(() => keypairAddress(path)),
      /is not a keypair file/,
      spelled,
    );
  }
  writeFileSync(path, Buffer.concat([Buffer.from('\ufeff'), Buffer.from(JSON.stringify(numbers))]));
  assert.match(
    mistake(() => keypairAddress(path)),
    /is not a keypair file/,
    'a byte order mark',
  );
});

test('a new keypair file signs only for its own address', (t) => {
  const folder = temporaryFolder(t);
  const [one, other] = ['one.json', 'other.json'].map((name) => createKeypairFile(join(folder, name))) as [
    string,
    string,
  ];
  assert.equal(signWithKeypair(join(folder, 'one.json'), one, message).length, 64);
  assert.match(
    mistake(() => signWithKeypair(join(folder, 'one.json'), other, message)),
    /no longer belongs to/,
  );
  assert.match(
    mistake(() => createKeypairFile(folder)),
    /already exists/,
  );
  assert.match(
    mistake(() => createKeypairFile(join(folder, 'one.json', 'x'))),
    /cannot be written: ENOTDIR/,
  );
});

test('the command line reports each keypair file error on one line that contains no part of the key', async (t) => {
  const { path, secrets } = keypairFile(t);
  const numbers = JSON.parse(readFileSync(path, 'utf8')) as number[];
  const folder = temporaryFolder(t);
  for (const [file, content] of [
    [folder, null],
    [path, JSON.stringify(numbers.slice(0, 63))],
    [path, JSON.stringify(numbers.toReversed())],
    [join(folder, 'none.json'), null],
  ] as const) {
    if (content !== null) writeFileSync(file, content);
    for (const more of [[], ['--json']]) {
      const { code, stdout, stderr } = await holdfast([
        'stake',
        '2',
        '--yes',
        '--keypair',
        file,
        '--url',
        'http://127.0.0.1:1',
        ...more,
      ]);
      assert.deepEqual([code, stdout], [2, ''], stderr);
      for (const secret of [...secrets, numbers.slice(0, 4).join(',')]) assert.ok(!stderr.includes(secret));
    }
  }
});
