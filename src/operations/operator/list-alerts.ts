// Lists the alerts sent to the operator, newest first, with the delivery state at each destination.
import { z } from 'zod';
import { alertLevels, type OperatorAlert } from '../../domain/alerts/alert-table.ts';
import { OPERATOR_NOTIFY_ID, OPERATOR_WEBHOOK_ID } from '../../events/operator/operator-sinks.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { integer, timestamp } from '../shared-schemas.ts';
import { readRecords, recordsAsOfSchema } from './last-records.ts';

/** Maps registration ids to destination names. */
export const ALERT_DESTINATIONS: Readonly<Record<string, 'webhook' | 'notify'>> = {
  [OPERATOR_WEBHOOK_ID]: 'webhook',
  [OPERATOR_NOTIFY_ID]: 'notify',
};

/** A destination: the signed webhook, or the URL that accepts text. */
export const alertDestination = z
  .enum(['webhook', 'notify'])
  .meta({ description: 'webhook: HOLDFAST_OPERATOR_WEBHOOK_URL; notify: HOLDFAST_OPERATOR_NOTIFY_URL.' });

const destinationStateSchema = z
  .object({
    destination: alertDestination,
    disabledReason: z.enum(['failing', 'gone']).nullable().meta({
      description:
        'Null while alerts are sent. failing: every attempt failed for five days. gone: it responded with 410. A test alert re-enables it.',
    }),
    failingSince: timestamp(
      'Time since which every attempt has failed; null if the last one succeeded.',
    ).nullable(),
  })
  .meta({ id: 'AlertDestinationState' });

/**
 * Returns the state of each configured destination. Rejects with `AppError('STORE_UNAVAILABLE')` if the store
 * is unavailable.
 */
export const destinationStates = (
  ctx: Pick<Context, 'store' | 'events'>,
): Promise<z.input<typeof destinationStateSchema>[]> =>
  Promise.all(
    ctx.events.alertDestinations.map(async (id) => {
      const { disabledReason = null, failingSinceMs = null } = (await ctx.store.webhooks.find(id)) ?? {};
      return {
        destination: ALERT_DESTINATIONS[id]!,
        disabledReason,
        failingSince: failingSinceMs === null ? null : new Date(failingSinceMs).toISOString(),
      };
    }),
  );

const sentAlertSchema = z
  .object({
    id: z.string().meta({ description: 'webhook-id of every attempt.' }),
    at: timestamp('Time of the alert.'),
    destination: alertDestination,
    alert: z.string().meta({ description: 'Name of the alert, e.g. delegator_joined.' }),
    level: z.enum(alertLevels),
    title: z.string(),
    message: z.string(),
    since: timestamp('Start of the problem, if this is an alarm or its end.').nullable(),
    until: timestamp('End of the problem, if this is the end of an alarm.').nullable(),
    state: z.enum(['pending', 'delivered', 'dead']),
    attempts: integer('Attempts of the current schedule.'),
    lastOutcome: z.string().nullable().meta({ description: 'Outcome of the last attempt; null before it.' }),
    lastStatus: integer('HTTP status of the last attempt; null if the receiver did not respond.').nullable(),
  })
  .meta({ id: 'SentAlert' });

const MAX_ALERTS = 200;

const timeIn = (fact: OperatorAlert['facts'][string] | undefined): string | null =>
  typeof fact === 'string' ? fact : null;

/** Reads the newest alerts of both destinations, and the state of the destinations. */
export const readAlertRecords = (ctx: Context) =>
  readRecords(ctx, 'alerts', async () => {
    const [states, ...deliveries] = await Promise.all([
      destinationStates(ctx),
      ...Object.keys(ALERT_DESTINATIONS).map((id) =>
        ctx.store.outbox.deliveries(id, { limit: MAX_ALERTS, before: null, state: null }),
      ),
    ]);
    return { states, deliveries: deliveries.flat().sort((one, other) => other.atMs - one.atMs) };
  });

/** `GET /api/v1/operator/alerts` */
export const listAlerts = defineOperation({
  name: 'listAlerts',
  summary: 'Alerts sent to the operator',
  description:
    'The latest alerts for both destinations, newest first, each with its delivery state. Alerts are kept for 30 days. An alert sent to two destinations is listed twice.',
  effect: 'read',
  input: z.object({
    limit: z
      .number()
      .int()
      .min(1)
      .max(MAX_ALERTS)
      .default(50)
      .meta({ description: 'Maximum number of alerts.' }),
  }),
  output: z.object({
    destinations: z.array(alertDestination).meta({ description: 'Configured destinations.' }),
    destinationStates: z.array(destinationStateSchema).meta({ description: 'One per destination.' }),
    alerts: z.array(sentAlertSchema),
    recordsAsOf: recordsAsOfSchema,
  }),
  errors: ['STORE_UNAVAILABLE'],
  async run({ ctx, input: { limit } }) {
    const { records, recordsAsOf } = await readAlertRecords(ctx);
    return {
      body: {
        destinations: ctx.events.alertDestinations.map((id) => ALERT_DESTINATIONS[id]!),
        destinationStates: records.states,
        recordsAsOf,
        alerts: records.deliveries.slice(0, limit).map((delivery) => {
          const { alert, title, message, level, facts } = JSON.parse(delivery.data) as OperatorAlert;
          const attempt = delivery.attemptLog.at(-1);
          return {
            id: delivery.id,
            at: new Date(delivery.atMs).toISOString(),
            destination: ALERT_DESTINATIONS[delivery.registrationId]!,
            alert,
            level,
            title,
            message,
            since: timeIn(facts.since),
            until: timeIn(facts.until),
            state: delivery.state,
            attempts: delivery.attempts,
            lastOutcome: attempt?.outcome ?? null,
            lastStatus: attempt?.status ?? null,
          };
        }),
      },
    };
  },
});
