// Sends a webhook a test notification; one that is answered 2xx brings a disabled webhook back.
import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { pingOf } from './notices.ts';
import { provenLivingRegistration } from './proven-registration.ts';
import { webhookId, webhookSecret } from './webhook-input.ts';

/** `POST /api/v1/webhooks/{id}/ping` */
export const pingWebhook = defineOperation({
  name: 'pingWebhook',
  summary: 'Send a test notification',
  description:
    "Delivers a signed notification of type ping, attempted for a minute. How it went stands in the delivery log. A disabled webhook is enabled again when its ping is answered 2xx. Takes the webhook's secret as bearer token.",
  effect: 'build',
  input: z.object({ id: webhookId, secret: webhookSecret }),
  output: z.object({
    id: z.string(),
    eventId: z.string().meta({ description: 'webhook-id of the ping.' }),
    message: z.string(),
  }),
  errors: ['NOT_FOUND', 'STORE_UNAVAILABLE'],
  presentation: { NOT_FOUND: { title: 'Webhook not found' } },
  async run({ ctx, input, signal }) {
    const registration = await provenLivingRegistration(ctx, input);
    const ping = await pingOf(ctx, registration, signal);
    await ctx.outbox.record([ping]);
    ctx.wakeDelivery();
    return {
      body: { id: registration.id, eventId: ping.id, message: 'The ping is on its way.' },
      meta: { nextSteps: { deliveries: `/api/v1/webhooks/${registration.id}/deliveries` } },
    };
  },
});
