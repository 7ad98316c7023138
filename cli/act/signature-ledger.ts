// Records the signatures of staking requests on this machine before they are made, with the amount that each
// transaction may stake and the account that it may create. `holdfast sign` is not recorded.
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { lamportsToSol } from '../../client/sol-amount.ts';
import { closedAccounts, lastingAccount } from '../../client/staking/may-sign-again.ts';
import type { TransactionRecord } from '../../client/staking/pending-transaction.ts';
import type { Prepared } from '../../client/staking/prepared-transaction.ts';
import { NotAsAsked } from '../../client/staking/staking-errors.ts';
import { MAX_RENT_LAMPORTS } from '../../src/domain/transaction/check-rearrangement.ts';
import { readApproval, sumLamports } from '../../src/domain/transaction/effects/approval-bytes.ts';
import { sqlite } from '../local/node-sqlite.ts';
import { localPath } from '../local/state-folder.ts';
import { UsageError } from '../usage-error.ts';

/** A signature about to be made. */
export interface PlannedSignature {
  readonly record: TransactionRecord;
  /** Idempotency key of the entire request. The transactions of a plan have their own keys. */
  readonly requestKey: string;
  readonly message: Uint8Array;
  readonly prepared: Pick<Prepared, 'verdict' | 'following'>;
}

/**
 * Ledger of signatures for requests to one service. All methods throw `UsageError` if the file cannot be read
 * or written.
 */
export interface SignatureLedger {
  /**
   * Records a signature and returns its number. Throws `OverBudget` or `NotAsAsked` if signing is not allowed.
   */
  readonly reserve: (signature: PlannedSignature, mostLamports?: bigint) => bigint;
  /** Stores the record of a signature before it is sent. */
  readonly signed: (id: bigint, record: TransactionRecord) => void;
  /** Deletes a reservation after the key refused to sign. */
  readonly release: (id: bigint) => void;
  /** Records a node's proof that the transaction can never land. */
  readonly proveDead: (signature: string) => void;
  /** Returns the account that the first signature with this idempotency key creates, whether or not it landed. */
  readonly accountOf: (walletAddress: string, requestKey: string) => string | undefined;
  /** Returns the genesis hash of the chain of the latest signature with this idempotency key; undefined if unknown. */
  readonly clusterOf: (walletAddress: string, requestKey: string) => string | undefined;
  /**
   * Records that a person was given a link to sign the request elsewhere. `parameters` is the request as JSON.
   */
  readonly linked: (walletAddress: string, requestKey: string, parameters: string) => void;
  /** True if a link was given out for exactly this request. */
  readonly isLinked: (walletAddress: string, requestKey: string, parameters: string) => boolean;
  /** Returns the latest transaction signed with this idempotency key that is not proven expired. */
  readonly lastSigned: (walletAddress: string, requestKey: string) => TransactionRecord | undefined;
  /**
   * Returns the lamports that the wallet's signatures of the last 24 hours may stake, across all services,
   * except those with the key `exceptKey`.
   */
  readonly stakedLamports: (walletAddress: string, exceptKey?: string) => bigint;
  /** Returns the times of the first and the last signature that `stakedLamports` counts; null if there is none. */
  readonly stakedTimes: (
    walletAddress: string,
  ) => { readonly firstMs: number; readonly lastMs: number } | null;
}

/** Thrown if the signature would exceed the user's limit. */
export class OverBudget extends Error {
  override readonly name = 'OverBudget';

  readonly isUsedUp: boolean;

  constructor(limitLamports: bigint, usedLamports: bigint) {
    const left = limitLamports > usedLamports ? limitLamports - usedLamports : 0n;
    super(
      `The user allowed stakes of ${lamportsToSol(limitLamports)} SOL in any 24 hours, of which ${lamportsToSol(left)} SOL is left.`,
    );
    this.isUsedUp = left === 0n;
  }
}

export const DAY_MS = 24 * 60 * 60 * 1000;
/** Retention of signatures. Services keep settled intents that they did not sign for at most as long. */
const REMEMBERED_MS = 30 * DAY_MS;
/** Maximum wait for another process that is writing. */
const BUSY_TIMEOUT_MS = 5_000;

