// Sends a test notification to a webhook. A 2xx response re-enables a disabled webhook.

import { z } from 'zod';
import { AppError } from '../../kernel/app-error.ts';
import { step } from '../../kernel/guidance.ts';
import { sentence, sentenceMembers } from '../../kernel/sentence.ts';
import { defineOperation } from '../operation.ts';
import { sentenceShape } from '../shared-schemas.ts';
import { pingOf } from './registration-notices.ts';
import { provenLivingRegistration } from './require-webhook-secret.ts';
import { webhookId, webhookSecret } from './webhook-input.ts';

/** `POST /api/v1/webhooks/{id}/ping` */
export const pingWebhook = defineOperation({
  name: 'pingWebhook',
  summary: 'Send a test notification',
  description:
    "Delivers a signed notification of type ping, retrying for a minute. The result is in the delivery log. A 2xx response to the ping re-enables a disabled webhook. Until a receiver has responded to a ping, one ping follows the whole schedule, and this call makes its next attempt due now. Requires the webhook's secret as a bearer token.",
  effect: 'build',
  input: z.object({ id: webhookId, secret: webhookSecret }),
  output: z.object({
    id: z.string(),
    eventId: z.string().meta({ description: 'webhook-id of the ping.' }),
    ...sentenceShape('message'),
  }),
  errors: ['NOT_FOUND', 'WEBHOOK_LIMIT', 'STORE_UNAVAILABLE'],
  presentation: { NOT_FOUND: { title: 'Webhook not found' } },
  async run({ ctx, input, signal }) {
    const registration = await provenLivingRegistration(ctx, input);
    const { id, walletAddress, lastDeliveryAtMs } = registration;
    // A policy's callback gets offers before it has responded to a ping. If it has accepted no delivery yet, it
    // is treated like a receiver that never responded.
    const awaitsAnswer = registration.awaitsAnswer || lastDeliveryAtMs === null;
    const ping = await pingOf(ctx, { id, walletAddress, awaitsAnswer }, signal);
    const eventId = awaitsAnswer ? await ctx.store.outbox.ask(ping) : ping.id;
    if (eventId === null)
      throw new AppError(
        'WEBHOOK_LIMIT',
        'This receiver has not responded to a ping yet, and the last ping failed less than 24 hours ago.',
        {
          reason: 'PING',
          suggestedAction:
            'Ping again 24 hours after the last ping, or register a webhook for a receiver that responds.',
        },
      );
    if (!awaitsAnswer) await ctx.store.outbox.record([ping]);
    ctx.events.wakeDelivery();
    return {
      body: {
        id,
        eventId,
        ...sentenceMembers('message', sentence('PING_BEGINS', 'The ping is being delivered.')),
      },
      meta: { nextSteps: { deliveries: step('listDeliveries', { id }) } },
    };
  },
});
