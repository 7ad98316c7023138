// Checks what only one place of src/ may do, and that every folder of src/ has import bans in biome.json (Biome itself checks imports and cycles).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findCodeFiles } from '../testing/find-test-files.ts';
import { type CheckResult, checkResult } from './check-result.ts';
import { withoutComments } from './read-imports.ts';

/** What only one place may do, by pattern over the text without comments. */
const reserved = [
  {
    pattern: /\bprocess\s*\.\s*env\b/,
    allowed: (path: string) => path === 'src/config/env.ts',
    words: 'reads process.env: only src/config/env.ts may',
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
    words: 'does input, output, time or chance: src/domain/ is pure',
  },
] as const;

interface BiomeConfig {
  readonly overrides?: readonly { readonly includes?: readonly string[] }[];
}

/** Runs the check over the project at `root`. Tests are exempt: they may build whatever they need. */
export const checkReserved = (root: string): CheckResult => {
  const { overrides = [] } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8')) as BiomeConfig;
  const layers = new Set(overrides.map(({ includes }) => includes?.[0]));
  const problems: string[] = [];
  const files = findCodeFiles(root).filter((file) => file.startsWith('src/') && !file.endsWith('.test.ts'));
  for (const path of files) {
    const [, folder = '', ...deeper] = path.split('/');
    if (deeper.length > 0 && !layers.has(`src/${folder}/**`))
      problems.push(`${path}: biome.json has no import bans for src/${folder}/**`);
    if (deeper.length === 0 && folder !== 'main.ts' && folder !== 'app.ts')
      problems.push(`${path}: src/ itself holds main.ts and app.ts only`);
    const text = withoutComments(readFileSync(join(root, path), 'utf8'));
    for (const { pattern, allowed, words } of reserved)
      if (pattern.test(text) && !allowed(path)) problems.push(`${path} ${words}`);
  }
  return checkResult('reserved', problems, [`${files.length} files`]);
};