const SCHEMA = `
  create table if not exists signatures (
    id integer primary key autoincrement,
    at_ms integer not null,
    wallet text not null,
    service text not null,
    request_key text not null,
    idempotency_key text not null,
    message_hash text not null,
    account text,
    is_lasting integer not null,
    closed text not null,
    staked_lamports integer not null,
    signature text,
    record text not null,
    is_dead integer not null default 0
  ) strict;
  create index if not exists signatures_wallet on signatures (wallet, at_ms);
  create table if not exists links (
    at_ms integer not null,
    wallet text not null,
    service text not null,
    request_key text not null,
    parameters text not null,
    primary key (wallet, service, request_key)
  ) strict;`;

/**
 * Query for the sum of the amounts that signatures may stake. Of several signatures that create the same
 * account, only one can land, so only the largest amount counts. If another signature closes that account,
 * all of them may land, so each one counts.
 */
const STAKED = `
  select coalesce(sum(lamports), 0) as lamports from (
    select max(staked_lamports) as lamports from signatures one
    where wallet = :wallet and is_dead = 0 and at_ms > :since and (:except is null or request_key <> :except)
    group by case
      when is_lasting = 0 or exists (
        select 1 from signatures other
        where other.wallet = one.wallet and other.is_dead = 0 and instr(other.closed, one.account) > 0
      ) then cast(id as text)
      else account
    end
  )`;

type Row = Readonly<Record<string, string | bigint | null>>;

/**
 * Opens the ledger in the command line's folder, for the service at `baseUrl`. All wallets and services share
 * one file.
 */
