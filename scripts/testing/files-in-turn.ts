// Runs test files one after another in this process. Each file is a test, and its tests are subtests.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';

/** The queue of files that several processes share. */
export interface TestQueue {
  readonly root: string;
  /** Relative to `root`. */
  readonly paths: readonly string[];
  /**
   * An empty folder for locks: the process that first creates a file named by a path's index runs that path.
   */
  readonly claims: string;
  readonly fileTimeoutMs: number;
  /** Time for connections and children to end after a file. */
  readonly quietWithinMs: number;
}

/** Waits in the tested code often do not keep a process alive, so this does. */
const alive = setInterval(() => undefined, 60_000);

/** Servers, sockets, children and timers that keep this process alive. */
const openNow = (): readonly string[] =>
  process.getActiveResourcesInfo().filter((name) => /Server|Socket|Process|Timeout/.test(name));

const { HOLDFAST_TEST_QUEUE: queue = '' } = process.env;
delete process.env.HOLDFAST_TEST_QUEUE;
const { root, paths, claims, fileTimeoutMs, quietWithinMs } = JSON.parse(queue) as TestQueue;

const isMine = (index: number): boolean => {
  try {
    writeFileSync(join(claims, String(index)), '', { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
};
/** Restored after every file. A build by Vite sets NODE_ENV to production, and kit's errors then have no text. */
const environment = { ...process.env };
const restoreEnvironment = (): void => {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
};

let quiet = openNow().length;
for (const [index, path] of paths.entries()) {
  if (!isMine(index)) continue;
  // A suite, because its tests wait for the file's `before` hooks; those of a test that has started do not.
  await test(path, { timeout: fileTimeoutMs }, () => {
    describe(path, { timeout: fileTimeoutMs }, () => import(join(root, path)).then(() => undefined));
  });
  restoreEnvironment();
  const deadline = performance.now() + quietWithinMs;
  while (openNow().length > quiet && performance.now() < deadline) await pause(20);
  const open = openNow();
  if (open.length > quiet)
    await test(path, () => {
      throw new Error(`something was left open: ${open.join(', ')}`);
    });
  quiet = open.length;
}
clearInterval(alive);
// Only a leaked handle, which was reported, can keep this process alive now.
setTimeout(() => process.exit(), 5_000).unref();
