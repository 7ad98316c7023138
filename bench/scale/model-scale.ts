// Computes from measured unit costs the resources that a number of wallets needs, which limit is reached first,
// and how to overcome it.
import { formatFigure } from './load-world.ts';
import type { Measurement, ScaleCosts } from './scale-costs.ts';

/** Activity of one wallet in a month of 30 epochs. These assumptions are printed with the result. */
const WALLET = { stakeAccounts: 2, reads: 30, acts: 1, events: 32 } as const;
const MONTH_SECONDS = 30 * 86_400;
/** Ratio of requests at the busiest time to the average. */
const PEAK = 5;
/** Time within which the events of a boundary must be delivered. */
const BOUNDARY_SECONDS = 1_200;
/** Maximum planned load of a core. */
const BUSY = 0.6;
/**
 * Current limits of the service: the size of a scan's response in bytes, and the total number of registrations.
 */
const SCAN_BYTES = 2 * 2 ** 30;
const WEBHOOKS_IN_ALL = 10_000_000;
/** Assumed limits of one process and of an RPC plan. */
const PROCESS_MEMORY_BYTES = 4e9;
const CALLS_PER_SECOND = 200;
/**
 * Number of wallets whose transactions a new leader searches concurrently. The leader searches the transactions
 * of every watched wallet before it reports any event.
 */
const SEARCHED_AT_ONCE = 16;
const CALL_SECONDS = 0.04;

const whole = (value: number): string => Math.floor(value).toLocaleString('en');
const bytes = (value: number): string => {
  const [unit, factor] =
    value >= 1e12 ? ['TB', 1e12] : value >= 1e9 ? ['GB', 1e9] : value >= 1e6 ? ['MB', 1e6] : ['kB', 1e3];
  return formatFigure(value / (factor as number), unit as string);
};

