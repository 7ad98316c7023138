// Checks that all imports, including type imports, lead only to lower layers and form no cycles.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findCodeFiles } from '../testing/find-test-files.ts';
import { type CheckResult, checkResult } from './check-result.ts';
import { readImports } from './read-imports.ts';

/**
 * Layers from top to bottom. A file belongs to the longest entry that is a prefix of its path. It may import
 * from its own entry and from lower rows, but not from other entries in its row. Tests and folders without an
 * entry may import everything.
 */
const layers: readonly (readonly string[])[] = [
  ['cli/', 'web/'],
  ['web/src/chart/', 'web/src/ui/'],
  ['web/src/text/'],
  ['web/src/words/'],
  ['web/src/state/'],
  ['client/'],
  ['sandbox/'],
  ['src/main.ts'],
  ['src/app.ts'],
  ['src/compose/'],
  ['src/http/', 'src/mcp/', 'src/observe/'],
  ['src/adapter/'],
  ['src/operations/'],
  ['src/events/'],
  ['src/validator/'],
  ['src/chain/', 'src/redis/', 'src/store/', 'src/upstream/'],
  ['src/config/'],
  ['src/domain/'],
  ['src/kernel/'],
];
const entries = layers.flatMap((row, height) => row.map((start) => ({ start, height })));
const layerOf = (path: string) =>
  entries
    .filter(({ start }) => path.startsWith(start))
    .toSorted((one, other) => other.start.length - one.start.length)[0];

/** Runs the check on the project at `root`. */
export const checkLayers = (root: string): CheckResult => {
  const problems: string[] = [];
  const files = ['.ts', '.tsx'].flatMap((ending) => findCodeFiles(root, ending));
  const importsOf = new Map<string, readonly string[]>();
  for (const path of files.filter((file) => !/\.test\.|^test\//.test(file))) {
    const from = layerOf(path);
    if (path.startsWith('src/') && from === undefined) problems.push(`${path}: belongs to no layer`);
    const targets = readImports(readFileSync(join(root, path), 'utf8'))
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ specifier }) => join(dirname(path), specifier));
    importsOf.set(path, targets);
    for (const target of targets) {
      const to = layerOf(target);
      if (from && from !== to && (to?.height ?? -1) <= from.height)
        problems.push(`${path}: ${from.start} may not import ${target}`);
    }
  }
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path))
      problems.push(`cycle: ${[...trail.slice(trail.indexOf(path)), path].join(' → ')}`);
    if (done.has(path)) return;
    done.add(path);
    for (const target of importsOf.get(path) ?? []) visit(target, [...trail, path]);
  };
  for (const path of importsOf.keys()) visit(path, []);
  return checkResult('layers', problems, [`${importsOf.size} files`]);
};
