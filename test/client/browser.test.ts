// Checks the client in a browser: its Vite bundle imports nothing from Node or the service and needs only a
// browser's globals.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { build } from 'vite';
import { readImports } from '../../scripts/checks/read-imports.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '..', '..');
const ENTRY = 'client/holdfast-client.ts';

/** Returns every module that `path` imports, directly or indirectly. */
const loaded = (path: string, found: Set<string> = new Set()): Set<string> => {
  if (found.has(path)) return found;
  found.add(path);
  for (const { specifier, isTypeOnly } of readImports(readFileSync(join(root, path), 'utf8'))) {
    if (isTypeOnly) continue;
    if (specifier.startsWith('.')) loaded(relative(root, resolve(root, path, '..', specifier)), found);
    else found.add(specifier);
  }
  return found;
};

test('the client loads only files from its own folder, and none from Node, packages or the service', () => {
  for (const entry of [ENTRY, 'client/watch-wallet.ts', 'client/sol-amount.ts', 'client/package-entry.ts'])
    for (const path of loaded(entry)) assert.match(path, /^client\//, path);
  assert.ok(loaded(ENTRY).size > 10);
});

test('every file in the folder belongs to the client or the staking flow, except for those listed here', () => {
  const used = loaded('client/package-entry.ts');
  const files = readdirSync(join(root, 'client'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => `client/${name.replaceAll('\\', '/')}`);
  const holdsTypes = (file: string): boolean =>
    ['client/operation-facts.ts', 'client/staking/prepared-transaction.ts'].includes(file) ||
    /^client\/generated\/\w+-(operations|types)\.ts$/.test(file);
  assert.deepEqual(
    files.filter(
      (file) => !used.has(file) && !holdsTypes(file) && !loaded('client/staking-entry.ts').has(file),
    ),
    // Only `holdfast verify` and its script use the verifier, only the command line and the page use the
    // version, and only `holdfast mcp` uses the tools. The file of webhook events contains only types.
    [
      'client/verifier-request.ts',
      'client/verify-transaction-bytes.ts',
      'client/version.ts',
      'client/generated/mcp-tools.ts',
      'client/generated/webhook-events.ts',
    ],
  );
});

test('the client’s bundle calls the service using only a browser’s globals', async (t) => {
  const outDir = temporaryFolder(t);
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    build: {
      outDir,
      emptyOutDir: false,
      minify: false,
      lib: { entry: join(root, ENTRY), formats: ['iife'], name: 'holdfast', fileName: () => 'client.js' },
    },
  });
  const code = readFileSync(join(outDir, 'client.js'), 'utf8');
  const seen: { url: string; init: RequestInit }[] = [];
  const page = createContext({
    // The globals of a page served over plain HTTP from another machine, where `randomUUID` does not exist.
    crypto: { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes) },
    AbortController,
    AbortSignal,
    URL,
    URLSearchParams,
    Headers,
    setTimeout,
    clearTimeout,
    fetch: (url: string, init: RequestInit) => {
      seen.push({ url, init });
      return Promise.resolve(new Response('{"transaction":"AAAA"}', { status: 200 }));
    },
  });
  runInContext(code, page);
  const call = runInContext(
    `holdfast.createHoldfastClient({ baseUrl: 'https://stake.example.org' })
       .createStakeTransaction({ walletAddress: 'x', amountSol: 2 })`,
    page,
  ) as Promise<{ transaction: string }>;
  assert.equal((await call).transaction, 'AAAA');
  assert.equal(seen[0]!.url, 'https://stake.example.org/api/v1/stake/transaction');
  assert.match((seen[0]!.init.headers as Record<string, string>)['idempotency-key']!, /^[0-9a-f]{32}$/);
  assert.equal(seen[0]!.init.credentials, 'omit');
});
