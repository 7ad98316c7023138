// Builds the page if its sources changed, and loads it into memory. Installs missing build tools temporarily.
// If the build fails, serves the last one.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PageFile } from '../http/pages/web-page-targets.ts';
import type { Logger } from '../kernel/log/logger.ts';

const run = promisify(execFile);

/**
 * Timeout of the build, in ms. The build takes 1 s on an idle machine and over 30 s if many processes share the
 * cores (2026-11). The service does not listen before it ends.
 */
const BUILD_TIMEOUT_MS = 120_000;

const readFiles = (root: string, { folder, files }: BuiltPage): readonly PageFile[] => {
  const read = (path: string): Buffer => readFileSync(join(root, PAGE_DIST, folder, path));
  return files.map(({ path, etag, encodings }) => ({
    path,
    etag,
    bytes: read(path),
    compressed: {
      ...(encodings.includes('br') ? { br: read(`${path}.br`) } : {}),
      ...(encodings.includes('gzip') ? { gzip: read(`${path}.gz`) } : {}),
    },
  }));
};

const readCurrent = (root: string): readonly PageFile[] | null => {
  const built = readBuiltPage(root);
  if (built === null) return null;
  try {
    return readFiles(root, built);
  } catch {
    // Another process has just installed a newer build, which is complete.
    const newer = readBuiltPage(root);
    try {
      return newer && readFiles(root, newer);
    } catch {
      return null;
    }
  }
};

/** Instructions for building a missing page. */
export const PAGE_FIX = 'Run npm run build in the code folder, as its owner, and restart.';

/** True if the build tools of the page are installed. */
export const canBuild = (root: string): boolean =>
  ['node_modules/vite', 'node_modules/@vitejs/plugin-react', 'scripts/build-page.ts', 'web/index.html'].every(
    (path) => existsSync(join(root, path)),
  );

/**
 * Script that installs the build tools temporarily, for checkouts that contain only the service's own packages.
 */
const BUILD_APART = 'scripts/build-apart.ts';
const APART_TIMEOUT_MS = 300_000;

const canBuildApart = (root: string): boolean =>
  [BUILD_APART, 'package-lock.json', 'web/index.html'].every((path) => existsSync(join(root, path)));

const build = async (root: string, script: string, timeoutMs: number, logger: Logger): Promise<void> => {
  const startedMs = performance.now();
  try {
    await run(process.execPath, [join(root, script)], { cwd: root, timeout: timeoutMs });
    logger.info({ ms: Math.round(performance.now() - startedMs) }, 'the page was built');
  } catch (error) {
    const { stderr, killed } = error as { stderr?: string; killed?: boolean };
    const what = killed ? `not finished after ${timeoutMs / 1_000} s` : String(error);
    // Reduces a stack trace to its message, but keeps all compiler errors.
    const said = /^\w*Error: .*$/m.exec(stderr ?? '')?.[0] ?? stderr?.trim();
    logger.warn(
      { reason: (said || what).slice(-1_000) },
      `the page could not be built here; serving the last build, if any. ${PAGE_FIX}`,
    );
  }
};

/**
 * Returns the files of the page; null if it is absent and cannot be built. Never rejects, because the API
 * works without a page.
 */
export const openPage = async (root: string, logger: Logger): Promise<readonly PageFile[] | null> => {
  const built = readBuiltPage(root);
  if (built === null || !isUpToDate(root, built)) {
    if (canBuild(root)) {
      logger.info('building the page (once, until its sources change)');
      await build(root, 'scripts/build-page.ts', BUILD_TIMEOUT_MS, logger);
    } else if (canBuildApart(root)) {
      logger.info('building the page, the client and the command line (once, with temporary tools)');
      await build(root, BUILD_APART, APART_TIMEOUT_MS, logger);
    } else if (built === null) logger.warn(`the page is not built; serving a plain start page. ${PAGE_FIX}`);
  }
  return readCurrent(root);
};

/** Path below the project root; not under version control. */
export const PAGE_DIST = join('web', 'dist');

/** One file of the built page, with `.br` and `.gz` versions next to it if they are smaller. */
export interface PageFileEntry {
  /** Path below the page's folder, separated by `/`, e.g. `assets/main-a1b2.js`. */
  readonly path: string;
  /** ETag of the uncompressed bytes, with quotes. */
  readonly etag: string;
  readonly encodings: readonly ('br' | 'gzip')[];
}

/** The contents of `web/dist/current.json`. */
export interface BuiltPage {
  /** Name of the folder below `web/dist`. */
  readonly folder: string;
  readonly files: readonly PageFileEntry[];
  /** SHA-256 (hex) of every source file, by path below the project root. */
  readonly inputs: Readonly<Record<string, string>>;
}

/** SHA-256 in hex. */
export const sha256 = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex');

/**
 * Validates the record. A builder of another version may have written a different format, which must not
 * prevent startup.
 */
const isBuiltPage = (record: unknown): record is BuiltPage => {
  const { folder, files, inputs } = (record ?? {}) as Partial<Record<keyof BuiltPage, unknown>>;
  return typeof folder === 'string' && Array.isArray(files) && typeof inputs === 'object' && inputs !== null;
};

/** Reads the last build; null if it is absent or its record cannot be read. */
export const readBuiltPage = (root: string): BuiltPage | null => {
  try {
    const record: unknown = JSON.parse(readFileSync(join(root, PAGE_DIST, 'current.json'), 'utf8'));
    return isBuiltPage(record) ? record : null;
  } catch {
    return null;
  }
};

/**
 * True if the page exists and none of its source files changed. Takes 3 ms for about 100 small files (2026-11).
 */
export const isUpToDate = (root: string, { folder, inputs }: BuiltPage): boolean =>
  // Of two concurrent builds of different sources, the first to finish may have removed the other's output.
  existsSync(join(root, PAGE_DIST, folder)) &&
  Object.entries(inputs).every(([path, expected]) => {
    try {
      return sha256(readFileSync(join(root, path))) === expected;
    } catch {
      return false;
    }
  });
