// Shows the state of one delivery, for example the outcome of a dead letter that was sent again.
import { z } from 'zod';
import { AppError } from '../../kernel/app-error.ts';
import { guidance, step } from '../../kernel/guidance.ts';
import { defineOperation } from '../operation.ts';
import { integer, timestamp } from '../shared-schemas.ts';

/** `GET /api/v1/operator/deliveries/{id}` */
export const showDelivery = defineOperation({
  name: 'showDelivery',
  summary: 'State of a delivery',
  description:
    'The state of one delivery and the outcome of its last attempt. After a dead letter was sent again, attempts is 0 until the receiver has responded.',
  effect: 'read',
  input: z.object({ id: z.string().min(1).max(128).meta({ description: 'The delivery.' }) }),
  output: z.object({
    id: z.string(),
    state: z.enum(['pending', 'delivered', 'dead']),
    attempts: integer('Attempts of the current schedule.'),
    lastOutcome: z.string().nullable().meta({ description: 'Outcome of the last attempt; null before it.' }),
    lastStatus: integer('HTTP status of the last attempt; null if the receiver did not respond.').nullable(),
    nextAttemptAt: timestamp('Time of the next attempt; null if none is due.').nullable(),
  }),
  errors: ['NOT_FOUND', 'STORE_UNAVAILABLE'],
  presentation: { NOT_FOUND: { title: 'Delivery not found' } },
  async run({ ctx, input: { id } }) {
    const [found] = await ctx.store.outbox.deliveries(null, { id, limit: 1, before: null, state: null });
    if (found === undefined)
      throw new AppError('NOT_FOUND', 'No delivery has this id.', {
        reason: 'NO_DELIVERY',
        suggestedAction: guidance`${step('listDeadLetters')} lists the dead letters.`,
      });
    const { state, attempts, attemptLog, nextAttemptAtMs } = found;
    const last = attemptLog.at(-1);
    return {
      body: {
        id,
        state,
        attempts,
        lastOutcome: last?.outcome ?? null,
        lastStatus: last?.status ?? null,
        nextAttemptAt: nextAttemptAtMs === null ? null : new Date(nextAttemptAtMs).toISOString(),
      },
    };
  },
});
