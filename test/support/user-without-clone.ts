// The environment of a user without a clone of the repository: an empty folder with the packages that a running
// service serves, and the lines that its guides print.
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cleanEnvironment } from './spawned-process.ts';
import { type Scope, temporaryFolder } from './temporary-folder.ts';

const root = join(import.meta.dirname, '..', '..');
/** A registry URL at which every npm request fails. */
const NO_REGISTRY = 'http://127.0.0.1:9';

/**
 * Returns the environment of such a user's shell: the current Node first in PATH, no state from earlier runs,
 * no registry.
 */
export const outsiderEnvironment = (folder: string): Record<string, string> => {
  const env = cleanEnvironment() as Record<string, string>;
  return {
    ...env,
    PATH: `${dirname(process.execPath)}${delimiter}${env.PATH}`,
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, '.config'),
    npm_config_registry: NO_REGISTRY,
    npm_config_cache: join(folder, '.npm'),
    npm_config_ignore_scripts: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
};

/**
 * Creates an empty folder in which both packages of the service are installed, as a module project. The
 * packages in `linked` are added as if they came from a registry.
 */
export const outsiderFolder = async (
  scope: Scope,
  serviceUrl: string,
  linked: readonly string[] = [],
): Promise<string> => {
  const folder = temporaryFolder(scope);
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const { packages } = (await (await fetch(`${serviceUrl}/packages.json`)).json()) as {
    packages: { file: string }[];
  };
  // Does not block, because the service that serves the packages may run in this process.
  await promisify(execFile)('npm', ['install', ...packages.map(({ file }) => `${serviceUrl}/${file}`)], {
    cwd: folder,
    env: outsiderEnvironment(folder),
  });
  for (const name of linked) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  return folder;
};

/** Returns the text content of the service's own markup. */
export const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** Returns every code block of a guide as the service prints it, in order. */
export const guideCode = async (serviceUrl: string, guide: string): Promise<string[]> => {
  const page = await (await fetch(`${serviceUrl}/docs/guides/${guide}`)).text();
  return [...page.matchAll(/<pre[^>]*><code>([\s\S]*?)<\/code><\/pre>/g)].map(([, code]) => unescaped(code!));
};
