// Packs client, verifier and command line into a tarball that npm installs anywhere, with nothing else to install.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readOptions } from './command-options.ts';
import { bundleCode } from './pack/bundle-code.ts';
import { packageManifest, packageReadme, thirdPartyNotices } from './pack/package-files.ts';
import { writeTypes } from './pack/write-types.ts';

const root = join(import.meta.dirname, '..');

const USAGE = `Usage: npm run client:pack [-- --out FOLDER]

Packs client, verifier and command line into a tarball that npm installs anywhere. FOLDER is where it goes; default: data/packages.`;

const { values } = readOptions(USAGE, {
  options: { out: { type: 'string', default: join(root, 'data', 'packages') } },
});
const out = resolve(values.out);
const folder = mkdtempSync(join(tmpdir(), 'holdfast-pack-'));
try {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const bundled = await bundleCode(root, join(folder, 'dist'));
  await writeTypes(root, join(folder, 'types'));
  writeFileSync(join(folder, 'package.json'), packageManifest(version));
  writeFileSync(join(folder, 'README.md'), packageReadme());
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES'), thirdPartyNotices(bundled));
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  mkdirSync(out, { recursive: true });
  const { status, stdout, stderr } = spawnSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', out],
    { cwd: folder, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
  // npm 11 answers a list, npm 12 an object by name.
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, { filename: string }>);
  console.log(join(out, packed!.filename));
} finally {
  rmSync(folder, { recursive: true });
}
