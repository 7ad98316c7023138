// Table types shared by both engines. Every statement and migration must match them.

import type { ColumnType, Generated, Kysely } from 'kysely';
import type { SkipReason } from '../domain/autopilot/decide-autopilot-offer.ts';
import type { CallSource } from '../domain/call-source.ts';
import type { DeliveryType, DisabledReason } from '../domain/notification-types.ts';
import type { TransactionKind } from '../domain/transaction/transaction-kinds.ts';
import type { LegType } from '../domain/transaction/transaction-legs.ts';

/** Namespace of an idempotency key: one per one-shot operation, and `submit` for all submitted transactions. */
export type IntentOperation = TransactionKind | 'submit';

/** State of a signed submission. `signed` means that it may be in flight; only the chain knows. */
export type SubmissionState = 'signed' | 'confirmed' | 'failed' | 'expired' | 'refused';

/**
 * State of a delivery. `pending`: attempts continue. `delivered`: got a 2xx response. `dead`: failed
 * permanently; kept for 30 days for replay.
 */
export type DeliveryState = 'pending' | 'delivered' | 'dead';

/** Source of a transaction: the interface through which it was executed here, or found on chain. */
export type RecordSource = CallSource | 'chain';

/**
 * Kind of a registration. `events`: registered by anyone for a wallet. `autopilot`: the callback of a wallet's
 * signed policy. `operator`: the operator's own. Lists and caps include only `events`.
 */
export type RegistrationKind = 'events' | 'autopilot' | 'operator';

/** Kind of a change to an account in the delegator list. `left`: closed, or delegated elsewhere. */
export type DelegatorChangeKind =
  | 'joined'
  | 'delegated'
  | 'leaving'
  | 'stayed'
  | 'stake_changed'
  | 'withdrawer_changed'
  | 'staker_changed'
  | 'left';

type Later<T> = ColumnType<T | null, T | null | undefined, T | null>;

/**
 * The tables. Only portable columns are used: whole numbers are `bigint` (64 bits, so lamports stay exact),
 * booleans are 0 and 1, times are milliseconds since the Unix epoch, JSON is text, and text is sorted by its
 * bytes.
 */
