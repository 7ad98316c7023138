// Describes webhook deliveries for the `webhooks` section of the OpenAPI document: one entry per type.
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathItemObject } from 'zod-openapi';
import type { NotificationType } from '../../domain/notification-types.ts';
import { notificationDataSchemas } from '../../events/event-data.ts';
import { timestamp } from '../../operations/shared-schemas.ts';

const SUMMARIES: Readonly<Record<NotificationType, string>> = {
  withdraw_ready: 'A stake account can be withdrawn in full',
  epoch_complete: 'An epoch has ended and its rewards have been paid out',
  stake_activated: 'A stake account has become fully active for the first time since its delegation',
  stake_deactivated: 'A stake account was deactivated',
  stake_authority_changed: 'A transaction changed an authority of a stake account',
  stake_lockup_changed: 'A transaction changed the lockup of a stake account',
  stake_moved_away: 'A stake was delegated to another validator, or withdrawn to another address',
  unexpected_deactivation: 'A stake was deactivated by someone other than the wallet',
  wallet_owner_changed: 'The wallet’s account was assigned to another program',
  validator_changed:
    'The validator became delinquent or recovered, earned nothing in an epoch, changed a commission or collector, or became open to deactivation by anyone; or a cluster limit changed',
  ping: 'A requested test delivery',
  registration_deleted: 'The registration was deleted; this is its last delivery',
  autopilot_sweep: 'A policy offers an unsigned stake transaction',
  autopilot_failed: 'A policy’s offer ended without being accepted',
};

const headers = z.object({
  'webhook-id': z.string().meta({ description: 'Id of the event; the same in every attempt.' }),
  'webhook-timestamp': z
    .string()
    .meta({ description: 'Time of the attempt, in seconds since the Unix epoch.' }),
  'webhook-signature': z.string().meta({
    description: 'HMAC-SHA256 of id, timestamp and body (Standard Webhooks 1.0.0): `v1,` and base64.',
  }),
});

const describe = (type: NotificationType): ZodOpenApiOperationObject => ({
  operationId: `deliver_${type}`,
  summary: SUMMARIES[type],
  description: 'Sent to the callback of a registration, signed according to Standard Webhooks 1.0.0.',
  tags: ['Webhooks'],
  requestParams: { header: headers },
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: z.object({
          id: z.string().meta({ description: 'Same as the header webhook-id.' }),
          type: z.literal(type),
          timestamp: timestamp('Time at which the service noticed the event.'),
          data: notificationDataSchemas[type],
        }),
      },
    },
  },
  responses: {
    '2XX': { description: 'Received. The body is ignored.' },
    '410': { description: 'Disables the registration immediately. Any other failure is retried.' },
  },
});

/** Keyed by type. */
export const describeWebhooks = (): Record<string, ZodOpenApiPathItemObject> =>
  Object.fromEntries(
    Object.keys(SUMMARIES).map((type) => [type, { post: describe(type as NotificationType) }]),
  );
