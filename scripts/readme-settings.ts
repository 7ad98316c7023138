// Rewrites the README's table of settings from the code, so that the two cannot differ.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withSettingsTable } from '../src/config/help.ts';

const path = join(import.meta.dirname, '..', 'README.md');
const readme = withSettingsTable(readFileSync(path, 'utf8'));
if (readme === undefined) {
  console.error('README.md lacks the markers <!-- settings:start --> and <!-- settings:end -->');
  process.exitCode = 1;
} else {
  writeFileSync(path, readme);
}
