// Replaces a webhook's secret. For 24 hours, deliveries are also signed with the previous secret.

import { z } from 'zod';
import { ROTATION_OVERLAP_MS } from '../../events/delivery/webhook-secret.ts';
import { step } from '../../kernel/guidance.ts';
import { sentence, sentenceMembers } from '../../kernel/sentence.ts';
import { defineOperation } from '../operation.ts';
import { sentenceShape, timestamp } from '../shared-schemas.ts';
import { provenLivingRegistration } from './require-webhook-secret.ts';
import { webhookId, webhookSecret } from './webhook-input.ts';

/** `POST /api/v1/webhooks/{id}/rotate-secret` */
export const rotateWebhookSecret = defineOperation({
  name: 'rotateWebhookSecret',
  summary: 'Rotate the secret',
  description:
    "Creates a new secret. For 24 hours, every delivery has two signatures and both secrets work for management calls; after that, only the new one is valid. Older secrets become invalid immediately, so rotating twice locks out a leaked secret. Requires the webhook's secret as a bearer token.",
  effect: 'build',
  input: z.object({ id: webhookId, secret: webhookSecret }),
  output: z.object({
    id: z.string(),
    secret: z.string().meta({ description: 'The new secret (whsec_…); it is not shown again.' }),
    previousSecretUntil: timestamp('Time at which the previous secret expires.'),
    ...sentenceShape('message'),
  }),
  errors: ['NOT_FOUND', 'STORE_UNAVAILABLE'],
  presentation: { NOT_FOUND: { title: 'Webhook not found' } },
  async run({ ctx, input }) {
    const { id } = await provenLivingRegistration(ctx, input);
    const nowMs = ctx.clock.now();
    const rotated = await ctx.store.webhooks.rotate(id, nowMs);
    if (rotated === null) throw new Error('a registration that was just found is missing');
    return {
      body: {
        id,
        secret: ctx.events.webhookSecrets.of(rotated, nowMs)[0] as string,
        previousSecretUntil: new Date(nowMs + ROTATION_OVERLAP_MS).toISOString(),
        ...sentenceMembers(
          'message',
          sentence('SECRET_ROTATED', 'The secret was rotated. Save the new one: it is not shown again.'),
        ),
      },
      meta: { nextSteps: { test: step('pingWebhook', { id }) } },
    };
  },
});
