// Measures how many wallets with stakes one sandbox and one service can hold, and the unit costs: those of a
// read, of a stake, and of a process's background work.

import { createHash } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { getBase58Decoder } from '@solana/kit';
import { listenLocally } from '../../test/support/local-server.ts';
import { settingsFor, startService } from '../../test/support/service-fixture.ts';
import type { Scope } from '../../test/support/temporary-folder.ts';
import {
  formatFigure,
  fundWallets,
  median,
  metricsOf,
  processFigures,
  startLoadChain,
} from './load-world.ts';
import { callJson } from './mixed-load.ts';
import type { Measurement, ScaleCosts } from './scale-costs.ts';

const READS = 1_000;
const ACTS = 60;
const AT_ONCE = 8;
const IDLE_MS = 60_000;
/** Maximum duration of an epoch end or an index scan, in ms. The series ends if one takes longer. */
const LONGEST_MS = 300_000;
/** Maximum memory of the sandbox in bytes. The series ends before the sandbox needs more. */
const MOST_SANDBOX_BYTES = 9e9;

const base58 = getBase58Decoder();
const walletOf = (number: number): string =>
  base58.decode(createHash('sha256').update(`wallet ${number}`).digest());

/** Forwards connections to `port` and counts the bytes in both directions. */
const startByteCounter = async (scope: Scope, port: number) => {
  let bytes = 0;
  const server = createServer((client) => {
    const target = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const)
      from
        .on('data', (chunk) => (bytes += chunk.length))
        .on('error', () => to.destroy())
        .on('close', () => to.destroy())
        .pipe(to);
  });
  const local = await listenLocally(server);
  scope.after(local.close);
  return { port: local.port, bytes: () => bytes };
};

