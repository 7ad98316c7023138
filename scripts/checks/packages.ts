// Checks the dependencies: exact versions, few packages at run time, a matching lock file, and no install
// scripts.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CheckResult, checkResult } from './check-result.ts';

const MAX_RUNTIME = 20;
const EXACT = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;

type Versions = Readonly<Record<string, string>>;
interface Manifest {
  readonly engines?: { readonly node?: string };
  readonly dependencies?: Versions;
  readonly devDependencies?: Versions;
  readonly optionalDependencies?: Versions;
}
interface Lock {
  readonly packages?: Readonly<
    Record<
      string,
      Manifest & { integrity?: string; hasInstallScript?: boolean; link?: boolean; dev?: boolean }
    >
  >;
}

const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;

/**
 * True if Node would find `name` from the package at `path`, in the package's own node_modules or in one
 * further up.
 */
const isLocked = (packages: NonNullable<Lock['packages']>, path: string, name: string): boolean => {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`]) return true;
    if (at === '') return false;
  }
};

/**
 * Lists dependencies that are missing from the lock file. Mirrors sometimes lack packages for other platforms,
 * in which case `npm ci` fails in every fresh clone.
 */
const missingFromLock = (packages: NonNullable<Lock['packages']>): string[] =>
  Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !isLocked(packages, path, name))
      .map(
        (name) =>
          `package-lock.json lacks ${name}, which ${path || 'package.json'} requires: npm ci fails in a fresh clone`,
      ),
  );

const partsOf = (version: string): number[] =>
  /(\d+)(?:\.(\d+))?(?:\.(\d+))?/
    .exec(version)
    ?.slice(1)
    .map((part) => Number(part ?? 0)) ?? [];

/** True if a range such as `^20.19.0 || >=22.12.0` allows this version. */
const allows = (range: string, version: readonly number[]): boolean =>
  range.split('||').some((alternative) => {
    const least = partsOf(alternative);
    const difference = version.map((part, at) => part - (least[at] ?? 0)).find((one) => one !== 0) ?? 0;
    return difference >= 0 && (!alternative.includes('^') || version[0] === least[0]);
  });

/** Lists packages of the service that need a newer Node than the project states. */
const needingNewerNode = (node: string, packages: NonNullable<Lock['packages']>): string[] =>
  Object.entries(packages).flatMap(([path, { engines, dev }]) =>
    path === '' || dev || engines?.node === undefined || allows(engines.node, partsOf(node))
      ? []
      : [`${path} requires Node ${engines.node}, but package.json allows ${node}`],
  );

/** Runs the check on the project at `root`. */
export const checkPackages = (root: string): CheckResult => {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'));
  const manifest = read('package.json') as Manifest;
  const packages = (read('package-lock.json') as Lock).packages ?? {};
  const problems: string[] = [];
  for (const kind of kinds) {
    for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
      if (!EXACT.test(version)) problems.push(`${name} ${version} in ${kind} is not one exact version`);
      if (packages['']?.[kind]?.[name] !== version)
        problems.push(`${name} in ${kind} differs between package.json and package-lock.json`);
    }
  }
  const runtime = Object.keys(manifest.dependencies ?? {}).length;
  if (runtime > MAX_RUNTIME) problems.push(`${runtime} runtime dependencies, more than ${MAX_RUNTIME}`);
  for (const [path, { integrity, link }] of Object.entries(packages)) {
    if (path !== '' && !link && !integrity)
      problems.push(`${path} has no integrity hash in package-lock.json`);
  }
  problems.push(...missingFromLock(packages), ...needingNewerNode(manifest.engines?.node ?? '', packages));
  if (packages['']?.engines?.node !== manifest.engines?.node)
    problems.push('engines differs between package.json and package-lock.json');
  const npmrc = existsSync(join(root, '.npmrc')) ? readFileSync(join(root, '.npmrc'), 'utf8') : '';
  if (!/^ignore-scripts\s*=\s*true\s*$/m.test(npmrc))
    problems.push('.npmrc does not set ignore-scripts=true');
  const withScripts = Object.entries(packages).flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript ? [path.replace(/^.*node_modules\//, '')] : [],
  );
  return checkResult('packages', problems, [
    `${runtime} runtime dependencies, ${Object.keys(packages).length - 1} packages in total`,
    `install scripts never run: ${withScripts.length === 0 ? 'none exist' : withScripts.join(', ')}`,
  ]);
};
