// The intent log: each intent's parameters and each signed submission with its outcome, so that no intent is performed twice.

import type { Kysely } from 'kysely';
import type { CallSource } from '../domain/call-source.ts';
import { transactionKinds } from '../domain/transaction/transaction-kinds.ts';
import { inBatches } from './engine/delete-in-batches.ts';
import { guarded } from './engine/store-errors.ts';
import type { Database, IntentOperation, SubmissionState } from './schema.ts';

/** One intent: the caller's request under its idempotency key. */
export interface IntentId {
  readonly operation: IntentOperation;
  readonly wallet: string;
  /** The caller's idempotency key, the service's own, or the signature for keyless submits. */
  readonly key: string;
}

/** A signed transaction, on disk before its first broadcast. */
export interface SubmissionRecord {
  readonly signature: string;
  readonly wireBytes: Uint8Array;
  readonly lastValidBlockHeight: bigint;
  readonly nonce: { readonly account: string; readonly value: string } | null;
  readonly state: SubmissionState;
  readonly slot: bigint | null;
  /** The chain's error as JSON text; null if none. */
  readonly error: string | null;
}

/** An intent with its latest submission. */
export interface IntentRecord extends IntentId {
  /** Canonical JSON of the request; different text under the same key is a different request. */
  readonly parameters: string;
  readonly source: CallSource;
  readonly createdAtMs: number;
  readonly submission: SubmissionRecord;
  /** The confirmed answer as JSON text; null until then. */
  readonly answer: string | null;
}

/** Durable record of intents. Every write is on disk when its promise resolves. Rejects with `STORE_UNAVAILABLE` if the store is unavailable. */
export interface IntentLog {
  readonly find: (id: IntentId) => Promise<IntentRecord | null>;
  readonly findSubmission: (signature: string) => Promise<SubmissionRecord | null>;
  /** The intent whose latest submission is `signature`. */
  readonly findBySignature: (signature: string) => Promise<IntentRecord | null>;
  /** The signed bytes of a wallet's intents that may be valid at `blockHeight` or later, whatever their outcome. */
  readonly bytesValidFrom: (wallet: string, blockHeight: bigint) => Promise<readonly Uint8Array[]>;
  /**
   * Records a newly signed submission for an intent. `replaces` is the submission that it replaces (proven expired, refused
   * or failed), null for the first. Returns false without a change if another process was faster or another intent
   * has the same bytes: a submission belongs to one intent.
   */
  readonly recordSigned: (
    intent: Omit<IntentRecord, 'submission' | 'answer'> & {
      readonly submission: Omit<SubmissionRecord, 'state' | 'slot' | 'error'>;
    },
    replaces: string | null,
  ) => Promise<boolean>;
  /** Records that refused or expired bytes are being sent again; other states stay as they are. */
  readonly resendSubmission: (signature: string) => Promise<void>;
  /**
   * Settles a submission. `answer` is stored with its intent if confirmed; null keeps the stored answer. A landed submission is never
   * changed back by a process that did not see it land.
   */
  readonly settle: (
    signature: string,
    outcome: {
      readonly state: SubmissionState;
      readonly slot: bigint | null;
      readonly error: string | null;
      readonly answer: string | null;
    },
  ) => Promise<void>;
  /** Intents whose submission is still `signed`. They are settled after a restart. */
  readonly unsettled: () => Promise<readonly IntentRecord[]>;
  /** Signed and submitted intents, newest first: at most `limit` before the given position. */
  readonly page: (
    limit: number,
    before: { readonly atMs: number; readonly id: string } | null,
  ) => Promise<readonly IntentRecord[]>;
  /**
   * Deletes settled intents older than `olderThanMs` (wall clock), except stakes made and signed here, and submissions without an
   * intent, a few hundred rows at a time. Submits refused before sending are deleted if older than `refusedBeforeMs` (default:
   * `olderThanMs`), because strangers can create them at no cost. Returns the number of deleted intents.
   */
  readonly pruneBefore: (olderThanMs: number, refusedBeforeMs?: number) => Promise<number>;
}

const OPERATIONS: readonly IntentOperation[] = [...transactionKinds, 'submit'];

/** Thrown inside a transaction to roll it back because another process was faster. */
const OVERTAKEN = new Error('overtaken');

/** Outcomes seen on the chain. A process that merely missed them must not overwrite them. */
const LANDED: readonly SubmissionState[] = ['confirmed', 'failed'];