export interface Database {
  identity: { name: string; value: string };
  migrations: { name: string; applied_at_ms: bigint };
  submissions: {
    signature: string;
    wire_bytes: Uint8Array;
    last_valid_block_height: bigint;
    nonce_account: string | null;
    nonce_value: string | null;
    state: SubmissionState;
    slot: Later<bigint>;
    error: Later<string>;
  };
  intents: {
    operation: IntentOperation;
    wallet: string;
    key: string;
    parameters: string;
    source: CallSource;
    created_at_ms: bigint;
    signature: string;
    answer: Later<string>;
  };
  transactions: {
    signature: string;
    type: TransactionKind;
    wallet: string;
    stake_account: string | null;
    lamports: bigint;
    slot: bigint;
    epoch: bigint;
    confirmed_at_ms: bigint;
    source: RecordSource;
    has_memo: bigint;
  };
  transaction_legs: {
    signature: string;
    /** Position within the transaction, from 0. */
    leg: bigint;
    type: LegType;
    stake_account: string | null;
    counter_account: string | null;
    lamports: bigint | null;
  };
  coverage: {
    address: string;
    from_slot: bigint;
    from_signature: string | null;
    to_slot: bigint;
    to_signature: string | null;
    reaches_start: bigint;
  };
  settled_rewards: {
    stake_account: string;
    epoch: bigint;
    wallet: string;
    inflation_lamports: bigint | null;
    tips_lamports: bigint | null;
    post_balance_lamports: bigint | null;
    commission_pct: number | null;
    effective_slot: bigint | null;
    paid_at_ms: bigint | null;
  };
  epoch_samples: {
    epoch: bigint;
    active_stake_lamports: bigint | null;
    credits: bigint | null;
    apy: number | null;
    commission: number | null;
    skip_rate: number | null;
    cluster_skip_rate: number | null;
    stake_rank: bigint | null;
    validators: bigint | null;
    commission_lamports: bigint | null;
    tips_lamports: bigint | null;
    block_rewards_lamports: bigint | null;
    block_rewards_slot: bigint | null;
    leader_slots_unread: bigint | null;
  };
  vote_samples: { quarter_hour: bigint; timestamp_ms: bigint; slot: bigint; vote_success_rate: number };
  delinquency_samples: { epoch: bigint; samples: bigint; delinquent: bigint };
  endpoint_counts: { endpoint: string; count: bigint };
  webhooks: {
    id: string;
    kind: RegistrationKind;
    wallet: string;
    callback_url: string;
    /** Names joined by commas. */
    events: string;
    created_at_ms: bigint;
    created_epoch: bigint;
    created_slot: bigint;
    client: string;
    secret_generation: bigint;
    rotated_at_ms: Later<bigint>;
    last_delivery_at_ms: Later<bigint>;
    failing_since_ms: Later<bigint>;
    disabled_reason: Later<DisabledReason>;
    deleted_at_ms: Later<bigint>;
    /** 1 if only pings are sent, because none has got a 2xx response yet. */
    awaits_answer: bigint;
    /** 1 if the registration was restored with its secret. It can then only be deleted with the secret. */
    secret_deletes: bigint;
    /** Host of `callback_url`, without its port. */
    callback_host: string;
  };
  /**
   * Stored as long as the registration, so no event is emitted twice. `data` is emptied when the delivery is
   * pruned.
   */
  events: {
    /** Foreign key for deliveries; increases and is never reused. */
    key: Generated<bigint>;
    id: string;
    registration: string;
    type: DeliveryType;
    at_ms: bigint;
    data: string;
    expires_at_ms: bigint | null;
  };
  deliveries: {
    /** Key of the event. */
    event: bigint;
    registration: string;
    at_ms: bigint;
    state: DeliveryState;
    attempts: bigint;
    attempts_ever: bigint;
    /**
     * Due time of the next attempt; null once settled, and while the delivery waits for the receiver's first
     * response or the registration's restore.
     */
    due_at_ms: bigint | null;
    lease_owner: Later<string>;
    /** Null if no process holds the lease; in the past if its holder failed. */
    lease_until_ms: Later<bigint>;
    settled_at_ms: Later<bigint>;
    /** One line per attempt, in the order in which they were recorded. */
    attempt_log: string;
  };
  checkpoints: { name: string; value: string };
  policies: {
    wallet: string;
    keep_liquid_lamports: bigint;
    min_sweep_lamports: bigint;
    callback_url: string;
    paused: bigint;
    nonce: bigint;
    signature: string;
    registration: string;
    created_at_ms: bigint;
    updated_at_ms: bigint;
    deleted_at_ms: Later<bigint>;
    sweep_epoch: Later<bigint>;
    sweep_lamports: Later<bigint>;
    sweep_event: Later<string>;
    sweep_at_ms: Later<bigint>;
    skip_epoch: Later<bigint>;
    skip_reason: Later<SkipReason>;
    skip_at_ms: Later<bigint>;
  };
  watched_accounts: {
    address: string;
    wallet: string;
    slot: bigint;
    lamports: bigint;
    data: Uint8Array;
    delegated_epoch: bigint | null;
  };
  /**
   * An account as last recorded. Rewards alone do not cause an update, so at a boundary only the accounts
   * that joined, changed or left are written.
   */
  delegator_accounts: {
    address: string;
    wallet: string;
    staker: string;
    stake_lamports: bigint;
    credits: bigint;
    activation_epoch: bigint | null;
    deactivation_epoch: bigint | null;
    slot: bigint;
    first_seen_epoch: bigint;
    first_seen_at_ms: bigint;
    left_at_ms: bigint | null;
  };
  delegator_changes: {
    address: string;
    slot: bigint;
    kind: DelegatorChangeKind;
    wallet: string;
    epoch: bigint;
    at_ms: bigint;
    lamports: bigint;
  };
  delegator_epochs: {
    epoch: bigint;
    accounts: bigint;
    delegators: bigint;
    active_lamports: bigint;
    activating_lamports: bigint;
    deactivating_lamports: bigint;
  };
  /** Written by the operator. */
  wallet_labels: { wallet: string; label: string };
}

/** The engine's names of the column types. */
export interface ColumnTypes {
  readonly text: string;
  readonly integer: string;
  readonly real: string;
  readonly bytes: string;
  /** An auto-incremented primary key. */
  readonly identity: string;
  /** Text after a table's closing parenthesis. */
  readonly tableOptions: string;
}

/** An open database of either engine. */
export interface Engine {
  readonly name: 'sqlite' | 'postgres';
  readonly db: Kysely<Database>;
  readonly types: ColumnTypes;
  /** First call in the migration transaction. No other process can migrate until this transaction ends. */
  readonly lockSchema: (db: Kysely<Database>) => Promise<void>;
  /**
   * Closes every connection and prevents new ones. `db.destroy` alone does neither before the first connection.
   */
  readonly close: () => Promise<void>;
}
