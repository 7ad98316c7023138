// Checks that a new keypair file can be read back, is readable only by its owner and never replaces an existing
// file. Its key is never printed or sent.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { keypairAddress } from '../../cli/local/keypair-file.ts';
import { json, startScriptedService } from '../client/scripted-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { holdfast } from './cli-runner.ts';

test('the new keypair file contains 64 numbers, is readable only by its owner, and signs for the printed address', async (t) => {
  const folder = temporaryFolder(t);
  const addresses = new Set<string>();
  // 20 keys almost certainly contain one-digit, two-digit and three-digit numbers.
  for (let made = 0; made < 20; made += 1) {
    const file = join(folder, `${made}.json`);
    const run = await holdfast(['keygen', file, '--json']);
    assert.equal(run.code, 0, run.stderr);
    const { walletAddress } = run.json();
    assert.equal(keypairAddress(file), walletAddress);
    const numbers = JSON.parse(readFileSync(file, 'utf8')) as number[];
    assert.equal(numbers.length, 64);
    assert.equal(readFileSync(file, 'utf8'), JSON.stringify(numbers));
    assert.equal(statSync(file).mode & 0o777, 0o600);
    addresses.add(String(walletAddress));
  }
  assert.equal(addresses.size, 20);
});

test('keygen leaves an existing file unchanged and reports a missing folder', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'id.json');
  writeFileSync(file, 'something dear');
  const refused = await holdfast(['keygen', file]);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /already exists and may contain a key; nothing was written/);
  assert.equal(readFileSync(file, 'utf8'), 'something dear');
  assert.match(
    (await holdfast(['keygen', join(folder, 'no', 'id.json')])).stderr,
    /cannot be written: ENOENT/,
  );
  assert.deepEqual(readdirSync(folder), ['id.json']);
});

test('if writing fails, no partial key file is left behind', {
  skip: process.platform === 'win32',
}, (t) => {
  const folder = temporaryFolder(t);
  // With a file size limit of zero, the file can be opened but not written.
  const { status, stderr } = spawnSync(
    'bash',
    ['-c', 'ulimit -f 0; exec "$0" cli/main.ts keygen "$1"', process.execPath, join(folder, 'id.json')],
    { cwd: join(import.meta.dirname, '..', '..'), encoding: 'utf8' },
  );
  assert.match(stderr, /id\.json cannot be written: EFBIG/);
  assert.equal(status, 2);
  assert.deepEqual(readdirSync(folder), []);
});

test('no part of the key is printed, and no request is sent to a service', async (t) => {
  const service = await startScriptedService(t, [json(200, {})]);
  const file = join(temporaryFolder(t), 'id.json');
  const { stdout, stderr } = await holdfast(['keygen', file, '--url', service.url]);
  const numbers = JSON.parse(readFileSync(file, 'utf8')) as number[];
  assert.equal(stderr, '');
  assert.equal(stdout.split('\n').length, 4);
  assert.ok(stdout.includes(keypairAddress(file)));
  assert.ok(!stdout.includes(numbers.slice(0, 3).join(',')));
  assert.equal(service.seen.length, 0);
});
