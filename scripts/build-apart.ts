// Builds the page and the packages if the build tools are not installed. Installs the tools temporarily in a
// separate folder, at the versions and hashes of the lock file.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { PACKAGES_DIST } from '../src/compose/open-packages.ts';
import { PAGE_DIST, readBuiltPage } from '../src/compose/open-page.ts';

/** Packages that the builds need in addition to the service's own dependencies. */
export const BUILD_TOOLS: readonly string[] = [
  'vite',
  '@vitejs/plugin-react',
  'react',
  'react-dom',
  '@tanstack/react-query',
  'uplot',
  'uqr',
  '@messageformat/core',
  '@messageformat/runtime',
  '@solana/wallet-standard-features',
  '@wallet-standard/app',
  '@wallet-standard/base',
  '@wallet-standard/wallet',
  'typescript',
  '@types/node',
];

/** Files and folders that the builds read. */
const SOURCES = ['src', 'client', 'cli', 'scripts', 'web', 'tsconfig.json', 'LICENSE', '.npmrc'];

interface LockedPackage {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}
interface Lock {
  readonly name: string;
  readonly version: string;
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/**
 * Returns the part of `lock` for `tools` and their dependencies, with a matching manifest. Throws if a package
 * is not in the lock file.
 */
export const lockOf = (lock: Lock, tools: readonly string[]): { manifest: object; lock: object } => {
  const taken = new Map<string, LockedPackage>();
  /** Resolves a package like Node: first next to the package that depends on it, then further up. */
  const find = (name: string, from: string): string | undefined => {
    for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
      const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
      if (lock.packages[path] !== undefined) return path;
      if (at === '') return undefined;
    }
  };
  const take = (path: string): void => {
    if (taken.has(path)) return;
    const { dev: _, devOptional: __, ...entry } = lock.packages[path] as LockedPackage;
    taken.set(path, entry);
    const names = [
      ...Object.keys(entry.dependencies ?? {}),
      ...Object.keys(entry.optionalDependencies ?? {}),
      ...Object.keys(entry.peerDependencies ?? {}).filter(
        (name) => entry.peerDependenciesMeta?.[name]?.optional !== true,
      ),
    ];
    for (const name of names) {
      const found = find(name, path);
      if (found !== undefined) take(found);
    }
  };
  for (const tool of tools) {
    if (lock.packages[`node_modules/${tool}`] === undefined)
      throw new Error(`${tool} is not in the lock file`);
    take(`node_modules/${tool}`);
  }
  const { name, version } = lock;
  const dependencies = Object.fromEntries(
    tools.map((tool) => [tool, lock.packages[`node_modules/${tool}`]!.version]),
  );
  const manifest = { name, version, private: true, type: 'module', dependencies };
  const packages = { '': manifest, ...Object.fromEntries([...taken].sort()) };
  return { manifest, lock: { name, version, lockfileVersion: 3, requires: true, packages } };
};

const npmCi = (folder: string): void => {
  const cli = process.env.npm_execpath;
  const [command, before] = cli?.endsWith('npm-cli.js') ? [process.execPath, [cli]] : ['npm', []];
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=0'];
  execFileSync(command, [...before, 'ci', '--include=dev', ...quiet], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
};

/** Builds the page and the packages of the project at `root`. */
const buildApart = (root: string): void => {
  const dist = join(root, PAGE_DIST);
  mkdirSync(dist, { recursive: true });
  // The folder is inside the project, so the service's own dependencies are found as well.
  const folder = mkdtempSync(join(root, '.tmp-tools-'));
  try {
    const whole = readFileSync(join(root, 'package-lock.json'), 'utf8');
    const { manifest, lock } = lockOf(JSON.parse(whole) as Lock, BUILD_TOOLS);
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
    for (const name of SOURCES)
      if (existsSync(join(root, name)))
        cpSync(join(root, name), join(folder, name), {
          recursive: true,
          filter: (source) => source !== dist && !source.includes('.test.'),
        });
    npmCi(folder);
    // The builds record the hashes of the project's own manifest and lock file.
    for (const name of ['package.json', 'package-lock.json']) cpSync(join(root, name), join(folder, name));
    for (const script of ['build-page.ts', 'pack-client.ts'])
      execFileSync(process.execPath, [join(folder, 'scripts', script)], {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    const page = readBuiltPage(folder)!;
    for (const [made, target] of [
      [join(folder, PAGE_DIST, page.folder), join(dist, page.folder)],
      [join(folder, PACKAGES_DIST), join(root, PACKAGES_DIST)],
    ] as const) {
      rmSync(target, { recursive: true, force: true });
      renameSync(made, target);
    }
    renameSync(join(folder, PAGE_DIST, 'current.json'), join(dist, 'current.json'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

if (import.meta.main) buildApart(join(import.meta.dirname, '..'));
