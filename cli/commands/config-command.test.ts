// Tests that `config` shows the effective settings, the saved values, and the settings that override them.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { holdfast, keypairFile } from '../../test/cli/cli-runner.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';

test('an option on the command line is listed as the source of its setting', async (t) => {
  const environment = { XDG_CONFIG_HOME: temporaryFolder(t), HOME: temporaryFolder(t) };
  const { stdout } = await holdfast(['config', '--keypair', 'agent.json', '--url', 'http://x.example'], {
    environment,
  });
  assert.match(stdout, /^keypair +agent\.json +--keypair$/m);
  assert.match(stdout, /^url +http:\/\/x\.example +--url$/m);
});

test('`config set` reports the saved value, a setting that overrides it, and a missing keypair file', async (t) => {
  const folder = temporaryFolder(t);
  const environment = { XDG_CONFIG_HOME: folder, HOME: folder };
  const { path } = keypairFile(t);
  const saved = await holdfast(['config', 'set', 'keypair', path], { environment });
  assert.match(saved.stdout, /^Saved\.$/m);
  assert.equal(saved.stderr, '');
  const missing = join(folder, 'nope.json');
  const overridden = await holdfast(['config', 'set', 'keypair', missing], {
    environment: { ...environment, HOLDFAST_KEYPAIR: path },
  });
  assert.equal(overridden.code, 0);
  assert.match(overridden.stdout, /^Saved\. HOLDFAST_KEYPAIR overrides it here\.$/m);
  assert.ok(overridden.stderr.includes(`${missing} does not exist; create it with holdfast keygen`));
});

test('`config get` prints one value, or exits with 1 if no value is set', async (t) => {
  const folder = temporaryFolder(t);
  const environment = { XDG_CONFIG_HOME: folder, HOME: folder };
  const get = (name: string, ...more: readonly string[]) =>
    holdfast(['config', 'get', name, ...more], { environment });
  assert.equal((await get('url')).stdout, 'http://127.0.0.1:3000\n');
  assert.deepEqual((await get('url', '--json')).json(), { value: 'http://127.0.0.1:3000', from: 'default' });
  const unset = await get('rpc');
  assert.deepEqual([unset.code, unset.stdout.trim(), unset.stderr], [1, '', 'rpc is not set\n']);
  assert.match((await get('color')).stderr, /name one of: url, keypair, rpc/);
});
