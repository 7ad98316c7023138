// Checks the process's own terminal: prompts go to stderr, an empty reply counts as no, and a pipe that closes
// early is not a failure.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { json, startScriptedService } from '../client/scripted-service.ts';
import { builds, signer, stakeBytes, VOTE_ACCOUNT } from '../support/honest-responses.ts';
import { cleanEnvironment } from '../support/spawned-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const here = join(import.meta.dirname, '../../cli/show');
const ASK = `
  const { processTerminal } = await import(${JSON.stringify(join(here, 'terminal.ts'))});
  const terminal = processTerminal(false);
  const answer = await terminal.ask('Sure? ', new AbortController().signal);
  terminal.out(JSON.stringify({ answer, canAsk: terminal.canAsk, painted: terminal.paintOut('red', 'x') }));
`;

/** Runs a Node process whose standard streams are pipes. */
const start = (t: TestContext, ...args: readonly string[]) => {
  const child = spawn(process.execPath, args, { env: cleanEnvironment(), stdio: 'pipe' });
  t.after(() => child.kill('SIGKILL'));
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
    });
  const ended = new Promise<number | null>((end) => child.once('close', end));
  return { child, printed, ended };
};

test('a prompt and its echo never go to stdout, which is reserved for the result', async (t) => {
  const { child, printed, ended } = start(t, '--input-type=module', '-e', ASK);
  child.stdin.end('  yés 漢\nmore\n');
  assert.equal(await ended, 0, printed.stderr);
  assert.deepEqual(JSON.parse(printed.stdout), { answer: '  yés 漢', canAsk: false, painted: 'x' });
  assert.match(printed.stderr, /Sure\? /);
});

test('a prompt without a reply returns an empty string, which does not count as yes', async (t) => {
  const { child, printed, ended } = start(t, '--input-type=module', '-e', ASK);
  child.stdin.end();
  assert.equal(await ended, 0, printed.stderr);
  assert.equal((JSON.parse(printed.stdout) as { answer: string }).answer, '');
});

test('an output that cannot be written is reported in one line with exit code 1', () => {
  const { status, stderr } = spawnSync('sh', ['-c', '"$0" cli/main.ts help > /dev/full', process.execPath], {
    encoding: 'utf8',
  });
  assert.equal(status, 1, stderr);
  assert.match(stderr, /^✗ The output could not be written: .*\n$/);
});

test('a reader that closes early ends the program silently', async (t) => {
  const { child, printed, ended } = start(t, join(here, '..', 'main.ts'), 'call');
  // Like `| head -0`: closed before the program prints anything.
  child.stdout.destroy();
  assert.equal(await ended, 0);
  assert.equal(printed.stderr, '');
});

test('if the reader of stdout closes during a stake, the command does not report success and shows the signature and key', async (t) => {
  const identity = { genesisHash: GENESIS, voteAccount: VOTE_ACCOUNT, donationAddress: null, memo: 'x' };
  const { url } = await startScriptedService(t, [json(200, { identity }), builds(stakeBytes()), 'hang']);
  const keypair = join(temporaryFolder(t), 'wallet.json');
  const seed = new Uint8Array(32).fill(1);
  writeFileSync(keypair, JSON.stringify([...seed, ...signer.publicKeyBytes]), { mode: 0o600 });
  const at = ['--url', url, '--keypair', keypair, '--vote', VOTE_ACCOUNT, '--idempotency-key', 'my-key'];
  const { child, printed, ended } = start(t, join(here, '..', 'main.ts'), 'stake', '2', '--yes', ...at);
  child.stdout.destroy();
  assert.equal(await ended, 130, printed.stderr);
  assert.match(
    printed.stderr,
    /The transaction was signed and may still land\..*holdfast verify \w{87,88}.*my-key/,
  );
});
