// Creates the tables of version 1.0.0.
import { type Kysely, sql } from 'kysely';
import type { Migration, SqlTypes } from '../engine/migrate.ts';
import type { Database } from '../schema.ts';

export const firstSchema: Migration = {
  name: '0001-first-schema',
  up: async (db, types) => {
    await createIntents(db, types);
    await createTransactions(db, types);
    await createSamples(db, types);
    await createWebhooks(db, types);
    await createWatcher(db, types);
    await createPolicies(db, types);
    await createDelegatorList(db, types);
  },
};

type Create = (db: Kysely<Database>, types: SqlTypes) => Promise<void>;

/** Requests by idempotency key, and every transaction signed for them. */
const createIntents: Create = async (db, { text, integer, bytes, tableOptions }) => {
  await sql`
    create table submissions (
      signature ${text} primary key,
      wire_bytes ${bytes} not null,
      last_valid_block_height ${integer} not null,
      nonce_account ${text},
      nonce_value ${text},
      state ${text} not null,
      slot ${integer},
      error ${text}
    ) ${tableOptions}`.execute(db);
  await sql`create index submissions_unsettled on submissions (state) where state = 'signed'`.execute(db);
  await sql`
    create table intents (
      operation ${text} not null,
      wallet ${text} not null,
      key ${text} not null,
      parameters ${text} not null,
      source ${text} not null,
      created_at_ms ${integer} not null,
      signature ${text} not null references submissions (signature),
      answer ${text},
      primary key (operation, wallet, key)
    ) ${tableOptions}`.execute(db);
  await sql`create index intents_by_age on intents (created_at_ms)`.execute(db);
  await sql`create index intents_by_signature on intents (signature)`.execute(db);
};

/**
 * Landed transactions, their effect on each stake account, the searched range of each address, and the
 * rewards of ended epochs.
 */
const createTransactions: Create = async (db, { text, integer, real, tableOptions }) => {
  await sql`
    create table transactions (
      signature ${text} primary key,
      type ${text} not null,
      wallet ${text} not null,
      stake_account ${text},
      lamports ${integer} not null check (lamports >= 0),
      slot ${integer} not null,
      epoch ${integer} not null,
      confirmed_at_ms ${integer} not null,
      source ${text} not null,
      has_memo ${integer} not null
    ) ${tableOptions}`.execute(db);
  await sql`create index transactions_by_wallet on transactions (wallet, slot, signature)`.execute(db);
  await sql`create index transactions_by_time on transactions (confirmed_at_ms)`.execute(db);
  await sql`create index transactions_by_stake_account on transactions (stake_account)`.execute(db);
  await sql`
    create table transaction_legs (
      signature ${text} not null,
      leg ${integer} not null,
      type ${text} not null,
      stake_account ${text},
      counter_account ${text},
      lamports ${integer},
      primary key (signature, leg)
    ) ${tableOptions}`.execute(db);
  await sql`create index transaction_legs_by_account on transaction_legs (stake_account)`.execute(db);
  await sql`create index transaction_legs_by_counter on transaction_legs (counter_account)`.execute(db);
  await sql`
    create table coverage (
      address ${text} primary key,
      from_slot ${integer} not null,
      from_signature ${text},
      to_slot ${integer} not null,
      to_signature ${text},
      reaches_start ${integer} not null
    ) ${tableOptions}`.execute(db);
  await sql`
    create table settled_rewards (
      stake_account ${text} not null,
      epoch ${integer} not null,
      wallet ${text} not null,
      inflation_lamports ${integer},
      tips_lamports ${integer},
      post_balance_lamports ${integer},
      commission_pct ${real},
      effective_slot ${integer},
      paid_at_ms ${integer},
      primary key (stake_account, epoch)
    ) ${tableOptions}`.execute(db);
  await sql`create index settled_rewards_by_wallet on settled_rewards (wallet, stake_account)`.execute(db);
};

/** Samples of the validator, and call counts. */
const createSamples: Create = async (db, { text, integer, real, tableOptions }) => {
  await sql`
    create table epoch_samples (
      epoch ${integer} primary key,
      active_stake_lamports ${integer},
      credits ${integer},
      apy ${real},
      commission ${real},
      skip_rate ${real},
      cluster_skip_rate ${real},
      stake_rank ${integer},
      validators ${integer},
      commission_lamports ${integer},
      tips_lamports ${integer},
      block_rewards_lamports ${integer},
      block_rewards_slot ${integer},
      leader_slots_unread ${integer}
    ) ${tableOptions}`.execute(db);
  await sql`
    create table vote_samples (
      quarter_hour ${integer} primary key,
      timestamp_ms ${integer} not null,
      slot ${integer} not null,
      vote_success_rate ${real} not null
    ) ${tableOptions}`.execute(db);
  await sql`
    create table delinquency_samples (
      epoch ${integer} primary key,
      samples ${integer} not null,
      delinquent ${integer} not null
    ) ${tableOptions}`.execute(db);
  await sql`
    create table endpoint_counts (
      endpoint ${text} primary key,
      count ${integer} not null
    ) ${tableOptions}`.execute(db);
};

