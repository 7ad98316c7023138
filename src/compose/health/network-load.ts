// Reports how busy the network is: the price of block space, and how many transactions recently sent through
// this service expired.
import type { ClusterState } from '../../chain/ports.ts';
import type { PriceLevel } from '../../domain/priority-levels.ts';
import { orAbort } from '../../kernel/abort.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { NetworkLoad } from '../../operations/service-ports.ts';
import type { IntentLog } from '../../store/intent-log.ts';
import { STORE_PROBE_MS } from './dependency-health.ts';

/** Maximum number and age (in ms) of the transactions that are counted. */
const RECENT = 50;
const RECENT_MS = 3_600_000;

/** Dependencies. */
interface NetworkLoadOptions {
  readonly cluster: Pick<ClusterState, 'priorityPrice' | 'isReachable'>;
  readonly intents: Pick<IntentLog, 'page'>;
  readonly clock: Clock;
}

/** Creates the measurement. Each one costs one call per queried RPC node and one query of the store. */
export const createNetworkLoad = ({ cluster, intents, clock }: NetworkLoadOptions) => {
  let known: { readonly load: NetworkLoad; readonly atMs: number } | null = null;
  let reading: Promise<NetworkLoad> | null = null;

  const readNow = async (): Promise<NetworkLoad> => {
    // Never aborted, because the price estimator has its own timeout.
    const { signal } = new AbortController();
    const priceOf = async (level: PriceLevel): Promise<number | null> => {
      if (!cluster.isReachable()) return null;
      const { microLamports } = await cluster.priorityPrice([], level, signal);
      return microLamports === null ? null : Number(microLamports);
    };
    const [low, medium, high, page] = await Promise.all([
      priceOf('low'),
      priceOf('medium'),
      priceOf('high'),
      orAbort(intents.page(RECENT, null), AbortSignal.timeout(STORE_PROBE_MS)).catch(() => null),
    ]);
    const sinceMs = clock.now() - RECENT_MS;
    const states = (page ?? [])
      .filter(({ createdAtMs }) => createdAtMs >= sinceMs)
      .map(({ submission }) => submission.state);
    const recentlyExpired = states.filter((state) => state === 'expired').length;
    const load = {
      isBusy: (medium ?? 0) > 0 || recentlyExpired * 10 > states.length,
      priorityPrices: low === null || medium === null || high === null ? null : { low, medium, high },
      recentTransactions: states.length,
      recentlyExpired,
    };
    known = { load, atMs: clock.steadyNow() };
    return load;
  };

  const read = (): Promise<NetworkLoad> => {
    reading ??= readNow().finally(() => {
      reading = null;
    });
    return reading;
  };

  return {
    read,
    /**
     * Returns the last measurement; null before the first. Also starts a new one in the background if the last
     * is older than `maxAgeMs`.
     */
    last: (maxAgeMs: number): NetworkLoad | null => {
      if (known === null || clock.steadyNow() - known.atMs > maxAgeMs) read().catch(() => undefined);
      return known?.load ?? null;
    },
  };
};
