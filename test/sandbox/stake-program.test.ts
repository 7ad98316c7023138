// Checks that RPC and transactions use the Stake program given to a sandbox.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { SandboxOptions } from '../../sandbox/sandbox-options.ts';
import { withMinimumOfOneLamport } from '../support/parameter-sets-stake-program.ts';
import { patience } from '../support/patience.ts';

/** Returns the minimum delegation that a sandbox with this program reports. */
const minimumWith = async (stakeProgram: SandboxOptions['stakeProgram']): Promise<unknown> => {
  await using sandbox = await startSandbox({
    slotMs: 20,
    epochSeconds: 0,
    ...(stakeProgram ? { stakeProgram } : {}),
  });
  const response = await fetch(sandbox.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getStakeMinimumDelegation', params: [] }),
    signal: patience(),
  });
  return ((await response.json()) as { result?: { value: number } }).result?.value;
};

test('without a configured program, a sandbox runs the Stake program of the runtime, with a minimum delegation of 1 SOL', async () => {
  assert.equal(await minimumWith(undefined), 1_000_000_000);
});

test('a program derived from the bundled one runs and is served as the same ELF file', async () => {
  let given: Uint8Array | undefined;
  const minimum = await minimumWith((bundled) => {
    given = bundled;
    return withMinimumOfOneLamport(bundled);
  });
  assert.equal(minimum, 1);
  assert.deepEqual([...given!.subarray(0, 4)], [0x7f, 0x45, 0x4c, 0x46]);
});

test('an invalid program file leaves the runtime’s own program in place', async () => {
  const broken = (bundled: Uint8Array) =>
    withMinimumOfOneLamport(bundled).map((byte, at) => (at < 64 ? 0 : byte));
  assert.equal(await minimumWith(broken), 1_000_000_000);
});

test('the minimum delegation is changed only in the program for which the change was made', () => {
  assert.throws(() => withMinimumOfOneLamport(new Uint8Array(200_000)), /a different Stake program/);
});
