// Cached GET, CPU: the real window against bare node:http with the same limiter and headers, each in its own process, interleaved.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Pool } from 'undici';
import { type BenchRow, median } from './row.ts';

/** How long to measure. Defaults: 15 rounds of 10,000 requests for each contestant. */
export interface CachedGetOptions {
  readonly rounds?: number;
  readonly requestsPerRound?: number;
}

const CONNECTIONS = 32;
const GOAL = 1.3;

interface Contestant {
  readonly child: ChildProcess;
  readonly pool: Pool;
}

const start = async (mode: 'control' | 'service'): Promise<Contestant> => {
  const child = fork(join(import.meta.dirname, 'cached-get-server.ts'), [mode], {
    execPath: process.execPath,
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { child, pool: new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS, pipelining: 1 }) };
};

const cpuMicroseconds = async ({ child }: Contestant): Promise<number> => {
  const answer = once(child, 'message');
  child.send('cpu');
  const [{ cpu }] = (await answer) as [{ cpu: NodeJS.CpuUsage }];
  return cpu.user + cpu.system;
};

const ask = async ({ pool }: Contestant, requests: number): Promise<void> => {
  const caller = async (): Promise<void> => {
    for (let count = 0; count < requests / CONNECTIONS; count += 1) {
      const { statusCode, body } = await pool.request({ path: '/api/v1/validator', method: 'GET' });
      await body.dump();
      if (statusCode !== 200) throw new Error(`answered ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, caller));
};

const measure = async (contestant: Contestant, requests: number): Promise<number> => {
  const before = await cpuMicroseconds(contestant);
  await ask(contestant, requests);
  return ((await cpuMicroseconds(contestant)) - before) / requests;
};

/** Measures; the order of the two alternates by round, so that a slow phase of the machine meets both. */
export const benchCachedGet = async ({
  rounds = 15,
  requestsPerRound = 10_016,
}: CachedGetOptions = {}): Promise<BenchRow> => {
  const [control, service] = await Promise.all([start('control'), start('service')]);
  try {
    for (const contestant of [control, service]) await ask(contestant, requestsPerRound * 2);
    const samples: { readonly control: number; readonly service: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const first = round % 2 === 0 ? control : service;
      const one = await measure(first, requestsPerRound);
      const two = await measure(first === control ? service : control, requestsPerRound);
      samples.push(first === control ? { control: one, service: two } : { control: two, service: one });
    }
    const ratio = median(samples.map((sample) => sample.service / sample.control));
    return {
      path: 'cached GET, CPU',
      control: 'bare node:http with limiter and headers',
      value: median(samples.map((sample) => sample.service)),
      controlValue: median(samples.map((sample) => sample.control)),
      unit: 'µs CPU',
      goal: `≤ ${GOAL}×`,
      met: ratio <= GOAL,
    };
  } finally {
    for (const { child, pool } of [control, service]) {
      await pool.destroy();
      child.kill();
    }
  }
};
