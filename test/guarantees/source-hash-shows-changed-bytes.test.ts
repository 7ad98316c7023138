// VERIFY-1: the published hashes are those of the running code. A flipped byte is reported as changed on disk
// before a restart, and changes the hash after it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createHttpClient } from '../../demo/http-client.ts';
import { sharedSandbox } from '../support/sandbox-fixture.ts';
import { settingsFor } from '../support/service-fixture.ts';
import { spawnProcess } from '../support/spawned-process.ts';
import { type Scope, temporaryFolder } from '../support/temporary-folder.ts';

const projectFolder = join(import.meta.dirname, '..', '..');
const COPIED = ['src', 'sandbox', 'package.json', 'package-lock.json', 'source-commit.txt'];

/**
 * Copies the files of the service and links the packages. The copy is not a git repository. Returns its folder,
 * which is removed when the scope ends.
 */
const copyProject = (scope: Scope): string => {
  const folder = temporaryFolder(scope, 'holdfast-copy-');
  for (const name of COPIED) cpSync(join(projectFolder, name), join(folder, name), { recursive: true });
  symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));
  return folder;
};

/** Changes one byte of the comment at the start of a file. */
const flipByte = (path: string): void => {
  const bytes = readFileSync(path);
  if (bytes.toString('latin1', 0, 3) !== '// ') throw new Error(`${path} does not start with a comment`);
  bytes[3]! ^= 1;
  writeFileSync(path, bytes);
};

const sandbox = sharedSandbox({ before, after });

/** Paths of this version's published files by name. */
const PATHS: Readonly<Record<string, string>> = {
  'transaction.ts': 'src/chain/transactions/transaction.ts',
  'solana.ts': 'src/chain/solana.ts',
  'stake-routes.ts': 'src/http/routes/stake-routes.ts',
  'discovery-routes.ts': 'src/http/routes/discovery-routes.ts',
  'stake-verifier.ts': 'src/domain/transaction/stake-verifier.ts',
};

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const start = async (scope: Scope, folder: string) => {
  const process = spawnProcess(scope, {
    file: join(folder, 'src/main.ts'),
    cwd: folder,
    env: { PORT: '0', HOLDFAST_DATA_DIR: temporaryFolder(scope), ...settingsFor(sandbox.get()) },
  });
  const [, url] = await process.output(/Holdfast is ready: (\S+)/);
  const client = createHttpClient(url!);
  return {
    stop: () => process.stop(),
    code: () => client.get('/api/v1/verify/code'),
    source: async (name: string) => {
      const response = await fetch(new URL(`/api/v1/verify/source/${name}`, url));
      assert.equal(response.status, 200, name);
      return { bytes: await response.bytes(), sha256: response.headers.get('x-sha256') };
    },
  };
};

const published = (code: { sourceHashes: { files: Record<string, string> } }): Record<string, string> =>
  code.sourceHashes.files;

test('VERIFY-1 a flipped byte in a served file is reported and changes its hash after a restart; one in any other file changes the hash of the tree', async (t) => {
  const folder = copyProject(t);
  const first = await start(t, folder);
  const before = await first.code();
  const names = Object.keys(published(before));
  for (const name of Object.keys(PATHS)) assert.ok(names.includes(name), name);
  const original = new Map<string, Uint8Array>();
  for (const name of Object.keys(PATHS)) {
    const onDisk = readFileSync(join(folder, PATHS[name]!));
    original.set(name, onDisk);
    assert.equal(published(before)[name], sha256(onDisk), name);
    assert.equal(before.changedOnDisk[name], false, name);
  }

  for (const [name, path] of Object.entries(PATHS)) {
    flipByte(join(folder, path));
    const now = await first.code();
    assert.equal(now.changedOnDisk[name], true, name);
    assert.deepEqual(now.sourceHashes, before.sourceHashes, 'the loaded bytes stay the same');
    const served = await first.source(name);
    assert.deepEqual(Buffer.from(served.bytes), Buffer.from(original.get(name)!));
    assert.equal(served.sha256, published(before)[name]);
  }
  flipByte(join(folder, PATHS['solana.ts']!));
  assert.equal(
    (await first.code()).changedOnDisk['solana.ts'],
    false,
    'a restored file no longer counts as changed',
  );
  await first.stop();

  const second = await start(t, folder);
  const after = await second.code();
  for (const [name, path] of Object.entries(PATHS)) {
    const onDisk = readFileSync(join(folder, path));
    const served = await second.source(name);
    assert.equal(published(after)[name], sha256(onDisk), name);
    assert.equal(published(after)[name] === published(before)[name], name === 'solana.ts', name);
    assert.deepEqual(Buffer.from(served.bytes), onDisk);
    assert.equal(served.sha256, sha256(onDisk));
    assert.equal(after.changedOnDisk[name], false, name);
  }
  assert.notEqual(after.treeSha256, before.treeSha256);
  assert.equal(after.lockfileSha256, before.lockfileSha256);
  await second.stop();

  flipByte(join(folder, 'src/kernel/base58.ts'));
  const third = await start(t, folder);
  const last = await third.code();
  await third.stop();
  assert.deepEqual(last.sourceHashes, after.sourceHashes);
  assert.notEqual(
    last.treeSha256,
    after.treeSha256,
    'a change to any other file shows up in the hash of the tree',
  );
});