/** Registrations of callbacks, with their events and deliveries. */
const createWebhooks: Create = async (db, { text, integer, identity, tableOptions }) => {
  await sql`
    create table webhooks (
      id ${text} primary key,
      kind ${text} not null,
      wallet ${text} not null,
      callback_url ${text} not null,
      callback_host ${text} not null,
      events ${text} not null,
      created_at_ms ${integer} not null,
      created_epoch ${integer} not null,
      created_slot ${integer} not null,
      client ${text} not null,
      secret_generation ${integer} not null,
      rotated_at_ms ${integer},
      awaits_answer ${integer} not null,
      secret_deletes ${integer} not null,
      last_delivery_at_ms ${integer},
      failing_since_ms ${integer},
      disabled_reason ${text},
      deleted_at_ms ${integer}
    ) ${tableOptions}`.execute(db);
  await sql`create index webhooks_by_wallet on webhooks (wallet) where deleted_at_ms is null`.execute(db);
  await sql`create index webhooks_by_client on webhooks (client, wallet) where deleted_at_ms is null`.execute(
    db,
  );
  await sql`create index webhooks_deleted on webhooks (deleted_at_ms) where deleted_at_ms is not null`.execute(
    db,
  );
  await sql`create index webhooks_awaiting on webhooks (callback_host) where awaits_answer = 1`.execute(db);
  // Deliveries refer to events by number. With random ids, every write touched pages throughout the file and
  // took twice as long (2026-11).
  await sql`
    create table events (
      key ${identity},
      id ${text} not null unique,
      registration ${text} not null references webhooks (id),
      type ${text} not null,
      at_ms ${integer} not null,
      data ${text} not null,
      expires_at_ms ${integer}
    ) ${tableOptions}`.execute(db);
  await sql`create index events_by_registration on events (registration)`.execute(db);
  // No index contains the lease, so taking a lease writes only the row.
  await sql`
    create table deliveries (
      event ${integer} primary key references events (key),
      registration ${text} not null,
      at_ms ${integer} not null,
      state ${text} not null,
      attempts ${integer} not null,
      attempts_ever ${integer} not null,
      due_at_ms ${integer},
      lease_owner ${text},
      lease_until_ms ${integer},
      settled_at_ms ${integer},
      attempt_log ${text} not null
    ) ${tableOptions}`.execute(db);
  await sql`
    create index deliveries_due on deliveries (due_at_ms, at_ms, event, registration)
    where state = 'pending'`.execute(db);
  await sql`create index deliveries_by_registration on deliveries (registration, at_ms, event)`.execute(db);
  // For counting dead deliveries.
  await sql`create index deliveries_dead on deliveries (event) where state = 'dead'`.execute(db);
};

/** Checkpoints of background work, and the stake accounts that the watcher follows. */
const createWatcher: Create = async (db, { text, integer, bytes, tableOptions }) => {
  await sql`
    create table checkpoints (
      name ${text} primary key,
      value ${text} not null
    ) ${tableOptions}`.execute(db);
  await sql`
    create table watched_accounts (
      address ${text} primary key,
      wallet ${text} not null,
      slot ${integer} not null,
      lamports ${integer} not null,
      data ${bytes} not null,
      delegated_epoch ${integer}
    ) ${tableOptions}`.execute(db);
};

/** The autopilot's policies, each with its latest offer and latest skip. */
const createPolicies: Create = async (db, { text, integer, tableOptions }) => {
  await sql`
    create table policies (
      wallet ${text} primary key,
      keep_liquid_lamports ${integer} not null check (keep_liquid_lamports >= 0),
      min_sweep_lamports ${integer} not null check (min_sweep_lamports >= 0),
      callback_url ${text} not null,
      paused ${integer} not null,
      nonce ${integer} not null,
      signature ${text} not null,
      registration ${text} not null,
      created_at_ms ${integer} not null,
      updated_at_ms ${integer} not null,
      deleted_at_ms ${integer},
      sweep_epoch ${integer},
      sweep_lamports ${integer},
      sweep_event ${text},
      sweep_at_ms ${integer},
      skip_epoch ${integer},
      skip_reason ${text},
      skip_at_ms ${integer}
    ) ${tableOptions}`.execute(db);
  await sql`
    create index policies_active on policies (wallet)
    where deleted_at_ms is null and paused = 0`.execute(db);
};

/**
 * The last recorded state of every account of the validator, the changes to accounts, the validator's stake
 * by epoch, and the operator's labels.
 */
const createDelegatorList: Create = async (db, { text, integer, tableOptions }) => {
  await sql`
    create table delegator_accounts (
      address ${text} primary key,
      wallet ${text} not null,
      staker ${text} not null,
      stake_lamports ${integer} not null,
      credits ${integer} not null,
      activation_epoch ${integer},
      deactivation_epoch ${integer},
      slot ${integer} not null,
      first_seen_epoch ${integer} not null,
      first_seen_at_ms ${integer} not null,
      left_at_ms ${integer}
    ) ${tableOptions}`.execute(db);
  await sql`create index delegator_accounts_by_age on delegator_accounts (first_seen_at_ms)`.execute(db);
  await sql`
    create table delegator_changes (
      address ${text} not null,
      slot ${integer} not null,
      kind ${text} not null,
      wallet ${text} not null,
      epoch ${integer} not null,
      at_ms ${integer} not null,
      lamports ${integer} not null,
      primary key (address, slot, kind)
    ) ${tableOptions}`.execute(db);
  await sql`create index delegator_changes_by_time on delegator_changes (at_ms, address)`.execute(db);
  await sql`create index delegator_changes_by_wallet on delegator_changes (wallet, at_ms)`.execute(db);
  await sql`
    create table delegator_epochs (
      epoch ${integer} primary key,
      accounts ${integer} not null,
      delegators ${integer} not null,
      active_lamports ${integer} not null,
      activating_lamports ${integer} not null,
      deactivating_lamports ${integer} not null
    ) ${tableOptions}`.execute(db);
  await sql`
    create table wallet_labels (
      wallet ${text} primary key,
      label ${text} not null
    ) ${tableOptions}`.execute(db);
};
