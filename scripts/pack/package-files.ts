// The files around the packed code: manifest, read-me, and the licences of what was bundled.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OLDEST_NODE } from './bundle-code.ts';

/** Under a scope, so that nobody else can own the bare name. Not published: see docs/client.md. */
export const PACKAGE_NAME = '@holdfast-sol/client';

/** The manifest: no dependencies, one command. */
export const packageManifest = (version: string): string =>
  `${JSON.stringify(
    {
      name: PACKAGE_NAME,
      version,
      description:
        'Typed client, transaction verifier and command line of Holdfast, a self-hosted native SOL staking service.',
      license: 'Apache-2.0',
      type: 'module',
      engines: { node: `>=${OLDEST_NODE}` },
      bin: { holdfast: './dist/holdfast.js' },
      exports: {
        '.': { types: './types/client/package-entry.d.ts', default: './dist/client.js' },
        './staking': { types: './types/client/staking-entry.d.ts', default: './dist/staking.js' },
        './verifier': {
          types: './types/client/verify-transaction-bytes.d.ts',
          default: './dist/verifier.js',
        },
      },
      files: ['dist', 'types', 'THIRD-PARTY-NOTICES'],
      publishConfig: { access: 'public' },
    },
    null,
    2,
  )}\n`;

/** What npm shows. */
export const packageReadme = (): string => `# ${PACKAGE_NAME}

Typed client, transaction verifier and command line of Holdfast. No dependencies.

\`\`\`js
import { createHoldfastClient, HoldfastError } from '${PACKAGE_NAME}';

const client = createHoldfastClient({ baseUrl: 'http://127.0.0.1:3000' });
console.log(await client.epoch());
\`\`\`

\`\`\`sh
holdfast help
\`\`\`
`;

const LICENCE_FILE = /^(licen[cs]e|copying)(\.\w+)?$/i;

const licenceText = (folder: string, licence: string): string => {
  const file = readdirSync(folder).find((name) => LICENCE_FILE.test(name));
  return file === undefined
    ? `Licence: ${licence}. The package carries no licence text.`
    : readFileSync(join(folder, file), 'utf8').trim();
};

/** Names, versions and licence texts of bundled packages, as their terms ask. */
export const thirdPartyNotices = (folders: readonly string[]): string =>
  folders
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
        name: string;
        version: string;
        license: string;
      };
      return `${name} ${version}\n\n${licenceText(folder, license)}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
