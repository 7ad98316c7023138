// Runs one test file in a process of its own and tells exactly what passed, failed and was skipped; silence counts as failure.
import { join } from 'node:path';
import { run } from 'node:test';
import { inspect } from 'node:util';

/** How long a single test and a whole file may take. */
export interface TestLimits {
  readonly testTimeoutMs: number;
  /** Covers a file whose process does not end because something was left open. */
  readonly fileTimeoutMs: number;
  /** Added to the environment of the file's process and of those that it starts. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What became of one file. */
export interface FileResult {
  /** Relative to the root. */
  readonly path: string;
  readonly passed: number;
  readonly failures: readonly { readonly name: string; readonly error: string }[];
  readonly skips: readonly { readonly name: string; readonly reason: string }[];
  /** What tests said about themselves (`t.diagnostic`), for instance counts. */
  readonly diagnostics: readonly string[];
  /** Everything the file printed. */
  readonly output: string;
  readonly durationMs: number;
}

const describeError = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return typeof cause === 'string' ? cause : inspect(cause, { depth: 4 });
};

/** Runs `path` (relative to `root`). Never rejects because of a test. `signal` ends the run early as a failure. */
export const runTestFile = async (
  root: string,
  path: string,
  limits: TestLimits,
  signal?: AbortSignal,
): Promise<FileResult> => {
  const started = performance.now();
  const limit = AbortSignal.timeout(limits.fileTimeoutMs);
  const failures: { name: string; error: string }[] = [];
  const skips: { name: string; reason: string }[] = [];
  const diagnostics: string[] = [];
  let passed = 0;
  let output = '';
  const file = join(root, path);
  const stream = run({
    files: [file],
    cwd: root,
    signal: signal ? AbortSignal.any([limit, signal]) : limit,
    execArgv: [`--test-timeout=${limits.testTimeoutMs}`],
    env: { ...process.env, ...limits.env },
  });
  for await (const event of stream) {
    if (event.type === 'test:stdout' || event.type === 'test:stderr') output += event.data.message;
    else if (event.type === 'test:diagnostic' && event.data.file) diagnostics.push(event.data.message);
    else if (event.type === 'test:pass' || event.type === 'test:fail') {
      const { name, details, skip, todo } = event.data;
      // The file itself is reported as a test where its tests were not: it printed none, broke while loading, or did not end.
      const isFileItself = name === file;
      if (details.type === 'suite') {
        if (event.type === 'test:fail' && !isSubtestFailure(details))
          failures.push({ name, error: describeError(details.error) });
      } else if (skip !== undefined && skip !== false)
        skips.push({ name, reason: skip === true || skip === '' ? 'no reason given' : skip });
      else if (todo !== undefined && todo !== false)
        skips.push({ name, reason: `to do ${todo === true ? '' : todo}`.trim() });
      else if (event.type === 'test:pass' && isFileItself)
        failures.push({ name: path, error: 'the file reported no test' });
      else if (event.type === 'test:pass') passed += 1;
      else if (isSubtestFailure(details)) continue;
      else
        failures.push({
          name: isFileItself ? path : name,
          error:
            isFileItself && limit.aborted
              ? 'the process did not end in time: something was left open'
              : describeError(details.error),
        });
    }
  }
  return { path, passed, failures, skips, diagnostics, output, durationMs: performance.now() - started };
};

/** A parent fails because its child did; the child has been counted. */
const isSubtestFailure = (details: object): boolean =>
  'error' in details &&
  (details.error as { failureType?: string } | undefined)?.failureType === 'subtestsFailed';
