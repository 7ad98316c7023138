// The tables as both engines keep them: one description, which every statement and every migration agrees with.
import type { ColumnType, Kysely } from 'kysely';
import type { IntentOperation, SubmissionState } from './intent-log.ts';
import type { RecordSource, TransactionType } from './transaction-records.ts';

/** A column that is null until something is known. */
type Later<T> = ColumnType<T | null, T | null | undefined, T | null>;

/**
 * Portable columns only: whole numbers are `bigint` (64 bit, so lamports stay exact), booleans are 0 and 1, times are milliseconds
 * since the Unix epoch, JSON is text, text sorts by its bytes.
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
    source: 'rest' | 'mcp';
    created_at_ms: bigint;
    signature: string;
    answer: Later<string>;
  };
  transactions: {
    signature: string;
    type: TransactionType;
    wallet: string;
    stake_account: string | null;
    lamports: bigint;
    slot: bigint;
    epoch: bigint;
    confirmed_at_ms: bigint;
    source: RecordSource;
  };
  coverage: {
    address: string;
    from_slot: bigint;
    from_signature: string | null;
    to_slot: bigint;
    to_signature: string | null;
    reaches_start: bigint;
  };
  epoch_samples: {
    epoch: bigint;
    active_stake_lamports: bigint | null;
    credits: bigint | null;
    apy: number | null;
    commission: number | null;
    skip_rate: number | null;
  };
  vote_samples: { quarter_hour: bigint; timestamp_ms: bigint; slot: bigint; vote_success_rate: number };
  delinquency_samples: { epoch: bigint; samples: bigint; delinquent: bigint };
  endpoint_counts: { endpoint: string; count: bigint };
}

/** The names that the column types have in an engine. */
export interface ColumnTypes {
  readonly text: string;
  readonly integer: string;
  readonly real: string;
  readonly bytes: string;
  /** What follows a table's closing bracket. */
  readonly tableOptions: string;
}

/** An open database of either engine. */
export interface Engine {
  readonly name: 'sqlite' | 'postgres';
  readonly db: Kysely<Database>;
  readonly types: ColumnTypes;
  /** Called first in the transaction that brings the schema up to date: from here to its end no other process does the same. */
  readonly lockSchema: (db: Kysely<Database>) => Promise<void>;
}
