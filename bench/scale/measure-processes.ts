// Mixed load on one, two and four processes with one PostgreSQL and one Redis, relative to one process.
import { setTimeout as delay } from 'node:timers/promises';
import { openReplicaWorld, replicasMissing } from '../../test/support/replicas.ts';
import type { Scope } from '../../test/support/temporary-folder.ts';
import { formatFigure, fundWallets, processFigures, readPaths } from './load-world.ts';
import { actKinds, MixedLoad } from './mixed-load.ts';
import type { Measurement } from './scale-costs.ts';

const PROCESSES = [1, 2, 4];
const CALLERS = 16;
const WARM_UP_MS = 5_000;

/** Runs the same callers without pauses against each number of processes, for `seconds` each. */
export const measureProcesses = async (
  scope: Scope,
  { seconds, say }: { readonly seconds: number; readonly say: (text: string) => void },
): Promise<Measurement> => {
  const missing = await replicasMissing();
  if (missing !== undefined) throw new Error(missing);
  const measured: { processes: number; perSecond: number; cpuMs: number; cells: readonly string[] }[] = [];
  for (const processes of PROCESSES) {
    const cleanUps: (() => void | Promise<void>)[] = [];
    const own: Scope = { after: (cleanUp) => void cleanUps.push(cleanUp) };
    const end = async (): Promise<void> => {
      for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
    };
    scope.after(end);
    const world = await openReplicaWorld(own, {
      sandbox: { slotMs: 400, epochSeconds: 60 },
      settings: { LOG_LEVEL: 'error' },
    });
    const services = await Promise.all(Array.from({ length: processes }, () => world.start()));
    const wallets = await fundWallets(world.sandbox.controlUrl, CALLERS * 2);
    const load = new MixedLoad({
      urls: () => services.map(({ url }) => url),
      wallets,
      reads: await readPaths(services[0]!.url),
      populated: wallets[0]!.walletAddress,
      longestPauseMs: 0,
    });
    const cpuMs = (): number =>
      services.reduce((sum, { process: { child } }) => sum + (processFigures(child.pid!).cpuMs ?? 0), 0);
    let isOver = false;
    const running = load.run(CALLERS, () => isOver);
    await delay(WARM_UP_MS);
    const before = { requests: load.requests, cpuMs: cpuMs(), atMs: performance.now() };
    load.takeWindow();
    await delay(seconds * 1_000);
    const requests = load.requests - before.requests;
    const took = (performance.now() - before.atMs) / 1_000;
    const cpuEachMs = (cpuMs() - before.cpuMs) / requests;
    const { p50Ms, p99Ms, failed } = load.takeWindow();
    isOver = true;
    await running;
    const acts = actKinds.reduce((sum, kind) => sum + load.count(kind), 0);
    measured.push({
      processes,
      perSecond: requests / took,
      cpuMs: cpuEachMs,
      cells: [formatFigure(p50Ms, 'ms'), formatFigure(p99Ms, 'ms'), String(failed), String(acts)],
    });
    say(`${processes} processes: ${requests} requests in ${took.toFixed(0)} s`);
    await end();
  }
  const [first] = measured as [(typeof measured)[number]];
  return {
    title: `mixed load at ${PROCESSES.join(', ')} processes, ${CALLERS} callers without pauses, ${seconds} s each`,
    head: [
      'processes',
      'requests a second',
      'ratio',
      'CPU per request, all processes',
      'ratio',
      'median',
      '99 %',
      'failed',
      'acts',
    ],
    rows: measured.map(({ processes, perSecond, cpuMs, cells }) => [
      processes,
      formatFigure(perSecond),
      (perSecond / first.perSecond).toFixed(2),
      formatFigure(cpuMs, 'ms'),
      (cpuMs / first.cpuMs).toFixed(2),
      ...cells,
    ]),
  };
};
