// Checks that `--help` of the project's commands prints their usage, and that a mistake is explained in a
// sentence.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spawnProcess } from '../support/spawned-process.ts';

const COMMANDS = ['demo/main.ts', 'bench/main.ts', 'scripts/pack-client.ts'];

for (const file of COMMANDS) {
  test(`${file} --help only prints its usage`, async (t) => {
    const run = spawnProcess(t, { file, args: ['--help'] });
    assert.deepEqual(await run.ended, { code: 0, signal: null });
    assert.match(run.stdout, /^Usage: npm run /);
    assert.equal(run.stderr, '');
  });

  test(`${file} answers an unknown option with a sentence and its usage`, async (t) => {
    const run = spawnProcess(t, { file, args: ['--color'] });
    assert.deepEqual(await run.ended, { code: 2, signal: null });
    assert.equal(run.stdout, '');
    assert.match(run.stderr, /^Unknown option '--color'\.\n\nUsage: npm run /);
    assert.doesNotMatch(run.stderr, /\n {4}at /);
  });
}
