// Ends this process if its runtime stops responding. The check runs in its own thread, because the main
// thread may be stuck in a native call.

import { writeSync } from 'node:fs';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

/** A running watchdog. */
type Watchdog = {
  /** Reports that the runtime is alive. */
  readonly beat: () => void;
  readonly close: () => Promise<void>;
};

type WatchdogData = { readonly beats: Int32Array; readonly patienceMs: number };

const CHECKS_PER_PATIENCE = 10;

/**
 * Starts the thread. If `beat` is not called for `patienceMs`, the thread reports that on standard error and
 * kills the process with SIGKILL, because a stuck runtime holds locks that prevent an orderly exit. Time
 * during which the whole process was suspended does not count.
 */
export function startWatchdog(patienceMs: number): Watchdog {
  const beats = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(new URL(import.meta.url), {
    workerData: { beats, patienceMs } satisfies WatchdogData,
    execArgv: process.execArgv,
  });
  thread.unref();
  return {
    beat: () => void Atomics.add(beats, 0, 1),
    close: async () => void (await thread.terminate()),
  };
}

function watch({ beats, patienceMs }: WatchdogData): void {
  let lastBeats = -1;
  let silentPolls = 0;
  setInterval(() => {
    const now = Atomics.load(beats, 0);
    silentPolls = now === lastBeats ? silentPolls + 1 : 0;
    lastBeats = now;
    if (silentPolls < CHECKS_PER_PATIENCE) return;
    // Avoids `process.stderr`, which goes through the main thread.
    writeSync(2, `sandbox: the runtime has been unresponsive for ${patienceMs / 1_000} s; stopping it\n`);
    process.kill(process.pid, 'SIGKILL');
  }, patienceMs / CHECKS_PER_PATIENCE);
}

if (!isMainThread && (workerData as Partial<WatchdogData> | null)?.beats) watch(workerData as WatchdogData);
