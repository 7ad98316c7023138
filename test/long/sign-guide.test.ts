// Checks the signing guide of a running service: its code is saved as printed, and stakes in Node and in a real
// browser.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Keypair } from '@solana/web3.js';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { PACKAGE_NAME } from '../../scripts/pack/package-files.ts';
import { sharedSandboxService } from '../client/sandbox-service.ts';
import { browserSkip, sharedBrowser } from '../support/browser.ts';
import { spawnProcess } from '../support/spawned-process.ts';
import { type Scope, temporaryFolder } from '../support/temporary-folder.ts';
import { unescaped } from '../support/user-without-clone.ts';

const shared = sharedSandboxService({ before, after });
const openBrowser = sharedBrowser({ before, after });
const root = join(import.meta.dirname, '..', '..');
const cleanUps: (() => void | Promise<void>)[] = [];
const scope: Scope = { after: (cleanUp) => void cleanUps.push(cleanUp) };
after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

let folder = '';
let guide = '';
const variant = (label: string): string =>
  unescaped(new RegExp(`data-label="${label}">[\\s\\S]*?<code>([\\s\\S]*?)</code>`).exec(guide)![1]!);

const prepare = async (): Promise<void> => {
  folder = temporaryFolder(scope);
  guide = await (await fetch(`${shared().service.url}/docs/guides/sign`)).text();
  const from = (path: string): string => `export * from ${JSON.stringify(join(root, path))};`;
  // Loads the client from its sources. A test of the package proves that its contents are the same.
  write(
    join(folder, 'client/package.json'),
    JSON.stringify({
      name: PACKAGE_NAME,
      type: 'module',
      exports: { '.': './index.ts', './verifier': './verifier.ts' },
    }),
  );
  write(join(folder, 'client/index.ts'), from('client/package-entry.ts'));
  write(join(folder, 'client/verifier.ts'), from('client/verify-transaction-bytes.ts'));
  write(join(folder, 'package.json'), '{"type":"module"}');
  mkdirSync(join(folder, 'node_modules/@holdfast-sol'), { recursive: true });
  mkdirSync(join(folder, 'node_modules/@solana'), { recursive: true });
  symlinkSync(join(folder, 'client'), join(folder, 'node_modules', PACKAGE_NAME));
  for (const name of ['@solana/kit', '@solana/web3.js', 'buffer', 'react', 'react-dom'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  const [, stake] = /<pre[^>]*><code>(import \{ createHoldfastClient[\s\S]*?)<\/code>/.exec(guide)!;
  write(join(folder, 'stake.js'), unescaped(stake!));
  write(join(folder, 'stake-with-adapter.js'), variant('wallet-adapter'));
  write(join(folder, 'stake-button.jsx'), variant('React'));
  write(
    join(folder, 'buffer.js'),
    unescaped(/<pre[^>]*><code>(import \{ Buffer[\s\S]*?)<\/code>/.exec(guide)![1]!),
  );
};
let prepared: Promise<void> | undefined;

const funded = async (): Promise<Keypair> => {
  prepared ??= prepare();
  await prepared;
  const wallet = Keypair.generate();
  await shared().client.sandboxAirdrop({ walletAddress: wallet.publicKey.toBase58(), amountSol: 5 });
  return wallet;
};

const stakedBy = async (wallet: Keypair): Promise<number> => {
  const { accounts } = await shared().client.listStakeAccounts({
    walletAddress: wallet.publicKey.toBase58(),
  });
  return accounts.length;
};

for (const label of ['kit', 'web3.js'])
  test(`the code for ${label} stakes when copied unchanged`, async (t) => {
    const wallet = await funded();
    writeFileSync(join(folder, 'wallet.json'), JSON.stringify([...wallet.secretKey]));
    writeFileSync(join(folder, `${label}.mjs`), variant(label));
    const run = spawnProcess(t, { file: join(folder, `${label}.mjs`), cwd: folder });
    assert.equal((await run.ended).code, 0, run.stderr);
    assert.match(run.stdout, /^[1-9A-HJ-NP-Za-km-z]{80,90}\n$/);
    assert.equal(await stakedBy(wallet), 1);
  });

test('the code for a partial unstake asks the user, and unstakes exactly the requested amount', async (t) => {
  const wallet = await funded();
  const { client } = shared();
  const walletAddress = wallet.publicKey.toBase58();
  writeFileSync(join(folder, 'wallet.json'), JSON.stringify([...wallet.secretKey]));
  writeFileSync(join(folder, 'before.mjs'), variant('kit'));
  assert.equal((await spawnProcess(t, { file: join(folder, 'before.mjs'), cwd: folder }).ended).code, 0);
  await client.sandboxEndEpochs({});
  const code = /<pre[^>]*><code>((?:(?!<\/code>)[\s\S])*askPerson[\s\S]*?)<\/code>/.exec(guide)![1]!;
  writeFileSync(join(folder, 'unstake.mjs'), unescaped(code));
  for (const [answer, exitCode, deactivatingSol] of [
    ['n', 1, 0],
    ['y', 0, 1],
  ] as const) {
    const run = spawnProcess(t, { file: join(folder, 'unstake.mjs'), cwd: folder, keepsInput: true });
    run.child.stdin!.write(`${answer}\n`);
    assert.equal((await run.ended).code, exitCode, run.stderr);
    assert.match(
      run.stdout,
      /^[1-9A-HJ-NP-Za-km-z]{32,44}: /,
      'names the account and what is unknown about it',
    );
    const { accounts } = await client.listStakeAccounts({ walletAddress });
    assert.equal(
      accounts.reduce((sum, one) => sum + one.deactivatingSol, 0),
      deactivatingSol,
    );
  }
});

test('a transaction with an effect other than the requested one is not given to the wallet', async (t) => {
  const wallet = await funded();
  writeFileSync(join(folder, 'wallet.json'), JSON.stringify([...wallet.secretKey]));
  writeFileSync(join(folder, 'wrong.mjs'), variant('kit'));
  const original = unescaped(
    /<pre[^>]*><code>(import \{ createHoldfastClient[\s\S]*?)<\/code>/.exec(guide)![1]!,
  );
  writeFileSync(
    join(folder, 'stake.js'),
    original.replace(/VOTE_ACCOUNT = '[^']+'/, `VOTE_ACCOUNT = '${wallet.publicKey}'`),
  );
  t.after(() => writeFileSync(join(folder, 'stake.js'), original));
  const run = spawnProcess(t, { file: join(folder, 'wrong.mjs'), cwd: folder });
  assert.notEqual((await run.ended).code, 0);
  assert.match(run.stderr, /not signed/);
  assert.equal(await stakedBy(wallet), 0);
});

describe('in a browser', { skip: browserSkip }, () => {
  test('the React button with the wallet-adapter lines stakes from a page of another origin', async (t) => {
    const wallet = await funded();
    // A stub of the adapter with the fields that the code uses, but without the wallet's window.
    write(
      join(folder, 'node_modules/@solana/wallet-adapter-react/index.js'),
      `import { Keypair } from '@solana/web3.js';
const wallet = Keypair.fromSecretKey(new Uint8Array(${JSON.stringify([...wallet.secretKey])}));
export const useWallet = () => ({
  publicKey: wallet.publicKey,
  signTransaction: async (transaction) => { transaction.sign([wallet]); return transaction; },
});`,
    );
    write(
      join(folder, 'node_modules/@solana/wallet-adapter-react/package.json'),
      '{"name":"@solana/wallet-adapter-react","type":"module","exports":"./index.js"}',
    );
    write(
      join(folder, 'app.jsx'),
      `import './buffer.js';
import { createRoot } from 'react-dom/client';
import { StakeButton } from './stake-button.jsx';
createRoot(document.body).render(<StakeButton amountSol={2} />);`,
    );
    await build({
      root: folder,
      configFile: false,
      logLevel: 'error',
      plugins: [react()],
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        outDir: join(folder, 'out'),
        minify: false,
        lib: { entry: join(folder, 'app.jsx'), formats: ['es'], fileName: () => 'app.js' },
      },
    });
    const server = createServer((request, response) => {
      const isScript = request.url === '/app.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(
        isScript
          ? readFileSync(join(folder, 'out/app.js'))
          : '<!doctype html><body><script type="module" src="/app.js"></script>',
      );
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    t.after(() => void server.close());
    const { port } = server.address() as { port: number };
    const { page } = await openBrowser(t, { url: `http://127.0.0.1:${port}` });
    await page.getByRole('button', { name: 'Stake 2 SOL' }).click();
    await page.getByText(/^Staked: /).waitFor();
    assert.equal(await stakedBy(wallet), 1);
  });
});
