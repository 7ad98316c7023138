// Sends a test alert to every destination that the operator configured.
import { z } from 'zod';
import type { OperatorAlert } from '../../domain/alerts/alert-table.ts';
import { operatorEvents } from '../../events/operator/operator-sinks.ts';
import { AppError } from '../../kernel/app-error.ts';
import { defineOperation } from '../operation.ts';
import { ALERT_DESTINATIONS, alertDestination } from './list-alerts.ts';

const TEST: OperatorAlert = {
  alert: 'test',
  level: 'info',
  title: 'Test alert',
  message: 'This is a test: alerts reach this destination. Nothing is wrong.',
  facts: {},
};

/** Time limit for delivery attempts of a test, because a late test alert would only cause alarm. */
const EXPIRES_MS = 10 * 60_000;

/** `POST /api/v1/operator/alerts/test` */
export const sendTestAlert = defineOperation({
  name: 'sendTestAlert',
  summary: 'Send a test alert',
  description:
    'Enables disabled destinations again and sends an alert named test to every configured one, retrying for ten minutes. The result appears in the list of alerts.',
  effect: 'build',
  input: z.object({}),
  output: z.object({
    destinations: z.array(alertDestination),
    ids: z.array(z.string()).meta({ description: 'Ids of the alerts in the list of alerts.' }),
  }),
  errors: ['NOT_CONFIGURED', 'NOT_READY', 'STORE_UNAVAILABLE'],
  async run({ ctx }) {
    const { alertDestinations } = ctx.events;
    if (alertDestinations.length === 0)
      throw new AppError('NOT_CONFIGURED', 'No destination for alerts is configured.', {
        reason: 'NO_DESTINATION',
        suggestedAction:
          'Set HOLDFAST_OPERATOR_WEBHOOK_URL or HOLDFAST_OPERATOR_NOTIFY_URL and restart the service.',
      });
    // Enabled first, because a disabled destination would not get the test.
    for (const id of alertDestinations) await ctx.store.webhooks.enable(id);
    const nowMs = ctx.clock.now();
    const events = operatorEvents({
      registrations: alertDestinations,
      genesisHash: ctx.chain.cluster.genesisHash,
      fact: `test ${nowMs}`,
      alert: TEST,
      atMs: nowMs,
      expiresAtMs: nowMs + EXPIRES_MS,
    });
    const added = new Set(await ctx.store.outbox.record(events));
    if (added.size === 0)
      throw new AppError('NOT_READY', 'The destinations are not registered yet.', {
        reason: 'DESTINATIONS',
        suggestedAction: 'Try again in a minute; the elected process registers them after it starts.',
        retryAfterSeconds: 30,
      });
    ctx.events.wakeDelivery();
    const sent = events.filter(({ id }) => added.has(id));
    return {
      body: {
        destinations: sent.map(({ registrationId }) => ALERT_DESTINATIONS[registrationId]!),
        ids: sent.map(({ id }) => id),
      },
    };
  },
});
