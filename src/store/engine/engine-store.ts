// Creates a store from an open engine: migrates its tables and binds them to their owner, or closes everything
// if that fails.

import { sql } from 'kysely';
import { orAbort } from '../../kernel/abort.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log/logger.ts';
import { createCounters } from '../call-counters.ts';
import { createDelegators } from '../delegators.ts';
import { createIntentLog } from '../intent-log.ts';
import { migrations as allMigrations } from '../migrations/all.ts';
import { createOutbox } from '../outbox/create-outbox.ts';
import { createPolicies } from '../policies.ts';
import type { Engine } from '../schema.ts';
import { createSettledRewards } from '../settled-rewards.ts';
import type { Store, StoreOpening, StoreOwner } from '../store.ts';
import { createTransactionRecords } from '../transaction-records.ts';
import { createSamples } from '../validator-samples.ts';
import { createWatchedAccounts } from '../watched-accounts.ts';
import { createWebhooks } from '../webhooks.ts';
import type { LeaderElection } from './leader-election.ts';
import { type Migration, prepareStore } from './migrate.ts';
import { withStoreErrors } from './store-errors.ts';

/** The owner of the store, and its clocks. */
export interface OpenOptions extends StoreOwner {
  /** Milliseconds since the Unix epoch, recorded with each migration. */
  readonly nowMs: number;
  /** Clock for the leader election. */
  readonly clock: Clock;
  readonly logger: Logger;
  /** Default: the migrations of this version. */
  readonly migrations?: readonly Migration[];
}

/**
 * Migrates the store with the engine `preparing` and then uses the engine `serving`. Closes `preparing`
 * afterwards if it is a separate engine. Closes `serving` too if the store cannot be opened.
 */
export const openEngineStore = async (
  preparing: Engine,
  serving: Engine,
  leadership: LeaderElection,
  { migrations = allMigrations, ...owner }: OpenOptions,
): Promise<StoreOpening> => {
  let opened = false;
  try {
    const refusal = await withStoreErrors(() => prepareStore(preparing, { ...owner, migrations }));
    opened = refusal === null;
    return refusal ?? { outcome: 'open', store: storeOf(serving, leadership) };
  } finally {
    if (!opened) await serving.close();
    if (preparing !== serving) await preparing.close();
  }
};

const storeOf = (engine: Engine, leadership: LeaderElection): Store => {
  const { name, db } = engine;
  let closed: Promise<void> | null = null;
  return {
    engine: name,
    intents: createIntentLog(db),
    transactions: createTransactionRecords(db),
    settledRewards: createSettledRewards(db),
    samples: createSamples(db),
    counters: createCounters(db),
    webhooks: createWebhooks(engine),
    outbox: createOutbox(engine),
    policies: createPolicies(engine),
    watched: createWatchedAccounts(db),
    delegators: createDelegators(db),
    leadership,
    // The signal only ends the wait; the engine's own timeout ends the statement.
    check: async (signal) => {
      await orAbort(
        withStoreErrors(() => sql`select 1`.execute(db)),
        signal,
      );
    },
    close: () => {
      closed ??= engine.close();
      return closed;
    },
  };
};
