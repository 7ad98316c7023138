// Runs a server in its own process and measures its CPU time, so the measurement excludes the client's CPU
// time.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Pool } from 'undici';
import { type BenchRow, median } from './benchmark-row.ts';

const CONNECTIONS = 32;

export type BenchRequest = Parameters<Pool['request']>[0];

interface MeasuredServer extends AsyncDisposable {
  /** Sends the requests over 32 concurrent connections. Throws on any status other than 200. */
  readonly ask: (requests: number, next: () => BenchRequest) => Promise<void>;
  /** Returns the server's CPU time per request in microseconds. */
  readonly measure: (requests: number, next: () => BenchRequest) => Promise<number>;
}

/** Starts a server file in this folder, which must call `serveParent`. */
export const startMeasuredServer = async (file: string, ...args: string[]): Promise<MeasuredServer> => {
  const child = fork(join(import.meta.dirname, file), args, { execPath: process.execPath });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS, pipelining: 1 });
  const cpuMicroseconds = async (): Promise<number> => {
    const response = once(child, 'message');
    child.send('cpu');
    const [{ cpu }] = (await response) as [{ cpu: NodeJS.CpuUsage }];
    return cpu.user + cpu.system;
  };
  const ask = async (requests: number, next: () => BenchRequest): Promise<void> => {
    const caller = async (): Promise<void> => {
      for (let count = 0; count < requests / CONNECTIONS; count += 1) {
        const request = next();
        const { statusCode, body } = await pool.request(request);
        await body.dump();
        if (statusCode !== 200)
          throw new Error(`${request.method} ${request.path} responded with ${statusCode}`);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, caller));
  };
  return {
    ask,
    measure: async (requests, next) => {
      const before = await cpuMicroseconds();
      await ask(requests, next);
      return ((await cpuMicroseconds()) - before) / requests;
    },
    [Symbol.asyncDispose]: async () => {
      await pool.destroy();
      child.kill();
    },
  };
};

/**
 * Returns the median CPU time per request of a service and its control, in µs. Their order alternates every
 * round, so a slow phase of the machine affects both.
 */
export const measureBoth = async (
  { control, service }: { readonly control: MeasuredServer; readonly service: MeasuredServer },
  { rounds, requestsPerRound }: { readonly rounds: number; readonly requestsPerRound: number },
  request: () => BenchRequest,
  goal: number,
): Promise<Pick<BenchRow, 'value' | 'controlValue' | 'unit' | 'goal' | 'met'>> => {
  const samples: { readonly control: number; readonly service: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [first, second] = round % 2 === 0 ? [control, service] : [service, control];
    const one = await first.measure(requestsPerRound, request);
    const two = await second.measure(requestsPerRound, request);
    samples.push(first === control ? { control: one, service: two } : { control: two, service: one });
  }
  return {
    value: median(samples.map((sample) => sample.service)),
    controlValue: median(samples.map((sample) => sample.control)),
    unit: 'µs CPU',
    goal: `≤ ${goal}×`,
    met: median(samples.map((sample) => sample.service / sample.control)) <= goal,
  };
};
