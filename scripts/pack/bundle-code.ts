// Bundles client, verifier and command line into plain JavaScript that needs no other package.
import { join } from 'node:path';
import { build, type Plugin } from 'vite';

/** The oldest Node that it is made for and was tried on (20.20, 2026-11), whatever the service itself needs. */
export const OLDEST_NODE = 20;

/** Folder of the package that a module belongs to; undefined for our own. */
const packageOf = (id: string): string | undefined =>
  /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id.replaceAll('\\', '/'))?.[1];

/** Comments name modules by their place, which is another where the tools are installed apart; the bytes must not be. */
const samePlaces: Plugin = {
  name: 'same-places',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'chunk')
        file.code = file.code.replaceAll(
          /^(\s*\/\/(?:#region)? ?)(?:\.\.\/)+node_modules\//gm,
          '$1node_modules/',
        );
  },
};

/** Notes the packages of whose code something remains after unused parts were dropped. */
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

/** Bundles `entries`, by the name of the file that each becomes, into `outDir`; gives the folders of the packages whose code went in. */
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
    // Everything inside, nothing to install.
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
