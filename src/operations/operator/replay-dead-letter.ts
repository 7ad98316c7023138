// Sends a dead letter again, for the operator, who does not need the webhook's secret.

import { z } from 'zod';
import { AppError } from '../../kernel/app-error.ts';
import { guidance, step } from '../../kernel/guidance.ts';
import { defineOperation } from '../operation.ts';
import { webhookId } from '../webhooks/webhook-input.ts';

/** `POST /api/v1/operator/dead-letters/replay` */
export const replayDeadLetter = defineOperation({
  name: 'replayDeadLetter',
  summary: 'Send a dead delivery again',
  description:
    'Delivers again under the same webhook-id, from the first step of the schedule. Expired events are skipped; the owner of a disabled webhook must first re-enable it with a ping.',
  effect: 'build',
  input: z.object({
    webhookId,
    id: z.string().min(1).max(128).meta({ description: 'The delivery.' }),
  }),
  output: z.object({ id: z.string(), replayed: z.boolean() }),
  errors: ['NOT_FOUND', 'WEBHOOK_DISABLED', 'STORE_UNAVAILABLE'],
  presentation: { NOT_FOUND: { title: 'Webhook not found' } },
  async run({ ctx, input }) {
    const registration = await ctx.store.webhooks.find(input.webhookId);
    if (registration === null || registration.deletedAtMs !== null)
      throw new AppError('NOT_FOUND', 'No active webhook has this id.', {
        reason: 'NO_ACTIVE_WEBHOOK',
        suggestedAction: guidance`If it was deleted, only its owner can restore it, with its secret. ${step('listDeadLetters')} shows the webhook of each delivery.`,
      });
    if (registration.disabledReason !== null)
      throw new AppError('WEBHOOK_DISABLED', 'This webhook is disabled and gets only pings.', {
        reason: 'OF_OTHERS',
        suggestedAction: 'Ask its owner to ping it; a 2xx response to the ping re-enables it.',
      });
    const replayed = await ctx.store.outbox.replay(registration.id, { eventId: input.id }, ctx.clock.now());
    if (replayed > 0) ctx.events.wakeDelivery();
    return { body: { id: input.id, replayed: replayed > 0 } };
  },
});
