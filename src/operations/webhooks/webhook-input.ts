// Fields that several webhook operations accept.
import { z } from 'zod';
import { agentSchemas } from '../shared-schemas.ts';

/** Id of the registration. Text in another format cannot be an id and is answered with 404 instead of 400. */
export const webhookId = z
  .string()
  .min(1)
  .max(128)
  .meta({
    description: 'The id of the registration, as returned when registering and listing.',
    examples: ['4f0c1d7e9a2b46538d1f0a7c5e3b2916'],
  });

/** Proof that the caller registered the webhook. Over HTTP, it is the bearer token. */
export const webhookSecret = z.string().max(256).optional().meta({
  description:
    'The secret of the registration (whsec_…), returned when registering; for 24 hours after a rotation, also the previous one. Over HTTP: Authorization: Bearer.',
});
agentSchemas.add(webhookSecret, { description: 'The secret (whsec_…) returned when registering.' });
