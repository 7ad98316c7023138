// Runs test files side by side, tells about each when it ends, and sums up in one line that machines read.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FileResult, runTestFile, type TestLimits } from './run-test-file.ts';

/** Sums over files. */
interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Runs all `paths`, at most `atOnce` at a time, in order; `onEnd` hears of each as it ends. */
export const runTestFiles = async (
  root: string,
  paths: readonly string[],
  options: TestLimits & {
    readonly atOnce: number;
    readonly onEnd: (result: FileResult) => void;
    readonly signal?: AbortSignal;
  },
): Promise<readonly FileResult[]> => {
  const results: FileResult[] = [];
  // The files load the same few hundred modules: what one process compiled the next ones read, and a file of the service's windows
  // costs 1.4 s of processor time instead of 2.2 (2026-11). The folder is this run's own: no run can colour the next one.
  const compiled = mkdtempSync(join(tmpdir(), 'holdfast-test-compiled-'));
  const limits = { ...options, env: { ...options.env, NODE_COMPILE_CACHE: compiled } };
  const waiting = [...paths];
  const worker = async () => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      if (options.signal?.aborted) return;
      const result = await runTestFile(root, path, limits, options.signal);
      results.push(result);
      options.onEnd(result);
    }
  };
  try {
    await Promise.all(Array.from({ length: options.atOnce }, worker));
  } finally {
    rmSync(compiled, { recursive: true, force: true, maxRetries: 3 });
  }
  return results;
};

/** Sums up. */
export const countTests = (results: readonly FileResult[]): TestCounts => ({
  passed: results.reduce((sum, { passed }) => sum + passed, 0),
  failed: results.reduce((sum, { failures }) => sum + failures.length, 0),
  skipped: results.reduce((sum, { skips }) => sum + skips.length, 0),
});

/** The closing line: `N passed, N failed`, with `, N skipped` where some were. */
export const summaryLine = ({ passed, failed, skipped }: TestCounts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** One file in words: a line when all is well, every failure with what was printed otherwise. */
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
