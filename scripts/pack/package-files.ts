// Writes the remaining files of a package: the manifest, the readme, and the licenses of bundled packages.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OLDEST_NODE } from './bundle-code.ts';

/** The packages that can be packed. */
export type PackageKind = 'client' | 'holdfast';

/**
 * Package name, scoped so that no one else can register it. The package is served by the service and not
 * published on npm (see docs/client.md).
 */
export const PACKAGE_NAME = '@holdfast-sol/client';

interface PackageFacts {
  readonly name: string;
  readonly description: string;
  /** Source files to bundle, by output file name. */
  readonly entries: Readonly<Record<string, string>>;
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly usage: string;
}

/** Both packages. */
export const packages: Readonly<Record<PackageKind, PackageFacts>> = {
  client: {
    name: PACKAGE_NAME,
    description:
      'Typed client and transaction verifier of Holdfast, a self-hosted native SOL staking service.',
    entries: {
      client: 'client/package-entry.ts',
      verifier: 'client/verify-transaction-bytes.ts',
      staking: 'client/staking-entry.ts',
    },
    manifest: {
      exports: {
        '.': { types: './types/client/package-entry.d.ts', default: './dist/client.js' },
        './staking': { types: './types/client/staking-entry.d.ts', default: './dist/staking.js' },
        './verifier': {
          types: './types/client/verify-transaction-bytes.d.ts',
          default: './dist/verifier.js',
        },
      },
    },
    usage: `Save as \`epoch.mjs\` with the address of the service that you have this package from, and run it with Node:

\`\`\`js
import { createHoldfastClient, HoldfastError } from '${PACKAGE_NAME}';

const client = createHoldfastClient({ baseUrl: 'http://127.0.0.1:3000' });
try {
  const { currentEpoch, estimatedEpochEnd } = await client.epoch();
  console.log(currentEpoch, estimatedEpochEnd);
} catch (error) {
  if (!(error instanceof HoldfastError)) throw error;
  console.error(error.errorCode, error.message);
}
\`\`\`

A whole file that stakes: \`/docs/guides/quick-start\` of the service. All methods: \`/docs/guides/client\` and \`/docs/reference\`.`,
  },
  holdfast: {
    name: '@holdfast-sol/holdfast',
    description:
      'Command line of Holdfast, a self-hosted native SOL staking service; signs on your own machine.',
    entries: { holdfast: 'cli/main.ts' },
    manifest: { bin: { holdfast: './dist/holdfast.js' } },
    usage:
      '```sh\nnpx --no holdfast help\n```\n\nIts guide: `/docs/guides/cli` of the service that you have this package from.',
  },
};

/** Builds the manifest, which has no dependencies. */
export const packageManifest = (kind: PackageKind, version: string): string => {
  const { name, description, manifest } = packages[kind];
  const engines = { node: `>=${OLDEST_NODE}` };
  return `${JSON.stringify({ name, version, description, license: 'Apache-2.0', type: 'module', engines, ...manifest }, null, 2)}\n`;
};

/** Builds the readme that npm shows. */
export const packageReadme = (kind: PackageKind): string =>
  `# ${packages[kind].name}\n\n${packages[kind].description} No dependencies.\n\n${packages[kind].usage}\n`;

const LICENSE_FILE = /^(licen[cs]e|copying)(\.\w+)?$/i;

const licenseText = (folder: string, license: string): string => {
  const file = readdirSync(folder).find((name) => LICENSE_FILE.test(name));
  return file === undefined
    ? `License: ${license}. The package contains no license text.`
    : readFileSync(join(folder, file), 'utf8').trim();
};

/** Builds the list of names, versions and license texts of bundled packages, which their licenses require. */
export const thirdPartyNotices = (folders: readonly string[]): string =>
  folders
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
        name: string;
        version: string;
        license: string;
      };
      return `${name} ${version}\n\n${licenseText(folder, license)}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
