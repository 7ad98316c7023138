// Builds the page and the operator console into a folder named after its content, and makes that folder current
// in a single step. Safe to run concurrently.
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import {
  type BuiltPage,
  isUpToDate,
  PAGE_DIST,
  type PageFileEntry,
  readBuiltPage,
  sha256,
} from '../src/compose/open-page.ts';
import { CONSOLE_FOLDER } from '../src/http/pages/page-entries.ts';
import { bundle } from './page/bundle.ts';
import { consoleDocuments, makeViewDocuments, viewDocuments } from './page/view-documents.ts';

/** Files that affect the result, in addition to the modules that Vite finds. */
const OWN_INPUTS = [
  'package-lock.json',
  // Vite reads the JSX settings from these files.
  'tsconfig.json',
  'web/tsconfig.json',
  'web/index.html',
  'web/console.html',
  'scripts/build-page.ts',
  'scripts/page/bundle.ts',
  'scripts/page/compile-words.ts',
  'scripts/page/view-documents.ts',
];

const compress = {
  br: (bytes: Buffer) =>
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  gzip: (bytes: Buffer) => gzipSync(bytes, { level: 9 }),
} as const;

const ENDING = { br: '.br', gzip: '.gz' } as const;

const writeFile = (folder: string, path: string, bytes: Buffer): PageFileEntry => {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, bytes);
  const encodings = (['br', 'gzip'] as const).filter((encoding) => {
    const packed = compress[encoding](bytes);
    // Saving less than this is not worth the encoding header.
    if (packed.length > bytes.length - 64) return false;
    writeFileSync(`${target}${ENDING[encoding]}`, packed);
    return true;
  });
  return { path, etag: `"${sha256(bytes).slice(0, 32)}"`, encodings };
};

const CONSOLE_DOCUMENT = 'console.html';

const inFolder = <Value>(
  folder: string,
  files: readonly (readonly [string, Value])[],
): readonly (readonly [string, Value])[] => files.map(([path, value]) => [folder + path, value]);

/** Makes `folder` current. Another build of the same content may already have done so. */
const publish = (dist: string, made: string, page: BuiltPage): void => {
  try {
    renameSync(made, join(dist, page.folder));
  } catch {
    rmSync(made, { recursive: true, force: true });
  }
  const record = join(dist, `current-${process.pid}.json`);
  writeFileSync(record, JSON.stringify(page));
  renameSync(record, join(dist, 'current.json'));
  // Services keep the page in memory, so old builds can be deleted.
  for (const name of readdirSync(dist))
    if (/^[0-9a-f]{16}$/.test(name) && name !== page.folder)
      rmSync(join(dist, name), { recursive: true, force: true });
};

/** Builds the page of the project at `root`, unless it is up to date. */
export const buildPage = async (root: string): Promise<BuiltPage> => {
  const present = readBuiltPage(root);
  if (present !== null && isUpToDate(root, present)) return present;
  const dist = join(root, PAGE_DIST);
  mkdirSync(dist, { recursive: true });
  const bundled = mkdtempSync(join(dist, 'tmp-bundle-'));
  const made = mkdtempSync(join(dist, 'tmp-page-'));
  // Temporary folders are accessible only to their owner, but the service may run as another user.
  chmodSync(made, 0o755);
  try {
    const own = OWN_INPUTS.map((path) => [path, sha256(readFileSync(join(root, path)))] as const);
    // Builds two separate bundles, because with shared chunks, visitors to the page would load code that only
    // the console needs.
    const page = await bundle(root, join(bundled, 'page'));
    const operator = await bundle(root, join(bundled, 'console'), CONSOLE_DOCUMENT);
    const all = new Map<string, Buffer>([
      ...page.files,
      ...makeViewDocuments(page.files.get('index.html')!, page.manifest, viewDocuments),
      ...inFolder(CONSOLE_FOLDER, [
        ...[...operator.files].filter(([path]) => path !== CONSOLE_DOCUMENT),
        ...makeViewDocuments(operator.files.get(CONSOLE_DOCUMENT)!, operator.manifest, consoleDocuments),
      ]),
    ]);
    const entries = [...all].map(([path, bytes]) => writeFile(made, path, bytes));
    const built: BuiltPage = {
      folder: sha256(JSON.stringify(entries)).slice(0, 16),
      files: entries,
      // The hashes from before the build take precedence, because Vite reads the document again.
      inputs: Object.fromEntries([...[...page.sources, ...operator.sources].sort(), ...own]),
    };
    publish(dist, made, built);
    return built;
  } finally {
    rmSync(bundled, { recursive: true, force: true });
    rmSync(made, { recursive: true, force: true });
  }
};

if (import.meta.main) await buildPage(join(import.meta.dirname, '..'));
