// Returns the delivery log of a webhook: notifications, delivery attempts and pending deliveries.
import { z } from 'zod';
import type { Attempt, Delivery } from '../../store/outbox/outbox.ts';
import { defineOperation } from '../operation.ts';
import { integer, pageCursor, timestamp } from '../shared-schemas.ts';
import { formatCursor, parseCursor } from './page-cursor.ts';
import { provenRegistration } from './require-webhook-secret.ts';
import { webhookId, webhookSecret } from './webhook-input.ts';

const attemptSchema = z
  .object({
    number: integer('Number of the attempt, starting at 1 and including replays.'),
    at: timestamp('Start of the attempt.'),
    durationMs: z.number(),
    status: integer('HTTP status; null if the receiver did not respond.').nullable(),
    outcome: z.string().meta({ description: 'delivered, or the failure in fixed words.' }),
    answerBytes: integer('Number of bytes read from the response body.'),
  })
  .meta({ id: 'WebhookAttempt' });

const deliverySchema = z
  .object({
    id: z.string().meta({ description: 'webhook-id of every attempt.' }),
    type: z.string(),
    timestamp: timestamp('Time of the event.'),
    state: z.enum(['pending', 'delivered', 'dead']),
    attempts: integer('Attempts of the current schedule; a replay starts again.'),
    nextAttemptAt: timestamp('Null if none is due.').nullable(),
    settledAt: timestamp('Time at which it was delivered or became dead.').nullable(),
    expiresAt: timestamp('No attempts are made from this time on.').nullable(),
    data: z.record(z.string(), z.unknown()).meta({
      description:
        "The notification's data as it was recorded; each attempt of an autopilot_sweep adds its transaction.",
    }),
    attemptLog: z.array(attemptSchema),
  })
  .meta({ id: 'WebhookDelivery' });

/** `GET /api/v1/webhooks/{id}/deliveries` */
export const listDeliveries = defineOperation({
  name: 'listDeliveries',
  summary: "A webhook's delivery log",
  description:
    "Delivered, pending and failed notifications of a webhook, newest first, with every attempt. Available for 30 days after the last attempt. Requires the webhook's secret as a bearer token.",
  effect: 'read',
  input: z.object({
    id: webhookId,
    secret: webhookSecret,
    state: z
      .enum(['pending', 'delivered', 'dead'])
      .optional()
      .meta({ description: 'Only deliveries in this state; dead ones can be replayed.' }),
    limit: z.number().int().min(1).max(100).default(20).meta({ description: 'Deliveries per page.' }),
    cursor: pageCursor,
  }),
  output: z.object({
    id: z.string(),
    deliveries: z.array(deliverySchema),
    nextCursor: z.string().nullable().meta({ description: 'Null on the last page.' }),
  }),
  errors: ['NOT_FOUND', 'STORE_UNAVAILABLE'],
  presentation: { NOT_FOUND: { title: 'Webhook not found' } },
  async run({ ctx, input }) {
    const before = parseCursor(input.cursor);
    const { id } = await provenRegistration(ctx, input);
    const { limit, state = null } = input;
    const found = await ctx.store.outbox.deliveries(id, { limit: limit + 1, before, state });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      body: {
        id,
        deliveries: page.map(showDelivery),
        nextCursor: found.length > limit && last ? formatCursor(last) : null,
      },
    };
  },
});

const instant = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

const showDelivery = (
  delivery: Delivery & { readonly attemptLog: readonly Attempt[] },
): z.input<typeof deliverySchema> => ({
  id: delivery.id,
  type: delivery.type,
  timestamp: new Date(delivery.atMs).toISOString(),
  state: delivery.state,
  attempts: delivery.attempts,
  nextAttemptAt: instant(delivery.nextAttemptAtMs),
  settledAt: instant(delivery.settledAtMs),
  expiresAt: instant(delivery.expiresAtMs),
  data: JSON.parse(delivery.data),
  attemptLog: delivery.attemptLog.map(({ atMs, ...attempt }) => ({
    ...attempt,
    at: new Date(atMs).toISOString(),
  })),
});
