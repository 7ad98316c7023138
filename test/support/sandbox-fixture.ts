// Provides tests with a fast sandbox that has no timers and is always closed.

import { startSandbox } from '../../sandbox/sandbox.ts';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox-options.ts';
import { chosenParameterSet, sandboxOptionsFor } from './parameter-sets.ts';

/**
 * Blocks every 20 ms, epochs that end only when a test ends them and pay as two-day epochs do, and the rules of
 * the parameter set under test.
 */
export const QUICK_SANDBOX: SandboxOptions = {
  slotMs: 20,
  epochSeconds: 0,
  rewardPpb: 354_000,
  tipPpb: 500,
  ...sandboxOptionsFor(chosenParameterSet()),
};

/** Runs `use` with a new sandbox (about 100 ms to start), and always closes it. */
export async function withSandbox<T>(
  options: SandboxOptions,
  use: (sandbox: Sandbox) => Promise<T>,
): Promise<T> {
  await using sandbox = await startSandbox({ ...QUICK_SANDBOX, ...options });
  return await use(sandbox);
}

/**
 * Starts one sandbox for all tests of a file. Call it at the top of the file, and `get()` inside tests. `hooks`
 * are `before` and `after` of `node:test`.
 */
export function sharedSandbox(
  hooks: { before(run: () => Promise<void>): void; after(run: () => Promise<void>): void },
  options: SandboxOptions = {},
): { get(): Sandbox } {
  let sandbox: Sandbox | undefined;
  hooks.before(async () => {
    sandbox = await startSandbox({ ...QUICK_SANDBOX, ...options });
  });
  hooks.after(async () => {
    await sandbox?.close();
  });
  return {
    get: () => {
      if (sandbox === undefined) throw new Error('The shared sandbox is not running yet.');
      return sandbox;
    },
  };
}