export const createSignatureLedger = (
  environment: Readonly<Record<string, string | undefined>>,
  baseUrl: string,
  now: () => number = Date.now,
): SignatureLedger => {
  const path = localPath(environment, 'signatures.sqlite');

  const open = (): DatabaseSync => {
    const { DatabaseSync } = sqlite();
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // The file is created with the right mode, which SQLite then also uses for its journal.
    closeSync(openSync(path, 'a', 0o600));
    const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, readBigInts: true });
    try {
      database.exec('PRAGMA synchronous = FULL');
      database.exec(SCHEMA);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  };

  /** Runs `work` in an exclusive write transaction. */
  const inTransaction = <Result>(work: (database: DatabaseSync) => Result): Result => {
    let database: DatabaseSync | undefined;
    try {
      database = open();
      database.exec('BEGIN IMMEDIATE');
      const result = work(database);
      database.exec('COMMIT');
      return result;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      // Errors of SQLite and of the file system have a code; others are rethrown.
      if (code === undefined || error instanceof UsageError) throw error;
      throw new UsageError(`could not use ${path}, so nothing was sent: ${message}`);
    } finally {
      // Closing the database rolls back the transaction.
      database?.close();
    }
  };

  /**
   * Returns the current time or the last recorded time, whichever is later, so setting the clock back does
   * not free up any of a limit.
   */
  const timeIn = (database: DatabaseSync): bigint => {
    const { last } = database
      .prepare('select coalesce(max(at_ms), 0) as last from signatures')
      .get() as Row as {
      last: bigint;
    };
    const clock = BigInt(Math.trunc(now()));
    return clock > last ? clock : last;
  };

  const stakedIn = (database: DatabaseSync, wallet: string, except: string | null): bigint =>
    (
      database.prepare(STAKED).get({ wallet, since: timeIn(database) - BigInt(DAY_MS), except }) as Row as {
        lamports: bigint;
      }
    ).lamports;

  const accountIn = (
    database: DatabaseSync,
    wallet: string,
    column: string,
    key: string,
  ): string | undefined =>
    (
      database
        .prepare(
          `select account from signatures where wallet = ? and service = ? and ${column} = ? and account is not null order by id limit 1`,
        )
        .get(wallet, baseUrl, key) as { account: string } | undefined
    )?.account;

  return {
    reserve: ({ record, requestKey, message, prepared }, mostLamports) =>
      inTransaction((database) => {
        const { walletAddress, idempotencyKey } = record;
        const approval = readApproval([prepared.verdict.message]);
        const { initialized, rents, withdrawnLamports } = approval;
        // A later transaction may delegate the lamports of a new account beyond its rent-exempt minimum.
        const into =
          approval.newStakeLamports + sumLamports(rents.filter((rent) => rent > MAX_RENT_LAMPORTS));
        const [account = null] = initialized;
        const before = accountIn(database, walletAddress, 'idempotency_key', idempotencyKey);
        if (account !== null && before !== undefined && before !== account)
          throw new NotAsAsked(
            `A transaction for a different stake account was already signed with this idempotency key (${path}). Nothing was sent.`,
            'service',
          );
        const at = timeIn(database);
        const staked = into > withdrawnLamports ? into - withdrawnLamports : 0n;
        const used = stakedIn(database, walletAddress, null);
        database.prepare('delete from signatures where at_ms < ?').run(at - BigInt(REMEMBERED_MS));
        const { lastInsertRowid } = database
          .prepare(
            `insert into signatures (at_ms, wallet, service, request_key, idempotency_key, message_hash, account, is_lasting, closed, staked_lamports, record)
             values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          )
          .run(
            ...[at, walletAddress, baseUrl, requestKey, idempotencyKey],
            createHash('sha256').update(message).digest('hex'),
            account,
            account !== null && lastingAccount({ ...prepared, following: [] }) === account ? 1 : 0,
            closedAccounts(prepared.verdict).join(' '),
            staked,
            JSON.stringify(record),
          );
        const total = stakedIn(database, walletAddress, null);
        if (mostLamports !== undefined && total > used && total > mostLamports)
          throw new OverBudget(mostLamports, used);
        return BigInt(lastInsertRowid);
      }),
    signed: (id, record) =>
      inTransaction((database) => {
        database
          .prepare('update signatures set signature = ?, record = ? where id = ?')
          .run(record.signature ?? null, JSON.stringify(record), id);
      }),
    release: (id) =>
      inTransaction((database) => {
        database.prepare('delete from signatures where id = ? and signature is null').run(id);
      }),
    proveDead: (signature) =>
      inTransaction((database) => {
        database.prepare('update signatures set is_dead = 1 where signature = ?').run(signature);
      }),
    accountOf: (walletAddress, requestKey) =>
      inTransaction((database) => accountIn(database, walletAddress, 'request_key', requestKey)),
    clusterOf: (walletAddress, requestKey) =>
      inTransaction((database) => {
        const row = database
          .prepare(
            'select record from signatures where wallet = ? and service = ? and request_key = ? order by id desc limit 1',
          )
          .get(walletAddress, baseUrl, requestKey) as { record: string } | undefined;
        return (row && (JSON.parse(row.record) as TransactionRecord).cluster) || undefined;
      }),
    linked: (walletAddress, requestKey, parameters) =>
      inTransaction((database) => {
        const at = timeIn(database);
        database.prepare('delete from links where at_ms < ?').run(at - BigInt(REMEMBERED_MS));
        database
          .prepare(
            'insert or replace into links (at_ms, wallet, service, request_key, parameters) values (?, ?, ?, ?, ?)',
          )
          .run(at, walletAddress, baseUrl, requestKey, parameters);
      }),
    isLinked: (walletAddress, requestKey, parameters) =>
      inTransaction(
        (database) =>
          database
            .prepare(
              'select 1 from links where wallet = ? and service = ? and request_key = ? and parameters = ?',
            )
            .get(walletAddress, baseUrl, requestKey, parameters) !== undefined,
      ),
    lastSigned: (walletAddress, requestKey) =>
      inTransaction((database) => {
        // A row without a signature was never sent.
        const row = database
          .prepare(
            'select record from signatures where wallet = ? and service = ? and request_key = ? and is_dead = 0 and signature is not null order by id desc limit 1',
          )
          .get(walletAddress, baseUrl, requestKey) as { record: string } | undefined;
        return row && (JSON.parse(row.record) as TransactionRecord);
      }),
    stakedLamports: (walletAddress, exceptKey) =>
      inTransaction((database) => stakedIn(database, walletAddress, exceptKey ?? null)),
    stakedTimes: (walletAddress) =>
      inTransaction((database) => {
        const { first, last } = database
          .prepare(
            'select min(at_ms) as first, max(at_ms) as last from signatures where wallet = ? and is_dead = 0 and staked_lamports > 0 and at_ms > ?',
          )
          .get(walletAddress, timeIn(database) - BigInt(DAY_MS)) as Row;
        return first == null ? null : { firstMs: Number(first), lastMs: Number(last) };
      }),
  };
};
