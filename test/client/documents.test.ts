// The documents of client and command line: their code runs as it stands, and their command lines are ones that the program takes.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { commands } from '../../cli/all-commands.ts';
import { parseCommandLine } from '../../cli/parse-command-line.ts';
import { PACKAGE_NAME } from '../../scripts/pack/package-files.ts';
import { spawnProcess } from '../support/spawned-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { walletOfSeed } from '../support/wallets.ts';
import { sharedSandboxService } from './sandbox-service.ts';

const shared = sharedSandboxService({ before, after });
const root = join(import.meta.dirname, '..', '..');
const documentText = (name: string): string => readFileSync(join(root, 'docs', name), 'utf8');
const blocks = (name: string, language: string): string[] =>
  [...documentText(name).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, code]) => code!,
  );

test('the code of client.md runs from top to bottom against a service', async (t) => {
  const seed = randomBytes(32);
  const wallet = walletOfSeed(Uint8Array.from(seed));
  await shared().client.sandboxAirdrop({ walletAddress: wallet.walletAddress, amountSol: 5 });
  const [first, ...rest] = blocks('client.md', 'js');
  assert.equal(rest.length, 4);
  const from = (path: string): string => JSON.stringify(join(root, path));
  const file = join(temporaryFolder(t), 'document.mjs');
  writeFileSync(
    file,
    [
      `import { signedBy, walletOfSeed } from ${from('test/support/wallets.ts')};`,
      `import { verifyTransactionBytes } from ${from('client/verify-transaction-bytes.ts')};`,
      `import { isHoldfastError, solToLamports, watchWallet } from ${from('client/package-entry.ts')};`,
      'const wallet = walletOfSeed(new Uint8Array(JSON.parse(process.argv[2])));',
      'const { walletAddress } = wallet;',
      'const sign = (transaction) => signedBy(wallet, transaction);',
      'const signMessage = (message) => wallet.sign(message);',
      first!
        .replace(`'${PACKAGE_NAME}'`, from('client/package-entry.ts'))
        .replace('http://127.0.0.1:3000', shared().service.url),
      ...rest.map((block) => block.replace(`'${PACKAGE_NAME}/staking'`, from('client/staking-entry.ts'))),
      'process.exit(0);',
    ].join('\n'),
  );
  const process = spawnProcess(t, { file, args: [JSON.stringify([...seed])] });
  const { code } = await process.ended;
  assert.equal(code, 0, process.stderr);
  assert.match(process.stdout, /^5 true 0 \d+$/m);
  assert.match(process.stdout, /^watching \d{4}-/m);
  assert.match(process.stdout, /^400 /m);
});

test('every command line of cli.md is one that the program takes', () => {
  const lines = blocks('cli.md', 'sh')
    .flatMap((block) => block.split('\n'))
    .filter((line) => line.startsWith('holdfast '));
  assert.ok(lines.length > 10);
  for (const line of lines) {
    const { command } = parseCommandLine(line.split(' ').slice(1), commands);
    assert.ok(command, line);
  }
});

test('cli.md names every command, and the documents say that nothing is published', () => {
  const text = documentText('cli.md');
  for (const { name } of commands.filter((command) => command.name !== 'help'))
    assert.ok(text.includes(`\`${name}`), name);
  for (const name of ['cli.md', 'client.md']) assert.match(documentText(name), /\*\*not published\*\*/);
  const [{ mcpServers }] = blocks('cli.md', 'json').map((json) => JSON.parse(json)) as [
    { mcpServers: { holdfast: { args: string[] } } },
  ];
  assert.equal(parseCommandLine(mcpServers.holdfast.args.slice(1), commands).command?.name, 'mcp');
});
