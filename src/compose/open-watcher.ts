// Starts the watcher of events: one process of all leads it at a time, and another takes over when that one is gone.
import type { Address } from '@solana/kit';
import type { StakeIndex } from '../chain/index/stake-index.ts';
import type { ClusterState, SolanaReads } from '../chain/ports.ts';
import type { RpcPool } from '../chain/rpc/rpc-pool.ts';
import { createStakeTransactions } from '../chain/transactions/stake-transactions.ts';
import { Watcher } from '../events/watcher/watcher.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Store } from '../store/store.ts';

/** What the watcher is made from. */
export interface OpenWatcherOptions {
  readonly pool: RpcPool;
  readonly reads: SolanaReads;
  readonly cluster: Pick<ClusterState, 'genesisHash' | 'stakeHistory' | 'readChainSnapshot'>;
  readonly index: StakeIndex;
  readonly store: Pick<Store, 'webhooks' | 'outbox' | 'watched' | 'leadership'>;
  readonly voteAccount: Address;
  /** Wakes the deliveries of this process. */
  readonly onRecorded: () => void;
  readonly lookEveryMs?: number | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A watcher that leads, or waits to. */
export interface OpenWatcher {
  /** Ends the look under way; resolves when it has ended. */
  readonly close: () => Promise<void>;
}

/** Starts it; it fails never, and repeats what failed. */
export const openWatcher = ({ pool, store, lookEveryMs, ...options }: OpenWatcherOptions): OpenWatcher => {
  const closing = new AbortController();
  const transactions = createStakeTransactions(pool);
  const { webhooks, outbox, watched, leadership } = store;
  const times = lookEveryMs === undefined ? {} : { lookEveryMs };
  const led = leadership.lead(
    'events',
    (signal) => new Watcher({ ...options, ...times, transactions, webhooks, outbox, watched }).run(signal),
    closing.signal,
  );
  return {
    close: async () => {
      closing.abort(new Error('the watcher was closed'));
      await led;
    },
  };
};
