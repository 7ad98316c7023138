// Runs test files, reports each one when it ends, and prints a machine-readable summary. A file without results
// counts as failed.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { inspect } from 'node:util';
import type { TestQueue } from './files-in-turn.ts';

export interface FileResult {
  /** Path relative to the root. */
  readonly path: string;
  readonly passed: number;
  readonly failures: readonly { readonly name: string; readonly error: string }[];
  readonly skips: readonly { readonly name: string; readonly reason: string }[];
  /** Lines that tests wrote with `t.diagnostic`, for example counts. */
  readonly diagnostics: readonly string[];
  /** Everything that the file printed. */
  readonly output: string;
  readonly durationMs: number;
}

export interface TestRun {
  readonly testTimeoutMs: number;
  readonly fileTimeoutMs: number;
  /** Time limit, in ms, for connections and child processes to end after a file. Default: 30,000. */
  readonly quietWithinMs?: number;
  /** Number of concurrent processes. */
  readonly atOnce: number;
  /**
   * True if each process takes one file after another, so modules are loaded only once. Otherwise, each file
   * runs in its own process.
   */
  readonly inTurn?: boolean;
  /**
   * Index of the first file whose tests mostly compute. An additional process starts there, to use the cores
   * while the others wait, and takes the files before it last.
   */
  readonly alsoFrom?: number;
  /** Called with the result of each file when it ends. */
  readonly onEnd: (result: FileResult) => void;
  readonly signal?: AbortSignal;
}

const describeError = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return typeof cause === 'string' ? cause : inspect(cause, { depth: 4 });
};

const isFailureOfSubtest = (details: object): boolean =>
  'error' in details &&
  (details.error as { failureType?: string } | undefined)?.failureType === 'subtestsFailed';

/** Starts a process that runs files of `queue` one after another. Yields each result when its file ends. */
async function* runQueue(
  queue: TestQueue,
  { testTimeoutMs, fileTimeoutMs, signal }: TestRun,
  env: Readonly<Record<string, string>>,
): AsyncGenerator<FileResult> {
  const silent = new AbortController();
  const watchdog = setTimeout(() => silent.abort(), 2 * fileTimeoutMs);
  const stream = run({
    files: [join(import.meta.dirname, 'files-in-turn.ts')],
    cwd: queue.root,
    execArgv: [`--test-timeout=${testTimeoutMs}`],
    env: { ...process.env, ...env, HOLDFAST_TEST_QUEUE: JSON.stringify(queue) },
    signal: signal ? AbortSignal.any([signal, silent.signal]) : silent.signal,
  });
  const empty = () => ({
    passed: 0,
    failures: [] as { name: string; error: string }[],
    skips: [] as { name: string; reason: string }[],
    diagnostics: [] as string[],
    output: '',
  });
  let file = empty();
  for await (const event of stream) {
    watchdog.refresh();
    if (event.type === 'test:stdout' || event.type === 'test:stderr') file.output += event.data.message;
    else if (event.type === 'test:diagnostic' && event.data.nesting > 0)
      file.diagnostics.push(event.data.message);
    else if (event.type === 'test:pass' || event.type === 'test:fail') {
      const { name, details, skip, todo, nesting } = event.data;
      const isFile = nesting === 0;
      const failed = event.type === 'test:fail' && !isFailureOfSubtest(details);
      if (skip !== undefined && skip !== false)
        file.skips.push({ name, reason: skip === true || skip === '' ? 'no reason given' : skip });
      else if (todo !== undefined && todo !== false)
        file.skips.push({ name, reason: `to do ${todo === true ? '' : todo}`.trim() });
      else if (failed) file.failures.push({ name, error: describeError(details.error) });
      else if (event.type === 'test:pass' && details.type !== 'suite' && !isFile) file.passed += 1;
      // A process that ended early is also reported as a test, but is not a file of the queue.
      if (!isFile || !queue.paths.includes(name)) continue;
      if (file.passed + file.failures.length + file.skips.length === 0)
        file.failures.push({ name, error: 'the file reported no tests' });
      yield { ...file, path: name, durationMs: details.duration_ms };
      file = empty();
    }
  }
  clearTimeout(watchdog);
}

