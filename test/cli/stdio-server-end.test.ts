// Checks that the local MCP server's process ends on a signal, even if the signal arrives before the server has
// started.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { cleanEnvironment } from '../support/spawned-process.ts';

/** Runs the server in a separate process whose stdin stays open. `stop` is code that aborts the server. */
const serve = (t: TestContext, stop: string) => {
  const script = `
    const { serveStdioUntilEnd } = await import(${JSON.stringify(join(import.meta.dirname, '../../cli/mcp/stdio-server.ts'))});
    const remote = { request: () => Promise.reject(new Error('away')) };
    const clock = { now: () => 0, sleep: () => new Promise(() => undefined) };
    const stop = new AbortController();
    ${stop}
    await serveStdioUntilEnd({ remote, local: null, clock, report: console.error }, stop.signal);
    process.stdout.write('ended');
    process.exit(0);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { env: cleanEnvironment() });
  t.after(() => child.kill('SIGKILL'));
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const ended = new Promise<number | null>((end) => child.once('close', end));
  return { child, ended, printed: () => printed };
};

test('a signal ends the server even while its modules load or its input is open', async (t) => {
  for (const stop of ['stop.abort();', 'setImmediate(() => stop.abort());']) {
    const { ended, printed } = serve(t, stop);
    assert.equal(await ended, 0, stop);
    assert.equal(printed(), 'ended');
  }
});

test('the server ends when its input ends', async (t) => {
  const { child, ended, printed } = serve(t, '');
  child.stdin.end();
  assert.equal(await ended, 0);
  assert.equal(printed(), 'ended');
});
