// Bundles the page's sources with Vite and records which of our files were used.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, type Manifest, type Plugin } from 'vite';
import { sha256 } from '../../src/compose/open-page.ts';
import { compileWords } from './compile-words.ts';

/** Oldest browsers that support `light-dark()`, which the styles use. */
const BROWSERS = ['chrome123', 'firefox128', 'safari17.5'];

interface Bundle {
  /** Uncompressed bytes by path below the page's folder. */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly manifest: Manifest;
  /**
   * SHA-256 (hex) of our source files, taken before Vite read them, by path below the root. Packages are not
   * included, because the lock file fixes their versions.
   */
  readonly sources: ReadonlyMap<string, string>;
}

const MANIFEST = 'manifest.json';

/**
 * Hashes files before Vite reads them. If a file changes in between, its hash is that of the old content, so
 * the next run builds again.
 */
const sourceRecorder = (root: string, sources: Map<string, string>): Plugin => ({
  name: 'holdfast-sources',
  enforce: 'pre',
  load(id) {
    const path = relative(root, id.replace(/[?\0].*$/, '')).replaceAll('\\', '/');
    if (path === '' || path.startsWith('..') || path.includes('node_modules') || id.startsWith('\0'))
      return null;
    if (!sources.has(path)) sources.set(path, sha256(readFileSync(join(root, path))));
    return null;
  },
});

/**
 * Runs Vite for one document below `web/` and writes the result to `outDir`, which may already contain files.
 * Rejects with Vite's own message.
 */
export const bundle = async (root: string, outDir: string, document = 'index.html'): Promise<Bundle> => {
  const sources = new Map<string, string>();
  await build({
    configFile: false,
    root: join(root, 'web'),
    base: '/',
    publicDir: false,
    logLevel: 'warn',
    cacheDir: join(root, 'node_modules', '.cache', 'vite'),
    plugins: [react(), sourceRecorder(root, sources), compileWords()],
    build: {
      outDir,
      emptyOutDir: true,
      manifest: MANIFEST,
      target: BROWSERS,
      cssTarget: BROWSERS,
      // The security policy forbids the inline script of a polyfill, and all supported browsers preload modules
      // natively.
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rolldownOptions: {
        input: join(root, 'web', document),
        // Puts all modules that every view loads into one chunk. The total is smaller than with one chunk per
        // set of views that share a module.
        output: { codeSplitting: { groups: [{ name: 'page', tags: ['$initial'] }] } },
      },
    },
  });
  const paths = readdirSync(outDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(outDir, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  const files = new Map(paths.map((path) => [path, readFileSync(join(outDir, path))]));
  const manifest = JSON.parse(files.get(MANIFEST)!.toString()) as Manifest;
  files.delete(MANIFEST);
  return { files, manifest, sources };
};
