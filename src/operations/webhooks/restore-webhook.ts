// Restores a deleted webhook for the holder of its secret.

import { z } from 'zod';
import { AppError } from '../../kernel/app-error.ts';
import { step } from '../../kernel/guidance.ts';
import { sentence, sentenceMembers } from '../../kernel/sentence.ts';
import { defineOperation } from '../operation.ts';
import { sentenceShape } from '../shared-schemas.ts';
import { capsOf, limitReached } from './registration-caps.ts';
import { registrationShape, showRegistration } from './registration-view.ts';
import { provenRegistration } from './require-webhook-secret.ts';
import { webhookId, webhookSecret } from './webhook-input.ts';

/** `POST /api/v1/webhooks/{id}/restore` */
export const restoreWebhook = defineOperation({
  name: 'restoreWebhook',
  summary: 'Restore a deleted webhook',
  description:
    "Undoes a deletion within 30 days, with the same id and secret. Events from while it was deleted are delivered now, and from then on it can only be deleted with its secret. Restoring a webhook that is not deleted changes nothing. Requires the webhook's secret as a bearer token.",
  effect: 'build',
  input: z.object({ id: webhookId, secret: webhookSecret }),
  output: z.object({ ...registrationShape, ...sentenceShape('message') }),
  errors: ['NOT_FOUND', 'WEBHOOK_LIMIT', 'STORE_UNAVAILABLE'],
  presentation: { NOT_FOUND: { title: 'Webhook not found' } },
  async run({ ctx, input }) {
    const registration = await provenRegistration(ctx, input);
    // A policy's callback cannot be restored on its own.
    const restored =
      registration.kind === 'events'
        ? await ctx.store.webhooks.restore(registration.id, capsOf(ctx), ctx.clock.now())
        : null;
    if (restored === null)
      throw new AppError('NOT_FOUND', 'This webhook cannot be restored.', { reason: 'NOT_RESTORABLE' });
    if (restored.outcome === 'limit') throw limitReached(ctx, restored.limit);
    ctx.events.wakeDelivery();
    return {
      body: {
        ...showRegistration({ ...registration, deletedAtMs: null }, 'whole'),
        ...sentenceMembers(
          'message',
          registration.deletedAtMs === null
            ? sentence('WEBHOOK_NOT_DELETED', 'The webhook was not deleted; nothing was changed.')
            : sentence('WEBHOOK_RESTORED', 'The webhook is registered again.'),
        ),
      },
      meta: { nextSteps: { deliveries: step('listDeliveries', { id: registration.id }) } },
    };
  },
});