/** The intent log of an open database. */
export const createIntentLog = (db: Kysely<Database>): IntentLog => ({
  find: (id) =>
    guarded(async () => {
      const row = await selectIntents(db)
        .where('operation', '=', id.operation)
        .where('wallet', '=', id.wallet)
        .where('key', '=', id.key)
        .executeTakeFirst();
      return row ? intentOf(row) : null;
    }),

  findSubmission: (signature) =>
    guarded(async () => {
      const row = await db
        .selectFrom('submissions')
        .select(submissionColumns)
        .where('signature', '=', signature)
        .executeTakeFirst();
      return row ? submissionFromWire(row) : null;
    }),

  findBySignature: (signature) =>
    guarded(async () => {
      const row = await selectIntents(db).where('intents.signature', '=', signature).executeTakeFirst();
      return row ? intentOf(row) : null;
    }),

  bytesValidFrom: (wallet, blockHeight) =>
    guarded(async () => {
      const rows = await db
        .selectFrom('intents')
        .innerJoin('submissions', 'submissions.signature', 'intents.signature')
        .select('wire_bytes')
        // Names all operations, because the primary key begins with the operation.
        .where('operation', 'in', OPERATIONS)
        .where('wallet', '=', wallet)
        .where('last_valid_block_height', '>=', blockHeight)
        .execute();
      return rows.map(({ wire_bytes }) => new Uint8Array(wire_bytes));
    }),

  recordSigned: (intent, replaces) =>
    guarded(async () => {
      try {
        await db.transaction().execute(async (transaction) => {
          await insertSubmission(transaction, intent.submission);
          // After the insert, which waits for another process that is recording the same bytes.
          if (await belongsToAnother(transaction, intent)) throw OVERTAKEN;
          if (!(await pointIntent(transaction, intent, replaces))) throw OVERTAKEN;
        });
        return true;
      } catch (error) {
        if (error === OVERTAKEN) return false;
        throw error;
      }
    }),

  resendSubmission: (signature) =>
    guarded(async () => {
      await db
        .updateTable('submissions')
        .set({ state: 'signed', slot: null, error: null })
        .where('signature', '=', signature)
        .where('state', 'in', ['refused', 'expired'])
        .execute();
    }),

  settle: (signature, { state, slot, error, answer }) =>
    guarded(() =>
      db.transaction().execute(async (transaction) => {
        await transaction
          .updateTable('submissions')
          .set({ state, slot, error })
          .where('signature', '=', signature)
          .$if(!LANDED.includes(state), (update) => update.where('state', 'not in', LANDED))
          .execute();
        // A stored answer is never overwritten by a caller that knows only the outcome.
        if (answer !== null)
          await transaction
            .updateTable('intents')
            .set({ answer })
            .where('signature', '=', signature)
            .execute();
      }),
    ),

  unsettled: () =>
    guarded(async () => (await selectIntents(db).where('state', '=', 'signed').execute()).map(intentOf)),

  page: (limit, before) =>
    guarded(async () => {
      const rows = await selectIntents(db)
        .$if(before !== null, (query) =>
          query.where(({ eb, refTuple, tuple }) =>
            eb(refTuple('created_at_ms', 'intents.signature'), '<', tuple(BigInt(before!.atMs), before!.id)),
          ),
        )
        .orderBy('created_at_ms', 'desc')
        .orderBy('intents.signature', 'desc')
        .limit(limit)
        .execute();
      return rows.map(intentOf);
    }),

  pruneBefore: (olderThanMs, refusedBeforeMs = olderThanMs) =>
    guarded(async () => {
      const forgotten = await inBatches((limit) => pruneIntents(db, { olderThanMs, refusedBeforeMs }, limit));
      await pruneUnnamedSubmissions(db);
      return forgotten;
    }),
});

type Submission = Parameters<IntentLog['recordSigned']>[0]['submission'];
type Intent = Parameters<IntentLog['recordSigned']>[0];

const insertSubmission = async (db: Kysely<Database>, submission: Submission): Promise<void> => {
  await db
    .insertInto('submissions')
    .values({
      signature: submission.signature,
      wire_bytes: submission.wireBytes,
      last_valid_block_height: submission.lastValidBlockHeight,
      nonce_account: submission.nonce?.account ?? null,
      nonce_value: submission.nonce?.value ?? null,
      state: 'signed',
    })
    .onConflict((conflict) =>
      conflict
        .column('signature')
        .doUpdateSet({ state: 'signed', slot: null, error: null })
        .where('submissions.state', 'in', ['refused', 'expired']),
    )
    .execute();
};

const belongsToAnother = async (
  db: Kysely<Database>,
  { operation, wallet, key, submission }: Intent,
): Promise<boolean> => {
  const other = await db
    .selectFrom('intents')
    .select('key')
    .where('signature', '=', submission.signature)
    .where(({ not, and }) => not(and({ operation, wallet, key })))
    .executeTakeFirst();
  return other !== undefined;
};

