// Store of the service: all its parts, by entity and independent of the engine.
import type { Counters } from './call-counters.ts';
import type { Delegators } from './delegators.ts';
import type { LeaderElection } from './engine/leader-election.ts';
import type { IntentLog } from './intent-log.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { Policies } from './policies.ts';
import type { SettledRewards } from './settled-rewards.ts';
import type { TransactionRecords } from './transaction-records.ts';
import type { Samples } from './validator-samples.ts';
import type { WatchedAccounts } from './watched-accounts.ts';
import type { Webhooks } from './webhooks.ts';

/**
 * Identity of a store's owner. The service must not use a store of another cluster, validator or server secret.
 */
export interface StoreIdentity {
  readonly genesisHash: string;
  readonly voteAccount: string;
  readonly serverSecretFingerprint: string;
}

export interface StoreOwner {
  readonly identity: StoreIdentity;
  /** Kind of cluster. It is stored, so a sandbox never mistakes a real cluster's store for its own. */
  readonly madeFor: 'sandbox' | 'real';
}

/**
 * An open store. Every method rejects with `AppError('STORE_UNAVAILABLE')` while the engine is unavailable,
 * and works again afterwards.
 */
export interface Store {
  readonly engine: 'sqlite' | 'postgres';
  readonly intents: IntentLog;
  readonly transactions: TransactionRecords;
  readonly settledRewards: SettledRewards;
  readonly samples: Samples;
  readonly counters: Counters;
  readonly webhooks: Webhooks;
  readonly outbox: Outbox;
  readonly policies: Policies;
  readonly watched: WatchedAccounts;
  readonly delegators: Delegators;
  readonly leadership: LeaderElection;
  /**
   * Resolves if the store can be read. Rejects with `AppError('STORE_UNAVAILABLE')` if not, or with the
   * signal's reason.
   */
  readonly check: (signal: AbortSignal) => Promise<void>;
  /** Waits for statements in progress, then closes the store. Safe to repeat. */
  readonly close: () => Promise<void>;
}

/** Reason why a store cannot be opened. Nothing in the store was changed. */
export type StoreRefusal =
  | {
      /** The store belongs to another cluster, validator or server secret. */
      readonly outcome: 'foreign';
      readonly differs: readonly (keyof StoreIdentity)[];
      readonly madeFor: StoreOwner['madeFor'];
    }
  | {
      /** A later version of the service changed the tables of the store. */
      readonly outcome: 'newer';
      readonly unknownMigrations: readonly string[];
      readonly differs: readonly (keyof StoreIdentity)[];
      readonly madeFor: StoreOwner['madeFor'];
    }
  | {
      /** The tables were created by a development version from before 1.0.0. */
      readonly outcome: 'unreleased';
    };

export type StoreOpening = { readonly outcome: 'open'; readonly store: Store } | StoreRefusal;
