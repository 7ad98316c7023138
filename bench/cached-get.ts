// Cached GET, CPU: the real window against bare node:http with the same limiter and headers, each in its own process, interleaved.
import { type BenchRequest, startMeasuredServer } from './measured-server.ts';
import { type BenchRow, median } from './row.ts';

/** How long to measure. Defaults: 15 rounds of 10,000 requests for each contestant. */
export interface CachedGetOptions {
  readonly rounds?: number;
  readonly requestsPerRound?: number;
}

const GOAL = 1.3;

const request = (): BenchRequest => ({ path: '/api/v1/validator', method: 'GET' });

/** Measures; the order of the two alternates by round, so that a slow phase of the machine meets both. */
export const benchCachedGet = async ({
  rounds = 15,
  requestsPerRound = 10_016,
}: CachedGetOptions = {}): Promise<BenchRow> => {
  await using control = await startMeasuredServer('cached-get-server.ts', 'control');
  await using service = await startMeasuredServer('cached-get-server.ts', 'service');
  for (const contestant of [control, service]) await contestant.ask(requestsPerRound * 2, request);
  const samples: { readonly control: number; readonly service: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [first, second] = round % 2 === 0 ? [control, service] : [service, control];
    const one = await first.measure(requestsPerRound, request);
    const two = await second.measure(requestsPerRound, request);
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
};
