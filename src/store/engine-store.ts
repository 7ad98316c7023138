// A store from an open engine: its tables brought up to date and bound to their owner, or everything closed again.
import { sql } from 'kysely';
import { createCounters } from './counter-statements.ts';
import { guarded } from './guarded.ts';
import { createIntentLog } from './intent-statements.ts';
import { type Migration, prepareStore } from './migrate.ts';
import { migrations as allMigrations } from './migrations/all.ts';
import { createSamples } from './sample-statements.ts';
import type { Engine } from './schema.ts';
import type { Store, StoreOpening, StoreOwner } from './store.ts';
import { createTransactionRecords } from './transaction-statements.ts';

/** For whom a store is opened, and when. */
export interface OpenOptions extends StoreOwner {
  /** Milliseconds since the Unix epoch, noted with what is changed. */
  readonly nowMs: number;
  /** Default: those of this version. */
  readonly migrations?: readonly Migration[];
}

/** Prepares over `preparing`, serves over `serving`; both are closed unless the store opens, and `preparing` also then where it is another. */
export const openEngineStore = async (
  preparing: Engine,
  serving: Engine,
  { migrations = allMigrations, ...owner }: OpenOptions,
): Promise<StoreOpening> => {
  let opened = false;
  try {
    const refusal = await guarded(() => prepareStore(preparing, { ...owner, migrations }));
    opened = refusal === null;
    return refusal ?? { outcome: 'open', store: storeOf(serving) };
  } finally {
    if (!opened) await serving.db.destroy();
    if (preparing !== serving) await preparing.db.destroy();
  }
};

const storeOf = ({ name, db }: Engine): Store => {
  let closed: Promise<void> | null = null;
  return {
    engine: name,
    intents: createIntentLog(db),
    transactions: createTransactionRecords(db),
    samples: createSamples(db),
    counters: createCounters(db),
    check: (signal) => guardedUntil(signal, () => sql`select 1`.execute(db)),
    close: () => {
      closed ??= db.destroy();
      return closed;
    },
  };
};

/** Gives up when `signal` aborts; the statement itself ends by the engine's own timeout. */
const guardedUntil = (signal: AbortSignal, work: () => Promise<unknown>): Promise<void> =>
  new Promise((resolve, reject) => {
    const give = () => reject(signal.reason);
    if (signal.aborted) return give();
    signal.addEventListener('abort', give, { once: true });
    guarded(work)
      .then(() => resolve(), reject)
      .finally(() => signal.removeEventListener('abort', give));
  });
