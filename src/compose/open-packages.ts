// Loads the client and command-line packages for download. Repacks outdated packages at the first request if
// the build tools are installed.
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PackageFile, PackageSource } from '../http/pages/package-targets.ts';
import type { Logger } from '../kernel/log/logger.ts';
import type { ServedPackage } from '../operations/service-ports.ts';
import { canBuild, PAGE_DIST, sha256 } from './open-page.ts';

const run = promisify(execFile);

/** Timeout of packing, in ms. Packing takes 4 s on an idle machine (2026-11). */
const PACK_TIMEOUT_MS = 120_000;

/** Path below the project root; not under version control. */
export const PACKAGES_DIST = join(PAGE_DIST, 'packages');

/** The contents of `packages.json` next to the packages. */
export interface PackageRecord {
  /** `packageInputs` hash of the sources that the packages were built from. */
  readonly inputs: string;
  readonly packages: readonly ServedPackage[];
}

/** Returns a SHA-256 over all files that may be included in the packages. */
export const packageInputs = (root: string): string =>
  sha256(
    [
      ...['package.json', 'package-lock.json', 'LICENSE', 'scripts/pack-client.ts'],
      ...globSync('{src,client,cli,scripts/pack}/**/*.ts', { cwd: root }).sort(),
    ]
      .map((path) => `${sha256(readFileSync(join(root, path)))} ${path}\n`)
      .join(''),
  );

const readRecord = (root: string): PackageRecord | null => {
  try {
    const record = JSON.parse(
      readFileSync(join(root, PACKAGES_DIST, 'packages.json'), 'utf8'),
    ) as PackageRecord;
    return Array.isArray(record.packages) ? record : null;
  } catch {
    return null;
  }
};

/** Returns the packages of the last build, except those that cannot be read or do not match the record. */
const readPackages = (root: string): readonly PackageFile[] =>
  (readRecord(root)?.packages ?? []).flatMap((one) => {
    try {
      const content = readFileSync(join(root, PACKAGES_DIST, one.file));
      return sha256(content) === one.sha256 ? [{ ...one, content }] : [];
    } catch {
      return [];
    }
  });

/** Opens the packages of the project at `root`. Reads nothing before first use. */
export const openPackages = (root: string, logger: Logger): PackageSource => {
  let loaded: readonly PackageFile[] | undefined;
  let packing: Promise<readonly PackageFile[]> | undefined;
  const present = (): readonly PackageFile[] => {
    loaded ??= readPackages(root);
    return loaded;
  };
  const pack = async (): Promise<readonly PackageFile[]> => {
    if (!canBuild(root) || (present().length > 0 && readRecord(root)?.inputs === packageInputs(root)))
      return present();
    try {
      await run(process.execPath, [join(root, 'scripts', 'pack-client.ts')], {
        cwd: root,
        timeout: PACK_TIMEOUT_MS,
      });
    } catch (error) {
      logger.warn(
        { reason: String(error).slice(-1_000) },
        'packing the client and the command line failed; serving the packages of an earlier run, if any',
      );
    }
    loaded = readPackages(root);
    return loaded;
  };
  return {
    present,
    current: () => {
      packing ??= pack();
      return packing;
    },
  };
};
