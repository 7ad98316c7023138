// Checks that only one file in src/ reads the environment, that only one file ends the process, and that
// src/domain/ stays pure.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findCodeFiles } from '../testing/find-test-files.ts';
import { type CheckResult, checkResult } from './check-result.ts';
import { withoutComments } from './read-imports.ts';

/** Reserved calls with the files that may use them, found by pattern in the source text without comments. */
const reserved = [
  {
    pattern: /\bprocess\s*\.\s*env\b/,
    allowed: (path: string) => path === 'src/config/read-settings.ts',
    words: 'reads process.env: only src/config/read-settings.ts may',
  },
  {
    pattern: /\bprocess\s*\.\s*(exit\s*\(|exitCode\s*=)/,
    allowed: (path: string) => path === 'src/main.ts',
    words: 'ends the process: only src/main.ts may',
  },
  {
    pattern:
      /from\s+'node:(?!buffer)|\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bperformance\.now\(|\bfetch\(|\bprocess\./,
    allowed: (path: string) => !path.startsWith('src/domain/'),
    words: 'uses I/O, time or random numbers, but src/domain/ must be pure',
  },
] as const;

/** Runs the check on the project at `root`. Tests are exempt, because they may build any part they need. */
export const checkReserved = (root: string): CheckResult => {
  const problems: string[] = [];
  const files = findCodeFiles(root).filter((file) => file.startsWith('src/') && !file.endsWith('.test.ts'));
  for (const path of files) {
    const text = withoutComments(readFileSync(join(root, path), 'utf8'));
    for (const { pattern, allowed, words } of reserved)
      if (pattern.test(text) && !allowed(path)) problems.push(`${path} ${words}`);
  }
  return checkResult('reserved', problems, [`${files.length} files`]);
};
