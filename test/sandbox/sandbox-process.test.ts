// Checks the sandbox's child process: it is ready once clients can use it, ends when its parent ends, and
// clearly reports why it cannot start.

import assert from 'node:assert/strict';
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { SandboxMessage } from '../../sandbox/main.ts';
import { SandboxUnavailableError, startSurfnet } from '../../sandbox/surfnet.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MAIN = fileURLToPath(new URL('../../sandbox/main.ts', import.meta.url));
const ENV = { PATH: process.env.PATH, HOLDFAST_SANDBOX_EPOCH_SECONDS: '0', HOLDFAST_SANDBOX_SLOT_MS: '20' };

function forkSandbox(env: Record<string, string | undefined> = {}): ChildProcess {
  return fork(MAIN, [], { env: { ...ENV, ...env }, execArgv: [] });
}

async function firstMessage(child: ChildProcess): Promise<SandboxMessage> {
  const [message] = (await once(child, 'message')) as [SandboxMessage];
  return message;
}

async function callOf(rpcUrl: string, method: string): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method });
  const headers = { 'content-type': 'application/json' };
  return (await fetch(rpcUrl, { method: 'POST', headers, body })).json();
}

const slotOf = (rpcUrl: string): Promise<unknown> => callOf(rpcUrl, 'getSlot');

test('a forked sandbox can be used as soon as it reports ready, and its parent ends it cleanly', async () => {
  const child = forkSandbox();
  const exited = once(child, 'exit');
  const message = await firstMessage(child);
  assert.equal(message.type, 'ready');
  assert.ok(message.type === 'ready' && message.chain === 'new');
  assert.ok('result' in ((await slotOf(message.rpcUrl)) as object));
  child.disconnect();
  assert.deepEqual(await exited, [0, null]);
  await assert.rejects(slotOf(message.rpcUrl));
});

test('a forked sandbox whose parent ends during startup does not start', async () => {
  const child = forkSandbox();
  const exited = once(child, 'exit');
  await once(child, 'spawn');
  child.disconnect();
  assert.deepEqual(await exited, [0, null]);
});

test('a signal to the whole process group does not end a forked sandbox, which its parent ends', async () => {
  const child = forkSandbox();
  const exited = once(child, 'exit');
  const message = await firstMessage(child);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    child.kill(signal);
    assert.ok(message.type === 'ready' && 'result' in ((await slotOf(message.rpcUrl)) as object), signal);
  }
  child.disconnect();
  assert.deepEqual(await exited, [0, null]);
});

test('without IPC, the ready message is one line of JSON, and the sandbox ends when stdin closes', async () => {
  const child = spawn(process.execPath, [MAIN], { env: ENV, stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  const [line] = chunk.toString('utf8').split('\n');
  assert.equal((JSON.parse(line ?? '') as SandboxMessage).type, 'ready');
  child.stdin.end();
  assert.deepEqual(await exited, [0, null]);
});

test('an invalid setting prevents startup and is named', async () => {
  const child = forkSandbox({ HOLDFAST_SANDBOX_SLOT_MS: 'soon' });
  const exited = once(child, 'exit');
  const message = await firstMessage(child);
  assert.ok(message.type === 'failed' && message.reason === 'error');
  assert.match(message.message, /HOLDFAST_SANDBOX_SLOT_MS/);
  assert.deepEqual(await exited, [1, null]);
});

test('a forked sandbox’s network is busy from the start if its environment says so', async () => {
  const child = forkSandbox({ HOLDFAST_SANDBOX_BUSY: 'on' });
  const exited = once(child, 'exit');
  const message = await firstMessage(child);
  assert.ok(message.type === 'ready');
  for (let price = 0; price === 0; ) {
    const { result } = (await callOf(message.rpcUrl, 'getRecentPrioritizationFees')) as {
      result: { prioritizationFee: number }[];
    };
    price = result.at(-1)!.prioritizationFee;
  }
  child.disconnect();
  assert.deepEqual(await exited, [0, null]);
});

test('on a platform without a native runtime, the error recommends using another cluster', async () => {
  for (const platform of [
    'win32-x64',
    'sunos-sparc',
    process.platform === 'linux' ? 'darwin-arm64' : 'linux-x64',
  ]) {
    await assert.rejects(
      startSurfnet({ platform }),
      (cause: unknown) =>
        cause instanceof SandboxUnavailableError &&
        ['HOLDFAST_RPC_URL', 'HOLDFAST_VOTE_ACCOUNT', 'HOLDFAST_MEMO', 'HOLDFAST_DONATION_ADDRESS'].every(
          (name) => cause.message.includes(name),
        ),
    );
  }
});

test('a runtime whose port was taken by another process is started again', async (t) => {
  const marker = join(temporaryFolder(t), 'failed');
  process.env.SURFNET_FAILED_ONCE = marker;
  t.after(() => delete process.env.SURFNET_FAILED_ONCE);
  const surfnet = await startSurfnet({
    program: new URL('../support/surfnet-port-taken.ts', import.meta.url),
  });
  t.after(() => surfnet.stop());
  assert.ok(existsSync(marker));
  assert.ok('result' in ((await slotOf(surfnet.rpcUrl)) as object));
  await surfnet.stop();
  await assert.rejects(slotOf(surfnet.rpcUrl));
});
