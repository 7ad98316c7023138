// Builds the page and the packages before the first start. Needed if the service may not write its own code,
// as under systemd.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { canBuild } from '../src/compose/open-page.ts';

const root = join(import.meta.dirname, '..');
for (const script of canBuild(root) ? ['build-page.ts', 'pack-client.ts'] : ['build-apart.ts'])
  execFileSync(process.execPath, [join(root, 'scripts', script)], { cwd: root, stdio: 'inherit' });