/** Points the intent to its new submission. Returns false if another process changed the intent first. */
const pointIntent = async (
  db: Kysely<Database>,
  { operation, wallet, key, parameters, source, createdAtMs, submission: { signature } }: Intent,
  replaces: string | null,
): Promise<boolean> => {
  if (replaces === null) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('intents')
      .values({ operation, wallet, key, parameters, source, created_at_ms: BigInt(createdAtMs), signature })
      .onConflict((conflict) => conflict.columns(['operation', 'wallet', 'key']).doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }
  const { numUpdatedRows } = await db
    .updateTable('intents')
    .set({ parameters, source, created_at_ms: BigInt(createdAtMs), signature, answer: null })
    .where('operation', '=', operation)
    .where('wallet', '=', wallet)
    .where('key', '=', key)
    .where('signature', '=', replaces)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
};

const pruneIntents = async (
  db: Kysely<Database>,
  { olderThanMs, refusedBeforeMs }: { readonly olderThanMs: number; readonly refusedBeforeMs: number },
  limit: number,
): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('intents')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('operation', 'wallet', 'key'),
        'in',
        selectFrom('intents as old')
          .innerJoin('submissions', 'submissions.signature', 'old.signature')
          .select(['old.operation', 'old.wallet', 'old.key'])
          .where(({ eb, or, and }) =>
            or([
              eb('old.created_at_ms', '<', BigInt(olderThanMs)),
              and([
                eb('old.operation', '=', 'submit'),
                eb('submissions.state', '=', 'refused'),
                eb('old.created_at_ms', '<', BigInt(refusedBeforeMs)),
              ]),
            ]),
          )
          .where('submissions.state', '<>', 'signed')
          .where(({ eb, not, or, and }) =>
            or([
              eb('submissions.state', '<>', 'confirmed'),
              // A stake signed by the service is stored permanently: made by the one-shot call, or by a builder whose stake account
              // signed. Other transactions can be submitted by anyone in large numbers.
              not(
                or([
                  eb('old.operation', '=', 'stake'),
                  and([
                    eb('old.operation', '=', 'submit'),
                    eb('old.parameters', 'like', '%"stakeSignedHere":true%'),
                  ]),
                ]),
              ),
            ]),
          )
          .limit(limit)
          .$asTuple('operation', 'wallet', 'key'),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
};

/** Deletes settled submissions without an intent. Scans all submissions in order, one page per statement. */
const pruneUnnamedSubmissions = async (db: Kysely<Database>): Promise<void> => {
  let after = '';
  await inBatches(async (limit) => {
    const page = await db
      .selectFrom('submissions')
      .select('signature')
      .where('signature', '>', after)
      .orderBy('signature')
      .limit(limit)
      .execute();
    const last = page.at(-1)?.signature;
    if (last === undefined) return 0;
    await db
      .deleteFrom('submissions')
      .where('signature', '>', after)
      .where('signature', '<=', last)
      .where('state', '<>', 'signed')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('intents')
              .select('intents.key')
              .whereRef('intents.signature', '=', 'submissions.signature'),
          ),
        ),
      )
      .execute();
    after = last;
    return page.length;
  });
};

const submissionColumns = [
  'submissions.signature',
  'wire_bytes',
  'last_valid_block_height',
  'nonce_account',
  'nonce_value',
  'state',
  'slot',
  'error',
] as const;

const selectIntents = (db: Kysely<Database>) =>
  db
    .selectFrom('intents')
    .innerJoin('submissions', 'submissions.signature', 'intents.signature')
    .select([
      'operation',
      'wallet',
      'key',
      'parameters',
      'source',
      'created_at_ms',
      'answer',
      ...submissionColumns,
    ]);

type IntentRow = Awaited<ReturnType<ReturnType<typeof selectIntents>['executeTakeFirstOrThrow']>>;
type SubmissionRow = Pick<IntentRow, keyof Database['submissions']>;

const submissionFromWire = (row: SubmissionRow): SubmissionRecord => ({
  signature: row.signature,
  wireBytes: new Uint8Array(row.wire_bytes),
  lastValidBlockHeight: row.last_valid_block_height,
  nonce:
    row.nonce_account === null || row.nonce_value === null
      ? null
      : { account: row.nonce_account, value: row.nonce_value },
  state: row.state,
  slot: row.slot,
  error: row.error,
});

const intentOf = (row: IntentRow): IntentRecord => ({
  operation: row.operation,
  wallet: row.wallet,
  key: row.key,
  parameters: row.parameters,
  source: row.source,
  createdAtMs: Number(row.created_at_ms),
  answer: row.answer,
  submission: submissionFromWire(row),
});
