// Bundles client, verifier and command line into plain JavaScript that needs no other package.
import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import manifest from '../../package.json' with { type: 'json' };

/**
 * Oldest Node version that the packages support, the same as for this repository. The service itself installs a
 * newer one.
 */
export const OLDEST_NODE = manifest.engines.node.replace('>=', '');

/** Returns the folder of the package that a module belongs to; undefined for our own modules. */
const packageOf = (id: string): string | undefined =>
  /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id.replaceAll('\\', '/'))?.[1];

/**
 * Removes module paths from comments, because they depend on where the tools are installed, but the bundle's
 * bytes must not.
 */
const samePlaces: Plugin = {
  name: 'same-places',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'chunk')
        file.code = file.code.replaceAll(
          /^(\s*\/\/(?:#region)? ?)(?:\.\.\/)+(?:.*?\/)?node_modules\//gm,
          '$1node_modules/',
        );
  },
};

/** Lists the packages that still contribute code after tree shaking. */
const notePackages = (packages: Set<string>): Plugin => ({
  name: 'note-packages',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue;
      for (const [id, { renderedLength }] of Object.entries(file.modules)) {
        const folder = packageOf(id);
        if (folder !== undefined && renderedLength > 0) packages.add(folder);
      }
    }
  },
});

/**
 * Bundles `entries` (sources by output file name) into `outDir`. Returns the folders of all bundled packages.
 */
export const bundleCode = async (
  root: string,
  outDir: string,
  entries: Readonly<Record<string, string>>,
): Promise<readonly string[]> => {
  const packages = new Set<string>();
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    // All dependencies are bundled.
    ssr: { noExternal: true, target: 'node' },
    plugins: [notePackages(packages), samePlaces],
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      target: `node${OLDEST_NODE}`,
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(root, path)])),
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
      },
    },
  });
  return [...packages].sort();
};
