// Packs the typed client with the verifier, and the command line, into npm tarballs without dependencies.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { PACKAGES_DIST, type PackageRecord, packageInputs } from '../src/compose/open-packages.ts';
import { sha256 } from '../src/compose/open-page.ts';
import { readOptions } from './command-options.ts';
import { bundleCode } from './pack/bundle-code.ts';
import {
  type PackageKind,
  packageManifest,
  packageReadme,
  packages,
  thirdPartyNotices,
} from './pack/package-files.ts';
import { makeTarball } from './pack/tarball.ts';
import { writeTypes } from './pack/write-declarations.ts';

const filesBelow = (folder: string): ReadonlyMap<string, Buffer> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path).replaceAll('\\', '/'), readFileSync(path)]),
  );

/** Creates the tarball of one package of the project at `root`. */
const pack = async (root: string, kind: PackageKind, version: string): Promise<Buffer> => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-pack-'));
  try {
    const bundled = await bundleCode(root, join(folder, 'dist'), packages[kind].entries);
    if (kind === 'client') await writeTypes(root, join(folder, 'types'));
    const files = new Map([
      ...filesBelow(folder),
      ['package.json', Buffer.from(packageManifest(kind, version))],
      ['README.md', Buffer.from(packageReadme(kind))],
      ['THIRD-PARTY-NOTICES', Buffer.from(thirdPartyNotices(bundled))],
      ['LICENSE', readFileSync(join(root, 'LICENSE'))],
    ]);
    return makeTarball(files, kind === 'holdfast' ? ['dist/holdfast.js'] : []);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** Packs both packages into `out`, with a record of their hashes and inputs. */
const packAll = async (root: string, out: string): Promise<PackageRecord> => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const inputs = packageInputs(root);
  mkdirSync(out, { recursive: true });
  const made = [];
  for (const kind of ['client', 'holdfast'] as const) {
    const bytes = await pack(root, kind, version);
    const file = `${kind}-${version}.tgz`;
    const target = join(out, file);
    writeFileSync(`${target}.${process.pid}`, bytes);
    renameSync(`${target}.${process.pid}`, target);
    made.push({ name: packages[kind].name, version, file, bytes: bytes.length, sha256: sha256(bytes) });
  }
  const record: PackageRecord = { inputs, packages: made };
  const path = join(out, 'packages.json');
  writeFileSync(`${path}.${process.pid}`, JSON.stringify(record));
  renameSync(`${path}.${process.pid}`, path);
  return record;
};

const USAGE = `Usage: npm run client:pack [-- --out FOLDER]

Packs the typed client with the verifier, and the command line, into tarballs that npm can install anywhere. FOLDER receives them;
default: the folder from which a service offers them for download.`;

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const { values } = readOptions(USAGE, {
    options: { out: { type: 'string', default: join(root, PACKAGES_DIST) } },
  });
  const out = resolve(values.out);
  for (const { file, sha256 } of (await packAll(root, out)).packages)
    console.log(`${sha256}  ${join(out, file)}`);
}
