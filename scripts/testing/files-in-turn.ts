// Runs test files one after another in this process. Each file becomes a test, and its tests become subtests.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';

/** Queue of files that several processes share. */
export interface TestQueue {
  readonly root: string;
  /** Path relative to `root`. */
  readonly paths: readonly string[];
  /** Index of the first file to take. The files before it are taken after the last one. */
  readonly from: number;
  /**
   * Empty folder for locks. The process that first creates the file named after a path's index runs that path.
   */
  readonly claims: string;
  readonly fileTimeoutMs: number;
  /** Time limit, in ms, for connections and child processes to end after a file. */
  readonly quietWithinMs: number;
}

/** Lists the names of the servers, sockets, child processes and timers that keep this process alive. */
const openNow = (): readonly string[] =>
  process.getActiveResourcesInfo().filter((name) => /Server|Socket|Process|Timeout/.test(name));

const { HOLDFAST_TEST_QUEUE: queue = '' } = process.env;
delete process.env.HOLDFAST_TEST_QUEUE;
const { root, paths, from, claims, fileTimeoutMs, quietWithinMs } = JSON.parse(queue) as TestQueue;
/** Keeps this process alive, because waits in the tested code often do not. */
const alive = setInterval(() => undefined, 60_000);

const isMine = (index: number): boolean => {
  try {
    writeFileSync(join(claims, String(index)), '', { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
};
/**
 * Environment that is restored after every file. For example, a Vite build sets NODE_ENV to production, and
 * kit's errors then have no text.
 */
const environment = { ...process.env };
const restoreEnvironment = (): void => {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
};

let quiet = openNow().length;
const entries = [...paths.entries()];
for (const [index, path] of [...entries.slice(from), ...entries.slice(0, from)]) {
  if (!isMine(index)) continue;
  // A suite is needed, because its tests wait for the file's `before` hooks, whereas subtests of a test that
  // has started do not.
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
// From here on, only a leaked handle can keep this process alive, and leaks were already reported.
setTimeout(() => process.exit(), 5_000).unref();
