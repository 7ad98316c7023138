// Checks that the server secret is created once and completely, is readable only by its owner, and is never
// replaced.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect, promisify } from 'node:util';
import { loadServerSecret, serverSecretFingerprint } from '../../src/config/server-secret.ts';
import { ConfigError } from '../../src/config/start-error.ts';
import { SecretBytes } from '../../src/kernel/secret-bytes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const hexOf = (secret: SecretBytes): string => secret.use((bytes) => Buffer.from(bytes).toString('hex'));

test('the first start creates the server secret, and later starts read it', (t) => {
  const dataDir = join(temporaryFolder(t), 'a', 'data');
  const first = loadServerSecret(dataDir, undefined);
  const second = loadServerSecret(dataDir, undefined);
  assert.equal(first.source, 'created');
  assert.equal(second.source, 'file');
  assert.equal(first.secret.length, 32);
  assert.equal(hexOf(first.secret), hexOf(second.secret));
  assert.equal(first.fingerprint, second.fingerprint);
});

test('only their owner can read the secret file and its folder, and no draft of the file is left behind', (t) => {
  const dataDir = join(temporaryFolder(t), 'data');
  loadServerSecret(dataDir, undefined);
  assert.equal(statSync(dataDir).mode & 0o777, 0o700);
  assert.equal(statSync(join(dataDir, 'server-secret')).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(dataDir), ['server-secret']);
});

test('no server secret is created next to an existing store, because the secret would not match the store', (t) => {
  const dataDir = temporaryFolder(t);
  assert.throws(
    () => loadServerSecret(dataDir, undefined, true),
    (error) =>
      error instanceof ConfigError &&
      /server-secret is missing, but the store was created with it/.test(error.message),
  );
  assert.deepEqual(readdirSync(dataDir), []);
  const { fingerprint } = loadServerSecret(dataDir, undefined);
  assert.equal(loadServerSecret(dataDir, undefined, true).fingerprint, fingerprint);
});

test('two data folders get different server secrets', (t) => {
  const folder = temporaryFolder(t);
  const fingerprints = ['a', 'b'].map((name) => loadServerSecret(join(folder, name), undefined).fingerprint);
  assert.notEqual(fingerprints[0], fingerprints[1]);
});

test('a server secret given as a setting is used and not written to a file', (t) => {
  const dataDir = join(temporaryFolder(t), 'data');
  const given = SecretBytes.take(new Uint8Array(32).fill(7));
  const loaded = loadServerSecret(dataDir, given);
  assert.equal(loaded.source, 'setting');
  assert.equal(loaded.secret, given);
  assert.throws(() => statSync(dataDir), { code: 'ENOENT' });
});

test('a secret that others can read prevents startup', (t) => {
  const dataDir = temporaryFolder(t);
  loadServerSecret(dataDir, undefined);
  const path = join(dataDir, 'server-secret');
  for (const mode of [0o640, 0o604, 0o660, 0o644]) {
    chmodSync(path, mode);
    assert.throws(
      () => loadServerSecret(dataDir, undefined),
      (error) => error instanceof ConfigError && /can be read by other users/.test(error.message),
    );
  }
  chmodSync(path, 0o600);
  assert.equal(loadServerSecret(dataDir, undefined).source, 'file');
});

test('a damaged secret prevents startup and is left unchanged', (t) => {
  const dataDir = temporaryFolder(t);
  const path = join(dataDir, 'server-secret');
  for (const text of ['', 'abc', 'z'.repeat(64), 'a'.repeat(63), 'a'.repeat(66)]) {
    writeFileSync(path, text, { mode: 0o600 });
    assert.throws(
      () => loadServerSecret(dataDir, undefined),
      (error) => error instanceof ConfigError && /never replaced/.test(error.message),
    );
    assert.equal(readFileSync(path, 'utf8'), text);
  }
});

test('an unusable folder prevents startup and is named', (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'file'), '');
  assert.throws(() => loadServerSecret(join(folder, 'file', 'data'), undefined), ConfigError);
  mkdirSync(join(folder, 'data', 'server-secret'), { recursive: true });
  assert.throws(() => loadServerSecret(join(folder, 'data'), undefined), ConfigError);
});

test('several concurrent starts in the same folder agree on one secret', async (t) => {
  const dataDir = temporaryFolder(t);
  const script = `import { loadServerSecret } from ${JSON.stringify(join(import.meta.dirname, '../../src/config/server-secret.ts'))};
    const loaded = loadServerSecret(process.argv[1], undefined); console.log(loaded.source, loaded.fingerprint);`;
  const runs = Array.from({ length: 6 }, () =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, dataDir]),
  );
  const outputs = (await Promise.all(runs)).map(({ stdout }) => stdout.trim().split(' '));
  assert.equal(outputs.filter(([source]) => source === 'created').length, 1);
  assert.equal(new Set(outputs.map(([, fingerprint]) => fingerprint)).size, 1);
  assert.deepEqual(readdirSync(dataDir), ['server-secret']);
});

test('the fingerprint distinguishes secrets without revealing them', () => {
  const [one, other] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  assert.match(serverSecretFingerprint(one), /^[0-9a-f]{16}$/);
  assert.equal(serverSecretFingerprint(one), serverSecretFingerprint(new Uint8Array(32).fill(1)));
  assert.notEqual(serverSecretFingerprint(one), serverSecretFingerprint(other));
});

test('the loaded configuration prints without the secret', (t) => {
  const loaded = loadServerSecret(temporaryFolder(t), undefined);
  const hex = hexOf(loaded.secret);
  const printed = `${inspect(loaded, { depth: null, showHidden: true })} ${JSON.stringify(loaded)} ${loaded.secret}`;
  assert.ok(!printed.includes(hex) && !printed.includes(hex.slice(0, 16)));
});

test('a full disk prevents startup, and no draft is left behind', async (t) => {
  const dataDir = join(temporaryFolder(t), 'data');
  const start = `
    import { loadServerSecret } from ${JSON.stringify(new URL('../../src/config/server-secret.ts', import.meta.url).href)};
    try { loadServerSecret(${JSON.stringify(dataDir)}, undefined); } catch (error) { console.log(error.name, error.message); }`;
  const limited = ['-c', 'ulimit -f 0; exec "$0" --input-type=module --eval "$1"', process.execPath, start];
  const { stdout } = await promisify(execFile)('sh', limited);
  assert.match(stdout, /^ConfigError .*server-secret cannot be created \(EFBIG/s);
  assert.deepEqual(readdirSync(dataDir), []);
});
