// How often each endpoint was called, added up over every run and every replica.

/** Durable counts. Rejects as `TransactionRecords` does. */
export interface Counters {
  /** Adds whole numbers by endpoint, all or none of them. */
  readonly add: (increments: ReadonlyMap<string, number>) => Promise<void>;
  readonly all: () => Promise<ReadonlyMap<string, number>>;
}
