// Runs every check that is not a test: types, declarations of the packed client, lint, format, layers, import
// cycles, files, packages, the generated client, the settings in docs/settings.md, and links.
import { join } from 'node:path';
import { checkLinks, checkSettingsTable } from './checks/documents.ts';
import { checkFiles } from './checks/files.ts';
import { checkLayers } from './checks/layers.ts';
import { checkPackages } from './checks/packages.ts';
import { checkReserved } from './checks/reserved-apis.ts';
import { runTool } from './checks/run-tool.ts';
import { checkGeneratedClient } from './client/generated-client.ts';
import { checkTypes } from './pack/write-declarations.ts';

const root = join(import.meta.dirname, '..');
const results = [
  ...(await Promise.all([
    runTool(root, 'types (tsc)', 'typescript/bin/tsc', ['-p', '.']),
    runTool(root, 'types of the page (tsc)', 'typescript/bin/tsc', ['-p', 'web']),
    runTool(root, 'lint and format (biome)', '@biomejs/biome/bin/biome', [
      'check',
      '--max-diagnostics=200',
      '.',
    ]),
    checkTypes(root),
  ])),
  checkLayers(root),
  checkReserved(root),
  checkFiles(root),
  checkPackages(root),
  checkGeneratedClient(root),
  checkSettingsTable(root),
  checkLinks(root),
];
for (const { name, problems, notes } of results) {
  console.log(
    `${problems.length === 0 ? '✓' : '✗'} ${name}${notes.length > 0 ? `: ${notes.join('; ')}` : ''}`,
  );
  for (const problem of problems) console.log(problem.replaceAll(/^/gm, '    '));
}
const failed = results.filter(({ problems }) => problems.length > 0).length;
console.log(`checks: ${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