/** Calls `once` `count` times, several calls at a time. Returns the durations in ms. */
const repeat = async (count: number, once: (at: number) => Promise<{ status: number; body: unknown }>) => {
  const times: number[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const at = next;
      next += 1;
      const beganMs = performance.now();
      const { status, body } = await once(at);
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body).slice(0, 300)}`);
      times.push(performance.now() - beganMs);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return times;
};

interface Step {
  readonly row: readonly string[];
  /** Reason why the series ends here, or null if it continues. */
  readonly end: string | null;
  readonly costs: Partial<ScaleCosts>;
}

/** Measures `wallets` wallets with `each` stakes each in a new sandbox. */
const measureStep = async (
  scope: Scope,
  { wallets, each, say }: { wallets: number; each: number; say: (text: string) => void },
): Promise<Step> => {
  const startedMs = performance.now();
  const { chain, sandbox } = await startLoadChain(scope, {
    accounts: wallets * each,
    accountsEach: each,
    epochSeconds: 0,
  });
  const filledSeconds = (performance.now() - startedMs) / 1_000;
  const http = await startByteCounter(scope, Number(new URL(sandbox.rpcUrl).port));
  const ws = await startByteCounter(scope, Number(new URL(sandbox.wsUrl).port));
  const service = await startService(scope, {
    ...settingsFor(sandbox),
    HOLDFAST_RPC_URL: `http://127.0.0.1:${http.port}`,
    HOLDFAST_WS_URL: `ws://127.0.0.1:${ws.port}`,
    LOG_LEVEL: 'error',
  });
  const pid = service.process.child.pid!;
  const metric = await metricsOf(service);
  const waitUntil = async (isSo: () => Promise<boolean>): Promise<number> => {
    const beganMs = performance.now();
    while (!(await isSo())) {
      if (performance.now() - beganMs > LONGEST_MS) return Number.POSITIVE_INFINITY;
      await delay(200);
    }
    return (performance.now() - beganMs) / 1_000;
  };
  const isWhole = async (): Promise<boolean> =>
    (await metric('holdfast_index_accounts')) >= wallets * each &&
    (await metric('holdfast_index_ready')) === 1;
  const indexSeconds = await waitUntil(isWhole);
  say(
    `${wallets} × ${each}: filled in ${filledSeconds.toFixed(0)} s, index after ${indexSeconds.toFixed(0)} s`,
  );
  /** Measures CPU time, calls and bytes during `work`. */
  const measured = async <T>(work: () => Promise<T>) => {
    const at = async () => ({
      cpuMs: processFigures(pid).cpuMs!,
      calls: await metric('holdfast_rpc_calls_total'),
      bytes: http.bytes() + ws.bytes(),
    });
    const before = await at();
    const result = await work();
    const after = await at();
    return {
      result,
      cpuMs: after.cpuMs - before.cpuMs,
      calls: after.calls - before.calls,
      bytes: after.bytes - before.bytes,
    };
  };
  const url = (path: string): string => `${service.url}/api/v1/${path}`;
  const read = (at: number) =>
    callJson(url(`stake/summary/${walletOf((at * 7_919) % wallets)}`), { method: 'GET' });
  await repeat(READS / 5, read);
  const reads = await measured(() => repeat(READS, read));
  const stakers = await fundWallets(sandbox.controlUrl, ACTS);
  const acts = await measured(() =>
    repeat(ACTS, (at) => {
      const { walletAddress, secretKey } = stakers[at]!;
      return callJson(url('stake'), { body: { walletAddress, secretKey, amountSol: 2 } });
    }),
  );
  const idle = await measured(() => delay(IDLE_MS));
  const boundary = await measured(async () => {
    const beganMs = performance.now();
    await callJson(`${sandbox.controlUrl}/epoch`, { body: {}, timeoutMs: 2 * LONGEST_MS });
    const endedSeconds = (performance.now() - beganMs) / 1_000;
    return { endedSeconds, readySeconds: await waitUntil(isWhole) };
  });
  const figures = { service: processFigures(pid).rss!, sandbox: processFigures(chain.child.pid!).rss! };
  const { endedSeconds, readySeconds } = boundary.result;
  const slowest = Math.max(endedSeconds, readySeconds, indexSeconds) * 1_000;
  const perHour = 3_600_000 / IDLE_MS;
  return {
    row: [
      wallets.toLocaleString('en'),
      (wallets * each).toLocaleString('en'),
      formatFigure(figures.sandbox / 1e6, 'MB'),
      formatFigure(figures.service / 1e6, 'MB'),
      formatFigure(indexSeconds, 's'),
      formatFigure(median(reads.result), 'ms'),
      formatFigure(endedSeconds, 's'),
      formatFigure(readySeconds, 's'),
    ],
    end:
      slowest >= LONGEST_MS
        ? `the index or the end of an epoch took longer than ${LONGEST_MS / 1_000} s`
        : figures.sandbox * 2 > MOST_SANDBOX_BYTES
          ? `the next step would need more than ${MOST_SANDBOX_BYTES / 1e9} GB for the sandbox`
          : null,
    costs: {
      readCpuUs: (reads.cpuMs * 1_000) / READS,
      readCalls: reads.calls / READS,
      readUpstreamBytes: reads.bytes / READS,
      actCpuUs: (acts.cpuMs * 1_000) / ACTS,
      actCalls: acts.calls / ACTS,
      actUpstreamBytes: acts.bytes / ACTS,
      idleCpuMsPerHour: idle.cpuMs * perHour,
      idleCallsPerHour: idle.calls * perHour,
      idleUpstreamBytesPerHour: idle.bytes * perHour,
    },
  };
};

/** Doubles the number of stakes per wallet until a step ends the series. Returns the costs of the first step. */
export const measureWallets = async (
  scope: Scope,
  {
    wallets,
    mostEach,
    say,
  }: { readonly wallets: number; readonly mostEach: number; readonly say: (text: string) => void },
): Promise<Measurement> => {
  const rows: (readonly string[])[] = [];
  let costs: Partial<ScaleCosts> | undefined;
  let end = `the series ends at ${mostEach} stakes per wallet, as requested`;
  for (let each = 1; each <= mostEach; each *= 2) {
    const cleanUps: (() => void | Promise<void>)[] = [];
    const own: Scope = { after: (cleanUp) => void cleanUps.push(cleanUp) };
    const finish = async (): Promise<void> => {
      for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
    };
    scope.after(finish);
    try {
      const step = await measureStep(own, { wallets, each, say });
      rows.push(step.row);
      costs ??= step.costs;
      if (step.end !== null) {
        end = `stopped at ${each} stakes per wallet: ${step.end}`;
        break;
      }
    } catch (error) {
      end = `stopped at ${each} stakes per wallet: ${(error as Error).message.slice(0, 300)}`;
      break;
    } finally {
      await finish();
    }
  }
  return {
    title: `${wallets.toLocaleString('en')} wallets with stakes in one sandbox and one service`,
    head: [
      'wallets',
      'stake accounts',
      'sandbox memory',
      'service memory',
      'index ready after',
      'summary, median',
      'the sandbox ends an epoch in',
      'index complete again after',
    ],
    rows: [...rows, [end, '', '', '', '', '', '', '']],
    costs: costs ?? {},
  };
};
