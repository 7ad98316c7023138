// Checks that spawned processes get a clean environment, that tests can wait for their output, and that none is
// left behind.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from './free-port.ts';
import { SpawnedProcess, spawnProcess } from './spawned-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

const script = (t: Parameters<typeof temporaryFolder>[0], text: string): string => {
  const path = join(temporaryFolder(t), 'script.ts');
  writeFileSync(path, text);
  return path;
};

const stayAlive = 'process.stdin.resume(); setInterval(() => {}, 1_000);';

test('a process sees only its own settings', async (t) => {
  process.env.HOLDFAST_LEAKED = 'yes';
  t.after(() => {
    delete process.env.HOLDFAST_LEAKED;
  });
  const file = script(
    t,
    'console.log(JSON.stringify([process.env.HOLDFAST_LEAKED ?? null, process.env.PORT, process.argv[2]]));',
  );
  const spawned = spawnProcess(t, { file, args: ['a b'], env: { PORT: '7' } });
  assert.deepEqual(await spawned.ended, { code: 0, signal: null });
  assert.deepEqual(JSON.parse(spawned.stdout), [null, '7', 'a b']);
});

test('waiting for a line ends with the line, from either stream', async (t) => {
  const file = script(t, `console.log('listening on 123'); console.error('warned'); ${stayAlive}`);
  const spawned = spawnProcess(t, { file });
  assert.equal((await spawned.output(/listening on (\d+)/))[1], '123');
  await spawned.output(/warned/);
  assert.equal(spawned.hasEnded, false);
});

test('waiting for a line that is never printed fails with the output', async (t) => {
  const spawned = spawnProcess(t, { file: script(t, "console.error('broken'); process.exitCode = 3;") });
  await assert.rejects(spawned.output(/listening/), /ended without printing[\s\S]*broken/);
  assert.equal((await spawned.ended).code, 3);
});

test('waiting stops when its signal is aborted', async (t) => {
  const spawned = spawnProcess(t, { file: script(t, stayAlive) });
  await assert.rejects(spawned.output(/never/, AbortSignal.abort()), /no output matched/);
});

test('a process ends with its scope, even if it ignores SIGTERM', async (t) => {
  const cleanUps: (() => void | Promise<void>)[] = [];
  const file = script(t, `process.on('SIGTERM', () => {}); console.log('up'); ${stayAlive}`);
  const spawned = spawnProcess({ after: (cleanUp) => cleanUps.push(cleanUp) }, { file });
  await spawned.output(/up/);
  for (const cleanUp of cleanUps) await cleanUp();
  assert.deepEqual(await spawned.ended, { code: null, signal: 'SIGKILL' });
});

test('stop returns how the process ended', async (t) => {
  const file = script(t, `process.once('SIGTERM', () => process.exit(4)); console.log('up'); ${stayAlive}`);
  const spawned = new SpawnedProcess({ file });
  await spawned.output(/up/);
  assert.deepEqual(await spawned.stop(), { code: 4, signal: null });
  assert.deepEqual(await spawned.stop(), { code: 4, signal: null });
});

test('freePort returns a port that is not in use and can be listened on', async () => {
  const port = await freePort();
  await assert.rejects(
    new Promise((resolve, reject) =>
      connect(port, '127.0.0.1').once('connect', resolve).once('error', reject),
    ),
    { code: 'ECONNREFUSED' },
  );
  const server = createServer();
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, '127.0.0.1', resolve),
  );
  server.close();
});
