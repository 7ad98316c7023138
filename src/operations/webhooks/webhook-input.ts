// Input fields shared by several webhook operations.
import { z } from 'zod';
import { agentSchemas } from '../shared-schemas.ts';

/** Id of the registration. Text in any other format cannot be an id and gets 404 instead of 400. */
export const webhookId = z
  .string()
  .min(1)
  .max(128)
  .meta({
    description: 'The id of the registration, as returned when registering and listing.',
    examples: ['4f0c1d7e9a2b46538d1f0a7c5e3b2916'],
  });

/** Proof that the caller owns the webhook. Over HTTP, it is the bearer token. */
export const webhookSecret = z.string().max(256).optional().meta({
  description:
    'The secret of the registration (whsec_…), returned when registering; for 24 hours after a rotation, also the previous one. Over HTTP: Authorization: Bearer.',
});
agentSchemas.add(webhookSecret, { description: 'The secret (whsec_…) returned when registering.' });
