// Checks shell completion: it offers every command and option in any position, file names for file arguments,
// and nothing for values that cannot be completed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commands } from '../../cli/all-commands.ts';
import type { CommandCall } from '../../cli/command.ts';
import { rememberListedStakes } from '../../cli/local/listed-stakes.ts';
import { type Scope, temporaryFolder } from '../support/temporary-folder.ts';
import { holdfast } from './cli-runner.ts';

const NAMES = commands.map(({ name }) => name);

test('every shell’s script contains every command and option, and the installed shells accept it', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { stdout } = await holdfast(['completion', shell]);
    for (const { name, options } of commands) {
      assert.ok(stdout.includes(name), `${shell} ${name}`);
      for (const option of Object.keys(options ?? {}))
        assert.ok(stdout.includes(option), `${shell} --${option}`);
    }
    const { error, status, stderr } = spawnSync(shell, ['-n'], { input: stdout, encoding: 'utf8' });
    if (error === undefined) assert.equal(status, 0, stderr);
  }
});

const callWith = (args: readonly string[], environment: Readonly<Record<string, string>>) =>
  ({ args, terminal: { environment } }) as unknown as CommandCall;

/**
 * Returns a function that completes the last word of a line in bash, in a folder with `wallet.json` and `my
 * keys.json`.
 */
const bashIn = async (scope: Scope, configFolder = temporaryFolder(scope)) => {
  const { stdout: script } = await holdfast(['completion', 'bash']);
  const cwd = temporaryFolder(scope);
  for (const name of ['wallet.json', 'my keys.json']) writeFileSync(join(cwd, name), '');
  return (...words: string[]): string[] => {
    const line = `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _holdfast; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', line, 'bash', 'holdfast', ...words], {
      encoding: 'utf8',
      cwd,
      env: { ...process.env, XDG_CONFIG_HOME: configFolder },
    });
    assert.equal(stderr, '');
    return stdout.split('\n').filter((word) => word !== '');
  };
};

test('bash completes commands, even after options and their values', async (t) => {
  const complete = await bashIn(t);
  assert.deepEqual(complete('ba'), ['balance']);
  assert.deepEqual(complete('--json', 'stak'), ['stake']);
  // Bash splits a URL into these words.
  assert.deepEqual(complete('--url', 'https', ':', '//stake.example.org', 'stak'), ['stake']);
  assert.deepEqual(complete('help', ''), [...NAMES, ...complete('help', '--')]);
});

test('bash completes option names from their first letters, and their values', async (t) => {
  const complete = await bashIn(t);
  assert.deepEqual(complete('simulate', '--d'), ['--days']);
  assert.deepEqual(complete('simulate', '5', '--d'), ['--days']);
  assert.deepEqual(complete('completion', 'z'), ['zsh']);
  assert.deepEqual(complete('webhooks', 're'), ['register', 'replay', 'restore']);
  assert.deepEqual(complete('webhooks', 'deliveries', 'x', '--state', ''), ['pending', 'delivered', 'dead']);
  assert.deepEqual(complete('stake', '2', '--priority', ''), ['none', 'low', 'medium', 'high']);
  assert.deepEqual(complete('config', 's'), ['set']);
  assert.deepEqual(complete('config', 'set', ''), ['url', 'keypair', 'rpc']);
  assert.deepEqual(complete('config', 'get', 'k'), ['keypair']);
});

test('bash completes files for file arguments, but neither amounts nor addresses', async (t) => {
  const complete = await bashIn(t);
  for (const words of [
    ['--keypair', 'wal'],
    ['stake', '2', '-k', 'wal'],
    ['webhooks', 'list', '--secret-file', 'wal'],
    ['keygen', 'wal'],
  ])
    assert.deepEqual(complete(...words), ['wallet.json'], words.join(' '));
  assert.deepEqual(complete('stake', '2', '-k', 'my'), ['my keys.json']);
  assert.deepEqual(complete('keygen', 'm'), ['my keys.json']);
  assert.deepEqual(complete('stake', '2', '--vote', ''), []);
  assert.deepEqual(complete('simulate', '5', '--days', ''), []);
  assert.deepEqual(complete('balance', 'wal'), []);
});

test('bash completes the stake accounts of the last listing of the user’s own wallet, without starting the program', async (t) => {
  const folder = temporaryFolder(t);
  const environment = { XDG_CONFIG_HOME: folder };
  const [one, other] = [
    '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2',
    '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
  ];
  rememberListedStakes(callWith([], environment), [
    { address: one },
    { address: other },
    { address: '$(x)' },
  ]);
  rememberListedStakes(callWith(['named'], environment), []);
  const complete = await bashIn(t, folder);
  for (const command of ['unstake', 'withdraw', 'restake', 'undo', 'rescue', 'migrate'])
    assert.deepEqual(complete(command, '7'), [one], command);
  assert.deepEqual(complete('withdraw', '9x'), [other]);
  assert.deepEqual(complete('stake', '7'), []);
  assert.equal(statSync(join(folder, 'holdfast', 'stake-accounts')).mode & 0o777, 0o600);
  assert.deepEqual((await bashIn(t))('unstake', '7'), [], 'nothing was listed yet');
});