/** Runs all `paths` in order. Failed tests do not reject the promise. */
export const runTestFiles = async (
  root: string,
  paths: readonly string[],
  options: TestRun,
): Promise<readonly FileResult[]> => {
  const results: FileResult[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-tests-'));
  // Test files load the same modules, so the processes of this run share a compile cache.
  const env = { NODE_COMPILE_CACHE: join(folder, 'compiled') };
  const shared = mkdtempSync(join(folder, 'claims-'));
  const waiting = new Set(paths);
  const countLeft = (): number => (options.inTurn ? paths.length - readdirSync(shared).length : waiting.size);
  const takeOne = (from: number): readonly string[] => {
    const path = [...paths.slice(from), ...paths.slice(0, from)].find((one) => waiting.has(one))!;
    waiting.delete(path);
    return [path];
  };
  const nextQueue = (from: number): TestQueue => ({
    root,
    fileTimeoutMs: options.fileTimeoutMs,
    quietWithinMs: options.quietWithinMs ?? 30_000,
    ...(options.inTurn
      ? { paths, from, claims: shared }
      : { paths: takeOne(from), from: 0, claims: mkdtempSync(join(folder, 'claims-')) }),
  });
  const worker = async (from = 0): Promise<void> => {
    // A process that has claimed no file has failed to start.
    let before = Number.POSITIVE_INFINITY;
    for (let left = countLeft(); left > 0 && left < before; left = countLeft()) {
      if (options.signal?.aborted) return;
      before = left;
      for await (const result of runQueue(nextQueue(from), options, env)) {
        results.push(result);
        options.onEnd(result);
      }
    }
  };
  try {
    await Promise.all([
      ...Array.from({ length: options.atOnce }, () => worker()),
      ...(options.alsoFrom === undefined ? [] : [worker(options.alsoFrom)]),
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
  const ended = new Set(results.map(({ path }) => path));
  for (const path of options.signal?.aborted ? [] : paths.filter((path) => !ended.has(path))) {
    const failure = { name: path, error: 'the process ended while this file was running' };
    const result = {
      path,
      passed: 0,
      failures: [failure],
      skips: [],
      diagnostics: [],
      output: '',
      durationMs: 0,
    };
    results.push(result);
    options.onEnd(result);
  }
  return results;
};

/** Sums the counts of all files. */
export const countTests = (
  results: readonly FileResult[],
): { readonly passed: number; readonly failed: number; readonly skipped: number } => ({
  passed: results.reduce((sum, { passed }) => sum + passed, 0),
  failed: results.reduce((sum, { failures }) => sum + failures.length, 0),
  skipped: results.reduce((sum, { skips }) => sum + skips.length, 0),
});

/** Returns the closing line: `N passed, N failed`, followed by `, N skipped` if tests were skipped. */
export const summaryLine = ({ passed, failed, skipped }: ReturnType<typeof countTests>): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/**
 * Describes the result of one file: in one line if all tests passed, otherwise with every failure and the
 * file's output.
 */
export const describeFile = ({ path, passed, failures, skips, durationMs, output }: FileResult): string => {
  const skipped = skips.length > 0 ? `, ${skips.length} skipped` : '';
  if (failures.length === 0) return `✓ ${path} (${passed}${skipped}, ${seconds(durationMs)})`;
  const indented = (text: string) => text.trimEnd().replaceAll(/^/gm, '    ');
  return [
    `✗ ${path} (${passed} passed, ${failures.length} failed${skipped}, ${seconds(durationMs)})`,
    ...failures.flatMap(({ name, error }) => [`  ✗ ${name}`, indented(error)]),
    ...(output.trim() === '' ? [] : ['  what the file printed:', indented(output.slice(-8_000))]),
  ].join('\n');
};
