// Startup time from spawn to the first 200 response, compared with a bare Node process that loads the same modules
// and exits.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startSandbox } from '../sandbox/sandbox.ts';
import { freePort } from '../test/support/free-port.ts';
import { settingsFor } from '../test/support/service-fixture.ts';
import { cleanEnvironment, spawnProcess } from '../test/support/spawned-process.ts';
import { type Scope, temporaryFolder } from '../test/support/temporary-folder.ts';
import { type BenchRow, median } from './benchmark-row.ts';

const modules = ['app', 'config/config', 'compose/banner'].map(
  (name) => new URL(`../src/${name}.ts`, import.meta.url),
);
const LOAD = `await Promise.all(${JSON.stringify(modules)}.map((url) => import(url)))`;

const loadOnly = async (): Promise<number> => {
  const startedAtMs = performance.now();
  const child = spawn(process.execPath, ['--input-type=module', '-e', LOAD], {
    env: cleanEnvironment(),
    stdio: 'ignore',
  });
  await once(child, 'exit');
  return performance.now() - startedAtMs;
};

const untilFirst200 = async (settings: Readonly<Record<string, string>>): Promise<number> => {
  await using stack = new AsyncDisposableStack();
  const scope: Scope = { after: (cleanUp) => stack.defer(async () => cleanUp()) };
  const port = await freePort();
  const startedAtMs = performance.now();
  const service = spawnProcess(scope, {
    file: 'src/main.ts',
    env: { ...settings, PORT: String(port), HOLDFAST_DATA_DIR: temporaryFolder(scope) },
  });
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/health`).catch(() => null);
    if (response?.status === 200) break;
    if (service.hasEnded) throw new Error(`the service ended: ${service.stderr}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const elapsedMs = performance.now() - startedAtMs;
  await service.stop();
  return elapsedMs;
};

/** Returns two rows: one for a start with an existing cluster, and one for a start that includes the sandbox. */
export const benchStartUp = async (rounds = 7): Promise<BenchRow[]> => {
  await using sandbox = await startSandbox({ epochSeconds: 0 });
  const [loads, alone, withSandbox]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    loads.push(await loadOnly());
    alone.push(await untilFirst200(settingsFor(sandbox)));
    withSandbox.push(await untilFirst200({}));
  }
  const row = (path: string, values: readonly number[], goalMs: number): BenchRow => ({
    path,
    control: 'node with the same imports',
    value: median(values),
    controlValue: median(loads),
    unit: 'ms',
    goal: `≤ ${goalMs} ms`,
    met: median(values) <= goalMs,
  });
  return [
    row('start to first 200', alone, 400),
    row('start to first 200, sandbox included', withSandbox, 1_500),
  ];
};
