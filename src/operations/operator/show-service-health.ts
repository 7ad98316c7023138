// The health of the service's dependencies for its operator: RPC nodes, index, store, outbox.
import { z } from 'zod';
import { alertLevels } from '../../domain/alerts/alert-table.ts';
import { serviceAlarms } from '../../domain/alerts/service-alarm-table.ts';
import { OPERATOR_WEBHOOK_ID } from '../../events/operator/operator-sinks.ts';
import { defineOperation } from '../operation.ts';
import { timestamp } from '../shared-schemas.ts';

const dependencySchema = z
  .object({
    name: z.string(),
    ok: z.boolean(),
    optional: z
      .boolean()
      .meta({ description: 'The service works without it, but slower or with fewer features.' }),
    ageSeconds: z.number().nullable(),
    error: z.string().nullable(),
    details: z.record(z.string(), z.unknown()).meta({
      description: 'Details specific to it, such as each RPC node with its slot and last error.',
    }),
  })
  .meta({ id: 'Dependency' });

const alarmSchema = z
  .object({
    alarm: z.enum(serviceAlarms),
    level: z.enum(alertLevels),
    title: z.string(),
    since: timestamp('When the problem began.'),
  })
  .meta({ id: 'ActiveAlarm' });

/** `GET /api/v1/operator/health` */
export const showServiceHealth = defineOperation({
  name: 'showServiceHealth',
  summary: 'Health of RPC nodes, index, store and outbox',
  description:
    'The alarms active in this process, and the dependencies listed by /ready, in full detail: each RPC node, the index, the store, pending and dead deliveries, and Redis if it is used.',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    alarms: z.array(alarmSchema).meta({ description: 'Empty if all is well.' }),
    dependencies: z.array(dependencySchema),
    webhookSecret: z.string().nullable().meta({
      description: 'Signs deliveries to HOLDFAST_OPERATOR_WEBHOOK_URL (Standard Webhooks); null if not set.',
    }),
  }),
  errors: [],
  async run({ ctx }) {
    const [found, own] = await Promise.all([
      ctx.service.dependencies(),
      ctx.store.webhooks.find(OPERATOR_WEBHOOK_ID).catch(() => null),
    ]);
    return {
      body: {
        alarms: ctx.service.alarms().map(({ sinceMs, ...alarm }) => ({
          ...alarm,
          since: new Date(sinceMs).toISOString(),
        })),
        webhookSecret: own && (ctx.events.webhookSecrets.of(own, ctx.clock.now())[0] ?? null),
        dependencies: Object.entries(found).map(
          ([name, { ok, ageSeconds, error, optional = false, details = {} }]) => ({
            name,
            ok,
            optional,
            ageSeconds,
            error,
            details: { ...details },
          }),
        ),
      },
    };
  },
});
