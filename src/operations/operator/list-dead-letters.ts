// Lists the dead letters of all webhooks, for the operator.
import { z } from 'zod';
import type { Attempt, Receiver } from '../../store/outbox/outbox.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { integer, pageCursor, timestamp } from '../shared-schemas.ts';
import { formatCursor, parseCursor } from '../webhooks/page-cursor.ts';
import { readRecords, recordsAsOfSchema } from './last-records.ts';

const deadLetterSchema = z
  .object({
    id: z.string().meta({ description: 'webhook-id of every attempt.' }),
    webhookId: z.string(),
    walletAddress: z.string().nullable(),
    callbackHost: z.string().nullable(),
    webhookDisabled: z
      .string()
      .nullable()
      .meta({ description: 'Reason why the webhook gets only pings; null while active.' }),
    type: z.string(),
    timestamp: timestamp('Time of the event.'),
    deadAt: timestamp('Time of the last failed attempt.').nullable(),
    expiresAt: timestamp('No attempts are made from this time on.').nullable(),
    attempts: integer('Attempts of the last schedule.'),
    lastOutcome: z.string().nullable(),
    lastStatus: integer('HTTP status of the last attempt; null if the receiver did not respond.').nullable(),
  })
  .meta({ id: 'DeadLetter' });

const receiverSchema = z
  .object({
    callbackHost: z.string().nullable().meta({ description: 'Null for the destinations of your alerts.' }),
    webhooks: integer('Its webhooks with waiting or dead deliveries.'),
    disabledWebhooks: integer('Number of these that get only pings.'),
    failingWebhooks: integer('Number of these whose attempts fail but continue.'),
    deletedWebhooks: integer('Number of these that were deleted.'),
    failingSince: timestamp(
      'Time since which every attempt to one of them has failed; null if only deleted ones fail.',
    ).nullable(),
    waiting: integer('Deliveries that are waiting for an attempt.'),
    dead: integer('Dead letters.'),
    nextAttemptAt: timestamp('Time of the next attempt.').nullable(),
    lastOutcome: z.string().nullable().meta({ description: 'Outcome of the last attempt; null before it.' }),
    lastStatus: integer(
      'HTTP status of the last attempt; null if there was no response, or if the receiver accepted it.',
    ).nullable(),
    lastAttemptAt: timestamp('Time of the last attempt.').nullable(),
  })
  .meta({ id: 'DeliveryReceiver' });

const hostOf = ({ kind, callbackUrl }: Receiver): string | null =>
  kind === 'operator' ? null : new URL(callbackUrl).host;

const earliest = (times: readonly (number | null)[]): string | null => {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : instant(Math.min(...known));
};

/**
 * Counts webhooks by state. A deleted webhook counts only as deleted, and a disabled one does not count as
 * failing.
 */
const stateOf = ({ isDeleted, isDisabled, failingSinceMs }: Receiver) =>
  isDeleted ? 'deleted' : isDisabled ? 'disabled' : failingSinceMs !== null ? 'failing' : 'ok';

/** Returns the last attempt: of a waiting or dead delivery, or of a later one that was accepted. */
const lastAttemptOf = ({
  lastAttempt,
  lastAcceptedAtMs,
}: Receiver): readonly Pick<Attempt, 'atMs' | 'outcome' | 'status'>[] =>
  lastAcceptedAtMs !== null && lastAcceptedAtMs > (lastAttempt?.atMs ?? 0)
    ? [{ atMs: lastAcceptedAtMs, outcome: 'delivered', status: null }]
    : lastAttempt === null
      ? []
      : [lastAttempt];

