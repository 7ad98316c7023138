// Lists transactions that this service signed and submitted, newest first, for its operator.
import { z } from 'zod';
import { actNames } from '../../domain/transaction/stake-acts.ts';
import { kinds } from '../../domain/transaction/transaction-kinds.ts';
import { recognizeWire, recordedKind } from '../act/intents/recognize-transaction.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { integer, pageCursor, timestamp } from '../shared-schemas.ts';
import { formatCursor, parseCursor } from '../webhooks/page-cursor.ts';
import { readRecords, recordsAsOfSchema } from './last-records.ts';

const submissionSchema = z
  .object({
    signature: z.string(),
    operation: z.string().meta({
      description:
        'submit: signed by the caller. Any other: signed by the service with a key sent to it once.',
    }),
    kind: z.string().meta({
      description: 'Kind of the transaction, e.g. stake; other if it is not exactly one of ours.',
    }),
    title: z.string().meta({
      description: 'Its effects in words, e.g. Undo unstake; only its kind until it lands.',
    }),
    walletAddress: z.string(),
    walletLabel: z.string().nullable().meta({ description: 'The operator’s label for the wallet.' }),
    source: z.string().meta({ description: 'Interface that was used.' }),
    createdAt: timestamp('Time at which it was recorded, before it was first sent.'),
    state: z.enum(['signed', 'confirmed', 'failed', 'expired', 'refused']),
    slot: integer('Slot in which it landed.').nullable(),
    error: z.string().nullable().meta({ description: "The chain's error as JSON text." }),
  })
  .meta({ id: 'OperatorSubmission' });

const PAGE = 50;

/** Reads a page of submissions with the labels of their wallets and their landed transactions. */
export const readSubmissions = (ctx: Context, limit: number = PAGE, cursor?: string) =>
  readRecords(ctx, `submissions ${limit} ${cursor ?? ''}`, async () => {
    const found = await ctx.store.intents.page(limit + 1, parseCursor(cursor));
    const [labels, landed] = await Promise.all([
      ctx.store.delegators.labels([...new Set(found.map(({ wallet }) => wallet))]),
      ctx.store.transactions.find(found.map(({ submission }) => submission.signature)),
    ]);
    return { found, labels, landed };
  });

/** `GET /api/v1/operator/submissions` */
export const listSubmissions = defineOperation({
  name: 'listSubmissions',
  summary: 'Transactions signed and submitted here',
  description:
    'Every intent with its latest submission, newest first. Stakes signed here are kept permanently, everything else for 30 days.',
  effect: 'read',
  input: z.object({
    limit: z.number().int().min(1).max(200).default(PAGE).meta({ description: 'Submissions per page.' }),
    cursor: pageCursor,
  }),
  output: z.object({
    submissions: z.array(submissionSchema),
    nextCursor: z.string().nullable().meta({ description: 'Null on the last page.' }),
    recordsAsOf: recordsAsOfSchema,
  }),
  errors: ['STORE_UNAVAILABLE'],
  async run({ ctx, input: { limit, cursor } }) {
    const { records, recordsAsOf } = await readSubmissions(ctx, limit, cursor);
    const { found, labels, landed } = records;
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      body: {
        submissions: page.map(({ operation, wallet, source, createdAtMs, submission }) => {
          const { signature, state, slot, error } = submission;
          const kind = recordedKind(recognizeWire(ctx, submission.wireBytes).seen);
          const record = landed.get(signature);
          return {
            signature,
            operation,
            kind,
            title: record ? actNames(record) : kind === 'other' ? 'Other' : kinds[kind].verb,
            walletAddress: wallet,
            walletLabel: labels.get(wallet) ?? null,
            source,
            createdAt: new Date(createdAtMs).toISOString(),
            state,
            slot: slot === null ? null : Number(slot),
            error,
          };
        }),
        nextCursor:
          found.length > limit && last
            ? formatCursor({ atMs: last.createdAtMs, id: last.submission.signature })
            : null,
        recordsAsOf,
      },
    };
  },
});
