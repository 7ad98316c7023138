// Runs one sandbox as a child process: tells its parent when it is ready and never outlives it.

import { startSandbox } from './sandbox.ts';
import type { Sandbox, SandboxState } from './sandbox-options.ts';
import { SandboxUnavailableError } from './surfnet.ts';
import { startWatchdog } from './watchdog.ts';

/** What the parent gets, by IPC when forked or as one line of JSON on stdout otherwise. */
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

// A boundary of 20,000 stake accounts takes 4 s, each of its writes being a sign of life; a busy machine may take ten times as long.
const STUCK_AFTER_MS = 60_000;

/** A setting in the environment, checked by the parent already; a bad one here stops the start all the same. */
function numberFromEnv(name: string, least: number, fallback: number): number {
  const text = process.env[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (!Number.isFinite(value) || value < least)
    throw new RangeError(`${name} must be a number from ${least} up.`);
  return value;
}

async function run(): Promise<void> {
  let sandbox: Sandbox | undefined;
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    // Nothing of a start that is not over yet is worth more than its end.
    if (sandbox === undefined) process.exit(0);
    sandbox.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  // Both reach the whole group (Ctrl-C, systemd): a parent decides when its chain stops, by letting go, else its last transactions could not settle.
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (process.send === undefined) stop();
    });
  if (process.send === undefined) {
    // Without IPC, the end of standard input is the sign that the parent is gone.
    process.stdin.on('end', stop).on('error', stop).resume();
  } else {
    // A parent may be gone before the runtime is up, and says so only once.
    process.on('disconnect', stop);
  }
  const slotMs = numberFromEnv('HOLDFAST_SANDBOX_SLOT_MS', 5, 400);
  const watchdog = startWatchdog(Math.max(STUCK_AFTER_MS, 20 * slotMs));
  sandbox = await startSandbox({
    epochSeconds: numberFromEnv('HOLDFAST_SANDBOX_EPOCH_SECONDS', 0, 300),
    slotMs,
    onProgress: watchdog.beat,
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
