// Builds the page and the packages before the first startup. Required if the service must not write its own
// code, as under systemd.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGES_DIST, type PackageRecord } from '../src/compose/open-packages.ts';
import { canBuild, PAGE_DIST, readBuiltPage } from '../src/compose/open-page.ts';
import { CONSOLE_FOLDER } from '../src/http/pages/page-entries.ts';

const root = join(import.meta.dirname, '..');
const startedMs = performance.now();

const steps = canBuild(root)
  ? [
      ['building the page', 'build-page.ts'],
      ['packing the client and the command line', 'pack-client.ts'],
    ]
  : [
      [
        'building the page and packing the client and the command line, with temporary tools',
        'build-apart.ts',
      ],
    ];
for (const [index, [what, script]] of steps.entries()) {
  console.log(`${index + 1}/${steps.length} ${what}`);
  execFileSync(process.execPath, [join(root, 'scripts', script!)], { cwd: root, stdio: 'inherit' });
}

/** Returns the size in bytes of a file as most browsers receive it. */
const sentBytes = (path: string): number => statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size;

const { folder, files } = readBuiltPage(root)!;
const kilobytes = (isConsole: boolean): number =>
  Math.round(
    files
      .filter(({ path }) => path.startsWith(CONSOLE_FOLDER) === isConsole)
      .reduce((sum, { path }) => sum + sentBytes(join(root, PAGE_DIST, folder, path)), 0) / 1_000,
  );

const { packages } = JSON.parse(
  readFileSync(join(root, PACKAGES_DIST, 'packages.json'), 'utf8'),
) as PackageRecord;
const seconds = Math.round((performance.now() - startedMs) / 1_000);
console.log(
  `page ${kilobytes(false)} kB, operator console ${kilobytes(true)} kB, ${packages.length} packages, ${seconds} s`,
);
