// Formats a registration. Shows the full callback URL only to callers who proved that they know its secret.
import { z } from 'zod';
import { eventTypes } from '../../domain/notification-types.ts';
import type { Registration } from '../../store/registration-rows.ts';
import { timestamp } from '../shared-schemas.ts';

export const registrationShape = {
  id: z.string().meta({ description: 'Id of the registration; 32 hexadecimal characters.' }),
  walletAddress: z.string(),
  callbackUrl: z.string().meta({
    description:
      "URL to which events are delivered; only its origin unless the registration's own secret was presented.",
  }),
  events: z.array(z.enum(eventTypes)),
  status: z.enum(['active', 'disabled']).meta({
    description: 'A disabled webhook gets only pings; a 2xx response to a ping re-enables it.',
  }),
  disabledReason: z.enum(['failing', 'gone']).nullable().meta({
    description:
      'failing: no delivery was accepted for 5 days. gone: the receiver responded with 410. Null while active.',
  }),
  awaitsAnswer: z.boolean().meta({
    description:
      'True until the receiver has responded to a ping with 2xx. Until then, only pings are sent, and events wait.',
  }),
  createdAt: timestamp('Time of registration. Earlier events are not delivered.'),
  lastDeliveryAt: timestamp('Time of the last accepted delivery (2xx).').nullable(),
  failingSince: timestamp(
    'Time since which every attempt has failed; null if the last one succeeded.',
  ).nullable(),
};

export const registrationSchema = z.object(registrationShape).meta({ id: 'WebhookRegistration' });

const instant = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/**
 * Formats a registration. `callback` is `'whole'` for callers who sent the secret and `'origin'` for others.
 */
export const showRegistration = (
  registration: Registration,
  callback: 'origin' | 'whole',
): z.input<typeof registrationSchema> => ({
  id: registration.id,
  walletAddress: registration.walletAddress,
  callbackUrl: callback === 'whole' ? registration.callbackUrl : new URL(registration.callbackUrl).origin,
  events: [...registration.events],
  status: registration.disabledReason === null ? 'active' : 'disabled',
  disabledReason: registration.disabledReason,
  awaitsAnswer: registration.awaitsAnswer,
  createdAt: new Date(registration.createdAtMs).toISOString(),
  lastDeliveryAt: instant(registration.lastDeliveryAtMs),
  failingSince: instant(registration.failingSinceMs),
});