/** Aggregates the webhooks by host. */
const receiversByHost = (receivers: readonly Receiver[]): z.input<typeof receiverSchema>[] =>
  [...Map.groupBy(receivers, hostOf)].map(([callbackHost, webhooks]) => {
    const inState = Map.groupBy(webhooks, stateOf);
    const { failing = [], disabled = [], deleted = [] } = Object.fromEntries(inState);
    const last = webhooks
      .flatMap(lastAttemptOf)
      .toSorted((a, b) => a.atMs - b.atMs)
      .at(-1);
    return {
      callbackHost,
      webhooks: webhooks.length,
      disabledWebhooks: disabled.length,
      failingWebhooks: failing.length,
      deletedWebhooks: deleted.length,
      failingSince: earliest([...failing, ...disabled].map(({ failingSinceMs }) => failingSinceMs)),
      waiting: webhooks.reduce((sum, { waiting }) => sum + waiting, 0),
      dead: webhooks.reduce((sum, { dead }) => sum + dead, 0),
      nextAttemptAt: earliest(webhooks.map(({ nextAttemptAtMs }) => nextAttemptAtMs)),
      lastOutcome: last?.outcome ?? null,
      lastStatus: last?.status ?? null,
      lastAttemptAt: instant(last?.atMs ?? null),
    };
  });

const MAX_LETTERS = 100;

/** Reads a page of dead letters with their webhooks, and on the first page the receivers. */
export const readDeadLetters = (ctx: Context, limit: number = MAX_LETTERS, cursor?: string) =>
  readRecords(ctx, `dead letters ${limit} ${cursor ?? ''}`, async () => {
    const before = parseCursor(cursor);
    const { outbox, webhooks } = ctx.store;
    const [found, receivers] = await Promise.all([
      outbox.deliveries(null, { limit: limit + 1, before, state: 'dead' }),
      before === null ? outbox.receivers() : [],
    ]);
    const ids = [...new Set(found.map(({ registrationId }) => registrationId))];
    const owners = new Map(await Promise.all(ids.map(async (id) => [id, await webhooks.find(id)] as const)));
    return { found, receivers, owners };
  });

/** `GET /api/v1/operator/dead-letters` */
export const listDeadLetters = defineOperation({
  name: 'listDeadLetters',
  summary: 'Dead letters',
  description:
    'Dead deliveries of every webhook, newest first, each with the outcome of its last attempt. They are kept for 30 days and can be sent again. `receivers` adds up waiting and dead deliveries by host.',
  effect: 'read',
  input: z.object({
    limit: z.number().int().min(1).max(MAX_LETTERS).default(20).meta({ description: 'Deliveries per page.' }),
    cursor: pageCursor,
  }),
  output: z.object({
    deadLetters: z.array(deadLetterSchema),
    receivers: z.array(receiverSchema).meta({
      description:
        'Hosts with waiting or dead deliveries, those with the most first; empty after the first page.',
    }),
    nextCursor: z.string().nullable().meta({ description: 'Null on the last page.' }),
    recordsAsOf: recordsAsOfSchema,
  }),
  errors: ['STORE_UNAVAILABLE'],
  async run({ ctx, input: { limit, cursor } }) {
    const { records, recordsAsOf } = await readDeadLetters(ctx, limit, cursor);
    const { found, receivers, owners } = records;
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      body: {
        deadLetters: page.map((delivery) => {
          const owner = owners.get(delivery.registrationId);
          const attempt = delivery.attemptLog.at(-1);
          return {
            id: delivery.id,
            webhookId: delivery.registrationId,
            walletAddress: owner?.walletAddress ?? null,
            callbackHost: owner ? new URL(owner.callbackUrl).host : null,
            webhookDisabled: owner?.deletedAtMs ? 'deleted' : (owner?.disabledReason ?? null),
            type: delivery.type,
            timestamp: new Date(delivery.atMs).toISOString(),
            deadAt: instant(delivery.settledAtMs),
            expiresAt: instant(delivery.expiresAtMs),
            attempts: delivery.attempts,
            lastOutcome: attempt?.outcome ?? null,
            lastStatus: attempt?.status ?? null,
          };
        }),
        receivers: receiversByHost(receivers),
        nextCursor: found.length > limit && last ? formatCursor(last) : null,
        recordsAsOf,
      },
    };
  },
});

const instant = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
