// Writes an SBOM and a license list, and fails on an unknown license, a package younger than a week, or a known
// vulnerability.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readOptions } from './command-options.ts';
import { type AcceptedPackages, checkAges } from './supply-chain/check-ages.ts';
import { checkLicenses } from './supply-chain/check-licenses.ts';
import { publicationTimes, readAudit, readSbom } from './supply-chain/npm-commands.ts';

const USAGE = `Usage: npm run supply-chain [-- --out FOLDER] [--accept]

Writes sbom.cdx.json (CycloneDX) and licenses.tsv of all packages in package-lock.json into FOLDER (default: supply-chain). Fails on an unknown
license, a new package younger than a week, or a known vulnerability. Looks up the age of packages that are not in accepted-packages.json yet;
--accept adds those that are old enough.`;

const { values } = readOptions(USAGE, {
  options: {
    out: { type: 'string', default: 'supply-chain' },
    accept: { type: 'boolean', default: false },
    root: { type: 'string', default: join(import.meta.dirname, '..') },
  },
});
const root = resolve(values.root);
const out = resolve(root, values.out);
const acceptedPath = join(root, 'scripts', 'supply-chain', 'accepted-packages.json');
const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string };

const sbom = readSbom(root, name);
const licenses = checkLicenses(sbom.components);
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 1)}\n`);
writeFileSync(join(out, 'licenses.tsv'), `${licenses.list}\n`);
console.log(
  `${sbom.components.length} packages: ${join(out, 'sbom.cdx.json')}, ${join(out, 'licenses.tsv')}`,
);

const ages = await checkAges(
  sbom.components,
  JSON.parse(readFileSync(acceptedPath, 'utf8')) as AcceptedPackages,
  publicationTimes(root),
  Date.now(),
);
console.log(`ages: ${ages.lookedUp} new packages looked up, ${Object.keys(ages.accepted).length} accepted`);
if (values.accept)
  writeFileSync(
    acceptedPath,
    `${JSON.stringify(Object.fromEntries(Object.entries(ages.accepted).toSorted(([a], [b]) => (a < b ? -1 : 1))), null, 1)}\n`,
  );

const audit = readAudit(root);
if ('unavailable' in audit)
  console.log(`known vulnerabilities: NOT CHECKED, because the registry has no audit (${audit.unavailable})`);
else console.log(`known vulnerabilities: ${audit.problems.length}`);

const problems = [...licenses.problems, ...ages.problems, ...('problems' in audit ? audit.problems : [])];
for (const problem of problems) console.error(`✗ ${problem}`);
console.log(
  problems.length === 0 ? 'supply chain: no problems' : `supply chain: ${problems.length} problems`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
