// Jito's public validator API ("Kobe") as a provider of MEV statistics.
import { readCommission, readRewards } from './jito-entries.ts';
import type { MevCommission, MevStatistics } from './mev-statistics.ts';
import { parseExact } from './parse-provider-json.ts';
import type { Snapshot } from './provider-snapshot.ts';
import { type ProviderOptions, ProviderSource } from './provider-source.ts';

/**
 * Time for which each response is fresh, in ms. After that, it may be served stale for up to the same time
 * again.
 */
interface JitoLifetimes {
  readonly commissionMs: number;
  readonly rewardsMs: number;
}

const MIB = 1024 * 1024;

/** Base URL of the public service on mainnet. */
export const JITO_URL = 'https://kobe.mainnet.jito.network';

/** Opens the provider without sending a request. Throws `TypeError` for an invalid URL. */
export const createJito = (
  options: ProviderOptions & { readonly lifetimes: JitoLifetimes },
): MevStatistics => {
  const source = new ProviderSource('jito', options);
  const { lifetimes, voteAccount } = options;
  const rewards = source.cached({
    what: 'rewards',
    path: `/api/v1/validators/${voteAccount}`,
    maxBytes: 4 * MIB,
    freshMs: lifetimes.rewardsMs,
    read: (text) => readRewards(parseExact(text)),
  });
  // Uses POST, because a GET always returns the latest epoch that Jito knows.
  const listedIn = (epoch: number) =>
    source.cached({
      what: 'commission',
      path: '/api/v1/validators',
      body: { epoch },
      maxBytes: 16 * MIB,
      freshMs: lifetimes.commissionMs,
      read: (text) => readCommission(parseExact(text), { epoch, voteAccount }),
    });
  let asked: { readonly epoch: number; readonly read: ReturnType<typeof listedIn> } | undefined;

  const withOlderCommission = async (
    listed: Snapshot<MevCommission>,
    signal: AbortSignal,
  ): Promise<Snapshot<MevCommission>> => {
    if (listed.value !== null && (listed.value.commissionBps !== null || listed.value.runsJito === false))
      return listed;
    const { value, fetchedAtMs, stale } = await rewards(signal);
    const newest = value?.find(({ commissionBps }) => commissionBps !== null);
    if (newest === undefined) return listed;
    return {
      value: {
        epoch: newest.epoch,
        commissionBps: newest.commissionBps,
        runsJito: listed.value?.runsJito ?? null,
      },
      fetchedAtMs,
      stale,
      warnings: listed.warnings,
    };
  };

  return {
    commission: async (epoch, signal) => {
      if (asked?.epoch !== epoch) asked = { epoch, read: listedIn(epoch) };
      return await withOlderCommission(await asked.read(signal), signal);
    },
    rewards,
    close: () => source.close(),
  };
};
