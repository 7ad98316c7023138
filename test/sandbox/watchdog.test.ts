// Checks that a stuck runtime is ended with a message, and a working one is left alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spawnProcess } from '../support/spawned-process.ts';

test('a process whose main thread is stuck ends with the reason, but not while it works', async (t) => {
  const stuck = spawnProcess(t, { file: 'test/support/stuck-sandbox.ts' });
  await stuck.output(/stuck/);
  assert.equal(stuck.stderr, '');
  assert.deepEqual(await stuck.ended, { code: null, signal: 'SIGKILL' });
  assert.equal(stuck.stderr, 'sandbox: the runtime has been unresponsive for 1 s; stopping it\n');
});
