// Lists the permanently failed deliveries of all webhooks, for the operator.
import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { integer, timestamp } from '../shared-schemas.ts';
import { formatCursor, parseCursor } from '../webhooks/page-cursor.ts';
import { pageCursor } from '../webhooks/webhook-input.ts';

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
    lastStatus: integer('HTTP status of the last attempt; null if the receiver did not answer.').nullable(),
  })
  .meta({ id: 'DeadLetter' });

/** `GET /api/v1/operator/dead-letters` */
export const listDeadLetters = defineOperation({
  name: 'listDeadLetters',
  summary: 'Deliveries that failed for good',
  description:
    'Dead deliveries of every webhook, newest first, each with the outcome of its last attempt. They are kept for 30 days and can be sent again.',
  effect: 'read',
  input: z.object({
    limit: z.number().int().min(1).max(100).default(20).meta({ description: 'Deliveries per page.' }),
    cursor: pageCursor,
  }),
  output: z.object({
    deadLetters: z.array(deadLetterSchema),
    nextCursor: z.string().nullable().meta({ description: 'Null on the last page.' }),
  }),
  errors: ['STORE_UNAVAILABLE'],
  async run({ ctx, input: { limit, cursor } }) {
    const before = parseCursor(cursor);
    const found = await ctx.store.outbox.deliveries(null, { limit: limit + 1, before, state: 'dead' });
    const page = found.slice(0, limit);
    const owners = new Map(
      await Promise.all(
        [...new Set(page.map(({ registrationId }) => registrationId))].map(
          async (id) => [id, await ctx.store.webhooks.find(id)] as const,
        ),
      ),
    );
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
        nextCursor: found.length > limit && last ? formatCursor(last) : null,
      },
    };
  },
});

const instant = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
