// Knows the built page on disk: which folder is current, and whether the sources it was made from are still the same.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Below the project's root; not under version control. */
export const PAGE_DIST = join('web', 'dist');

/** One file of the page as the builder wrote it, beside it `.br` and `.gz` where that is smaller. */
export interface PageFileEntry {
  /** Below the page's folder, `/`-separated, e.g. `assets/main-a1b2.js`. */
  readonly path: string;
  /** Of the uncompressed bytes, with quotes. */
  readonly etag: string;
  readonly encodings: readonly ('br' | 'gzip')[];
}

/** What `web/dist/current.json` says. */
export interface BuiltPage {
  /** Name of the folder below `web/dist`. */
  readonly folder: string;
  readonly files: readonly PageFileEntry[];
  /** SHA-256 in hex of every file it was made from, by path below the root. */
  readonly inputs: Readonly<Record<string, string>>;
}

/** SHA-256 in hex. */
export const sha256 = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex');

/** A builder of another version may have written something else, and a start must not end on it. */
const isBuiltPage = (record: unknown): record is BuiltPage => {
  const { folder, files, inputs } = (record ?? {}) as Partial<Record<keyof BuiltPage, unknown>>;
  return typeof folder === 'string' && Array.isArray(files) && typeof inputs === 'object' && inputs !== null;
};

/** The page that was built last; null where none was, or where its record cannot be read. */
export const readBuiltPage = (root: string): BuiltPage | null => {
  try {
    const record: unknown = JSON.parse(readFileSync(join(root, PAGE_DIST, 'current.json'), 'utf8'));
    return isBuiltPage(record) ? record : null;
  } catch {
    return null;
  }
};

/** True while the page is there, and every file that it was made from is what it was then. Some 100 small files: 3 ms (2026-11). */
export const isUpToDate = (root: string, { folder, inputs }: BuiltPage): boolean =>
  // Of two builds of different sources at once, the one that ends first may have removed what the other made.
  existsSync(join(root, PAGE_DIST, folder)) &&
  Object.entries(inputs).every(([path, expected]) => {
    try {
      return sha256(readFileSync(join(root, path))) === expected;
    } catch {
      return false;
    }
  });
