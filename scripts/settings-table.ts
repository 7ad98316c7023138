// Updates the settings table in docs/settings.md from the code.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withSettingsTable } from '../src/config/settings-help.ts';

const path = join(import.meta.dirname, '..', 'docs', 'settings.md');
const page = withSettingsTable(readFileSync(path, 'utf8'));
if (page === undefined) {
  console.error('docs/settings.md lacks the markers <!-- settings:start --> and <!-- settings:end -->');
  process.exitCode = 1;
} else {
  writeFileSync(path, page);
}
