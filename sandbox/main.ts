// Runs one sandbox as a child process. Notifies its parent when the sandbox is ready, and never outlives the parent.

import { DEFAULT_BUSY_NETWORK } from './blocks/background-load.ts';
import { startSandbox } from './sandbox.ts';
import type { Sandbox, SandboxState } from './sandbox-options.ts';
import { SandboxUnavailableError } from './surfnet.ts';

/** Messages to the parent: by IPC if the process was forked, and otherwise as one line of JSON on stdout. */
export type SandboxMessage =
  | ({ readonly type: 'ready' } & SandboxState)
  | { readonly type: 'failed'; readonly reason: 'unavailable' | 'error'; readonly message: string };

async function tell(message: SandboxMessage): Promise<void> {
  if (process.send === undefined) {
    process.stdout.write(`${JSON.stringify(message)}\n`);
    return;
  }
  await new Promise<void>((resolve) => {
    process.send?.(message, undefined, {}, () => resolve());
  });
}

/**
 * Reads a number from the environment. The parent has already validated it, so an invalid number means a bug
 * and aborts startup.
 */
function numberFromEnv(name: string, least: number, fallback: number): number {
  const text = process.env[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (!Number.isFinite(value) || value < least)
    throw new RangeError(`${name} must be a number of at least ${least}.`);
  return value;
}

async function run(): Promise<void> {
  let sandbox: Sandbox | undefined;
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    // A sandbox that is still starting has nothing to clean up.
    if (sandbox === undefined) process.exit(0);
    sandbox.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  // Both signals reach the whole process group (Ctrl-C, systemd). They are ignored here, because the parent
  // stops the sandbox by closing its end of the channel once its own last transactions are settled.
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (process.send === undefined) stop();
    });
  if (process.send === undefined) {
    // Without IPC, the end of standard input means that the parent has exited.
    process.stdin.on('end', stop).on('error', stop).resume();
  } else {
    // Registered before startup: the parent may exit before the runtime is up, and `disconnect` is emitted only
    // once.
    process.on('disconnect', stop);
  }
  sandbox = await startSandbox({
    epochSeconds: numberFromEnv('HOLDFAST_SANDBOX_EPOCH_SECONDS', 0, 300),
    slotMs: numberFromEnv('HOLDFAST_SANDBOX_SLOT_MS', 5, 400),
    ...(process.env.HOLDFAST_SANDBOX_BUSY === 'on' && { busyNetwork: DEFAULT_BUSY_NETWORK }),
  });
  await tell({ type: 'ready', ...sandbox.state() });
}

run().catch(async (cause: unknown) => {
  const message = cause instanceof Error ? cause.message : String(cause);
  await tell({
    type: 'failed',
    reason: cause instanceof SandboxUnavailableError ? 'unavailable' : 'error',
    message,
  });
  process.exit(1);
});
