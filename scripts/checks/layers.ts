// Checks that imports only point down the floors of src/, that nothing there knows the folders around it, and that no imports form a circle.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { findCodeFiles } from '../testing/find-test-files.ts';
import { type CheckResult, checkResult } from './check-result.ts';
import { findCycles } from './find-cycles.ts';
import { readImports, withoutComments } from './read-imports.ts';

/** Floor by folder or file of src/, from the ground up. A file may import its own folder and lower floors; equal floors do not know each other. */
export const floors: Readonly<Record<string, number>> = {
  kernel: 0,
  domain: 1,
  config: 2,
  chain: 3,
  store: 3,
  redis: 3,
  upstream: 3,
  events: 4,
  operations: 5,
  adapter: 6,
  http: 7,
  mcp: 7,
  observe: 7,
  compose: 8,
  app: 9,
  'main.ts': 10,
};

const isTest = (path: string): boolean => path.endsWith('.test.ts');

/** Files directly in src/ belong to the composition root, `app.ts`, but for `main.ts`, which stands above it. */
const floorName = (path: string): string => {
  const [, name = '', ...deeper] = path.split('/');
  return deeper.length === 0 && name !== 'main.ts' ? 'app' : name;
};

const importProblem = (from: string, to: string): string | undefined => {
  if (!from.startsWith('src/')) return undefined;
  if (!to.startsWith('src/')) return `${from} imports ${to}: nothing in src/ may know the folders around it`;
  const [here, there] = [floorName(from), floorName(to)];
  const [hereFloor, thereFloor] = [floors[here], floors[there]];
  if (hereFloor === undefined || thereFloor === undefined || here === there) return undefined;
  return thereFloor < hereFloor
    ? undefined
    : `${from} imports ${to}: ${here} stands ${thereFloor === hereFloor ? 'beside' : 'below'} ${there}`;
};

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

/** Runs the check over the project at `root`. Tests are exempt: they may build whatever they need. */
export const checkLayers = (root: string): CheckResult => {
  const problems: string[] = [];
  const graph = new Map<string, readonly string[]>();
  const files = [...findCodeFiles(root), ...findCodeFiles(root, '.tsx')];
  for (const path of files.filter((file) => !isTest(file))) {
    const source = readFileSync(join(root, path), 'utf8');
    if (path.startsWith('src/') && floors[floorName(path)] === undefined)
      problems.push(`${path} stands on no floor: name ${floorName(path)} in scripts/checks/layers.ts`);
    const edges: string[] = [];
    for (const { specifier, isTypeOnly } of readImports(source)) {
      if (!specifier.startsWith('.')) continue;
      const target = resolve(dirname(join(root, path)), specifier);
      const to = relative(root, target).replaceAll('\\', '/');
      if (!existsSync(target)) problems.push(`${path} imports ${to}, which does not exist`);
      const problem = importProblem(path, to);
      if (problem) problems.push(problem);
      if (!isTypeOnly) edges.push(to);
    }
    graph.set(path, edges);
    const text = path.startsWith('src/') ? withoutComments(source) : '';
    for (const { pattern, allowed, words } of reserved)
      if (pattern.test(text) && !allowed(path)) problems.push(`${path} ${words}`);
  }
  for (const cycle of findCycles(graph))
    problems.push(`imports form a circle: ${[...cycle, cycle[0]].join(' → ')}`);
  return checkResult('layers', problems, [`${graph.size} files`]);
};