/** Models the needs of `wallets` wallets. Throws if a required cost has not been measured yet. */
export const modelScale = (measured: Partial<ScaleCosts>, wallets: number): Measurement => {
  const costs = new Proxy(measured as ScaleCosts, {
    get: (target, name) => {
      const value = target[name as keyof ScaleCosts];
      if (value === undefined)
        throw new Error(`${String(name)} was not measured: npm run scale -- boundary|index|wallets --write`);
      return value;
    },
  });
  const month = {
    cpuSeconds:
      (WALLET.reads * costs.readCpuUs +
        WALLET.acts * costs.actCpuUs +
        WALLET.events * costs.deliveryCpuUs +
        30 * WALLET.stakeAccounts * costs.scanCpuUs +
        30 * costs.delegatorsBoundaryUs) /
      1e6,
    calls: WALLET.reads * costs.readCalls + WALLET.acts * costs.actCalls,
    upstreamBytes:
      WALLET.reads * costs.readUpstreamBytes +
      WALLET.acts * costs.actUpstreamBytes +
      30 * WALLET.stakeAccounts * costs.scanUpstreamBytes,
    storeBytes: costs.registrationStoreBytes + WALLET.events * costs.eventStoreBytes,
  };
  const requestCpuAtPeak =
    (PEAK * (WALLET.reads * costs.readCpuUs + WALLET.acts * costs.actCpuUs)) / 1e6 / MONTH_SECONDS;
  const callsAtPeak = (PEAK * month.calls) / MONTH_SECONDS;
  const scanPeakBytes = WALLET.stakeAccounts * costs.scanPeakBytes;
  const limits = [
    {
      what: `one scan's response holds ${bytes(SCAN_BYTES)}`,
      wallets: SCAN_BYTES / (WALLET.stakeAccounts * costs.scanUpstreamBytes),
      change:
        'index: partitioned scans (with a filter on one byte of the authority), then an account stream (Geyser) instead of scans',
    },
    {
      what: `memory of a process during a scan, ${bytes(PROCESS_MEMORY_BYTES)}`,
      wallets: PROCESS_MEMORY_BYTES / scanPeakBytes,
      change: 'index: the same partitions, with each process holding only the wallets of its partition',
    },
    {
      what: `events of a boundary from one process within ${BOUNDARY_SECONDS / 60} minutes`,
      wallets: costs.deliveriesPerSecond * BOUNDARY_SECONDS,
      change:
        'delivery: more processes (they already claim from one outbox), then a partitioned outbox or a queue',
    },
    {
      what: `a new leader’s search of every wallet within ${BOUNDARY_SECONDS / 60} minutes, at ${CALL_SECONDS * 1_000} ms a call`,
      wallets: (SEARCHED_AT_ONCE / CALL_SECONDS) * BOUNDARY_SECONDS,
      change:
        'watcher: partition the wallets, with one leader per partition, or use an account stream that can be resumed',
    },
    {
      what: `requests at the busiest time on one core, ${BUSY * 100} % busy`,
      wallets: BUSY / requestCpuAtPeak,
      change: 'none: more processes behind the proxy',
    },
    {
      what: `${CALLS_PER_SECOND} upstream calls per second`,
      wallets: CALLS_PER_SECOND / callsAtPeak,
      change: 'reads: from the index, which an account stream keeps current, without a call for each request',
    },
    {
      what: 'registrations in total (the highest value of `HOLDFAST_WEBHOOKS_IN_ALL`)',
      wallets: WEBHOOKS_IN_ALL,
      change: 'store: partition the registrations by wallet',
    },
  ].sort((one, other) => one.wallets - other.wallets);
  const cores = (wallets * month.cpuSeconds) / MONTH_SECONDS;
  const deliveryProcesses = Math.ceil(wallets / (costs.deliveriesPerSecond * BOUNDARY_SECONDS));
  const requestCores = Math.ceil((wallets * requestCpuAtPeak) / BUSY);
  return {
    title: `model of ${whole(wallets)} wallets`,
    head: ['', ''],
    rows: [
      [
        'a wallet',
        `${WALLET.stakeAccounts} stake accounts; a month of 30 epochs has ${WALLET.reads} reads of the summary, ${WALLET.acts} stake, ${WALLET.events} events to one webhook; ${PEAK} times as many requests at the busiest time (assumed)`,
      ],
      [
        'monthly cost per wallet',
        `${formatFigure(month.cpuSeconds * 1_000, 'ms')} of CPU, ${formatFigure(month.calls)} upstream calls, ${bytes(month.upstreamBytes)} from upstream, ${bytes(month.storeBytes)} in the store`,
      ],
      [
        'monthly cost of a process without requests',
        `${formatFigure((costs.idleCpuMsPerHour * 720) / 3_600_000, 'hours')} of CPU, ${whole(costs.idleCallsPerHour * 720)} upstream calls, ${bytes(costs.idleUpstreamBytesPerHour * 720)} from upstream`,
      ],
      [
        'CPU of all wallets',
        `${formatFigure(cores, 'cores')} on average; ${requestCores} for requests at the busiest time`,
      ],
      [
        'delivery at a boundary',
        `${whole(wallets / BOUNDARY_SECONDS)} events per second: ${deliveryProcesses} processes at ${formatFigure(costs.deliveriesPerSecond)} per second each`,
      ],
      [
        'upstream',
        `${whole((wallets * month.calls) / MONTH_SECONDS)} calls per second on average, ${whole(wallets * callsAtPeak)} at the busiest time; ${bytes(wallets * month.upstreamBytes)} a month`,
      ],
      [
        'index',
        `${bytes(wallets * WALLET.stakeAccounts * costs.indexBytes)} in each process that holds the whole index; ${bytes(wallets * scanPeakBytes)} more while scanning`,
      ],
      ['store', bytes(wallets * month.storeBytes)],
      ...limits.map(({ what, wallets: most, change }, at) => [
        `${at === 0 ? '**saturates first**' : `saturates ${at + 1}.`} at ${whole(most)} wallets: ${what}`,
        `changes then: ${change}`,
      ]),
    ],
  };
};
