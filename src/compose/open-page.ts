// Has the page built where its sources changed, and reads it into memory; without its tools the last one is served, or none.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PageFile } from '../http/pages/page-mounts.ts';
import type { Logger } from '../kernel/logger.ts';
import { type BuiltPage, isUpToDate, PAGE_DIST, readBuiltPage } from './page-folder.ts';

const run = promisify(execFile);

/** A build takes 1 s alone, and over 30 where many processes share the cores (measured 2026-11). The service listens only after it. */
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
    // Another start has just put a newer one in its place; that one is whole.
    const newer = readBuiltPage(root);
    try {
      return newer && readFiles(root, newer);
    } catch {
      return null;
    }
  }
};

const canBuild = (root: string): boolean =>
  ['node_modules/vite', 'node_modules/@vitejs/plugin-react', 'scripts/build-page.ts', 'web/index.html'].every(
    (path) => existsSync(join(root, path)),
  );

const build = async (root: string, logger: Logger): Promise<void> => {
  const startedMs = performance.now();
  try {
    await run(process.execPath, [join(root, 'scripts', 'build-page.ts')], {
      cwd: root,
      timeout: BUILD_TIMEOUT_MS,
    });
    logger.info({ ms: Math.round(performance.now() - startedMs) }, 'the page was built');
  } catch (error) {
    const { stderr, killed } = error as { stderr?: string; killed?: boolean };
    const what = killed ? `no end within ${BUILD_TIMEOUT_MS / 1_000} s` : String(error);
    logger.warn(
      { reason: (stderr || what).trim().slice(-1_000) },
      'the page could not be built; the last one that was is served, if there is one',
    );
  }
};

/** The files of the page; null where none is there and none can be built. Never rejects: the interface works without a page. */
export const openPage = async (root: string, logger: Logger): Promise<readonly PageFile[] | null> => {
  const built = readBuiltPage(root);
  if (built === null || !isUpToDate(root, built)) {
    if (canBuild(root)) await build(root, logger);
    else if (built === null)
      logger.warn(
        'the page is not built and its tools are not installed (npm ci --include=dev): a plain first page is served',
      );
  }
  return readCurrent(root);
};
