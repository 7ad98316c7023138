// Finds a second Node version on this machine, for tests that need one.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Returns the path of the oldest Node in PATH whose major version is at least `fromMajor` and lower than the
 * running one's, or undefined if there is none.
 */
export const olderNode = (fromMajor: number): string | undefined => {
  const majorOf = (path: string): number =>
    Number(/^v(\d+)\./.exec(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1]);
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .filter((path) => existsSync(path))
    .map((path) => ({ path, major: majorOf(path) }))
    .filter(({ major }) => major >= fromMajor && major < Number(process.versions.node.split('.')[0]))
    .toSorted((a, b) => a.major - b.major)
    .at(0)?.path;
};
