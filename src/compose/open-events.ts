// Opens everything that tells: those who find something to tell (watcher, autopilot) and the deliveries, closed in that order.
import type { Address } from '@solana/kit';
import type { StakeIndex } from '../chain/index/stake-index.ts';
import type { ClusterState, SolanaReads } from '../chain/ports.ts';
import type { RpcPool } from '../chain/rpc/rpc-pool.ts';
import type { Config } from '../config/config.ts';
import type { Composers } from '../events/delivery/attempt-delivery.ts';
import type { WebhookSecrets } from '../events/delivery/webhook-secret.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Store } from '../store/store.ts';
import { openAutopilot } from './open-autopilot.ts';
import { type OpenDelivery, openDelivery } from './open-delivery.ts';
import { openWatcher } from './open-watcher.ts';

/** What they are made from. */
export interface OpenEventsOptions {
  readonly config: Config;
  readonly isSandbox: boolean;
  readonly pool: RpcPool;
  readonly reads: SolanaReads;
  readonly cluster: ClusterState;
  readonly index: StakeIndex;
  readonly store: Store;
  readonly voteAccount: Address;
  readonly secrets: WebhookSecrets;
  /** Types whose data is made at each attempt. Not asked before `delivery.start`. */
  readonly composers: Composers;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** All of it, running; deliveries begin with `delivery.start`. */
export interface OpenEvents {
  readonly delivery: OpenDelivery;
  /** Tells the autopilot that a policy was set. */
  readonly wakeAutopilot: () => void;
  readonly close: () => Promise<void>;
}

/** A sandbox's epochs last minutes, ms. */
const SANDBOX_LOOK_EVERY_MS = 250;

/** Opens all of it. */
export const openEvents = (options: OpenEventsOptions): OpenEvents => {
  const { config, isSandbox } = options;
  const delivery = openDelivery(options);
  const autopilot = openAutopilot({
    ...options,
    feeReserveLamports: config.feeReserveLamports,
    wakeDelivery: delivery.wake,
  });
  const watcher = openWatcher({
    ...options,
    onRecorded: delivery.wake,
    lookEveryMs: isSandbox ? SANDBOX_LOOK_EVERY_MS : undefined,
  });
  return {
    delivery,
    wakeAutopilot: autopilot.wake,
    close: async () => {
      await Promise.all([watcher.close(), autopilot.close()]);
      await delivery.close();
    },
  };
};
