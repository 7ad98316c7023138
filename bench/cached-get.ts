// CPU time of a cached GET: the real server compared with bare node:http with the same rate limiter and
// headers, each in its own process, interleaved.

import type { BenchRow } from './benchmark-row.ts';
import { type BenchRequest, measureBoth, startMeasuredServer } from './measured-server.ts';

/** Length of the measurement. Default: 15 rounds of 10,016 requests per contestant. */
interface CachedGetOptions {
  readonly rounds?: number;
  readonly requestsPerRound?: number;
}

const GOAL = 1.3;

const request = (): BenchRequest => ({ path: '/api/v1/validator', method: 'GET' });

/** Measures both servers, alternating between them. */
export const benchCachedGet = async ({
  rounds = 15,
  requestsPerRound = 10_016,
}: CachedGetOptions = {}): Promise<BenchRow> => {
  await using control = await startMeasuredServer('cached-get-server.ts', 'control');
  await using service = await startMeasuredServer('cached-get-server.ts', 'service');
  for (const contestant of [control, service]) await contestant.ask(requestsPerRound * 2, request);
  return {
    path: 'cached GET, CPU',
    control: 'bare node:http with rate limiter and headers',
    ...(await measureBoth({ control, service }, { rounds, requestsPerRound }, request, GOAL)),
  };
};
