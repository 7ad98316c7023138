// The health of the service's dependencies for its operator: RPC nodes, index, store, outbox.
import { z } from 'zod';
import { alertLevels } from '../../domain/alerts/alert-table.ts';
import { serviceAlarms } from '../../domain/alerts/service-alarm-table.ts';
import type { PriceLevel } from '../../domain/priority-levels.ts';
import { OPERATOR_WEBHOOK_ID } from '../../events/operator/operator-sinks.ts';
import { unlessUnavailable } from '../../validator/unless-unavailable.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import type { DependencyHealth } from '../service-ports.ts';
import { integer, timestamp } from '../shared-schemas.ts';
import { destinationStates } from './list-alerts.ts';

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

const networkSchema = z
  .object({
    priorityPrices: z.object({ low: z.number(), medium: z.number(), high: z.number() }).nullable().meta({
      description:
        'Estimated micro-lamports per compute unit that land now; 0 while blocks have room, null if no node answers.',
    }),
    recentTransactions: integer('Latest transactions sent through this service, 50 at most.'),
    recentlyExpired: integer('Those of them that expired before they were included.'),
  })
  .meta({ id: 'NetworkState', description: 'Whether the network is busy.' });

/** `GET /api/v1/operator/health` */
export const showServiceHealth = defineOperation({
  name: 'showServiceHealth',
  summary: 'Health of RPC nodes, index, store and outbox',
  description:
    'The alarms active in this process, and the dependencies listed by /ready, in full detail: each RPC node, the index, the store, pending and dead deliveries, and Redis if it is used; and whether the destinations of alerts accept them.',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    alarms: z.array(alarmSchema).meta({ description: 'Empty if all is well.' }),
    dependencies: z.array(dependencySchema),
    network: networkSchema,
    webhookSecret: z.string().nullable().meta({
      description: 'Signs deliveries to HOLDFAST_OPERATOR_WEBHOOK_URL (Standard Webhooks); null if not set.',
    }),
  }),
  errors: [],
  async run({ ctx, signal }) {
    const [parts, own, alerts, network] = await Promise.all([
      ctx.service.dependencies(),
      ctx.store.webhooks.find(OPERATOR_WEBHOOK_ID).catch(() => null),
      alertsHealth(ctx),
      networkState(ctx, signal),
    ]);
    const found: typeof parts = { ...parts, ...alerts };
    return {
      body: {
        alarms: ctx.service.alarms().map(({ sinceMs, ...alarm }) => ({
          ...alarm,
          since: new Date(sinceMs).toISOString(),
        })),
        webhookSecret: own && (ctx.events.webhookSecrets.of(own, ctx.clock.now())[0] ?? null),
        network,
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

/** Number of transactions in the share of those that expired. */
const RECENT = 50;

const networkState = async (ctx: Context, signal: AbortSignal): Promise<z.input<typeof networkSchema>> => {
  const priceOf = async (level: PriceLevel): Promise<number | null> => {
    const { microLamports } = await ctx.chain.cluster.priorityPrice([], level, signal);
    return microLamports === null ? null : Number(microLamports);
  };
  const [low, medium, high, recent] = await Promise.all([
    priceOf('low'),
    priceOf('medium'),
    priceOf('high'),
    unlessUnavailable(ctx.store.intents.page(RECENT, null)),
  ]);
  const states = recent?.map(({ submission }) => submission.state) ?? [];
  return {
    priorityPrices: low === null || medium === null || high === null ? null : { low, medium, high },
    recentTransactions: states.length,
    recentlyExpired: states.filter((state) => state === 'expired').length,
  };
};

const NAMES = { webhook: 'The signed webhook', notify: 'The text notification' } as const;
const DISABLED = {
  gone: 'is disabled, because its receiver answered 410 Gone',
  failing: 'is disabled, because every attempt failed for days',
} as const;

/**
 * Returns whether the destinations of the operator's alerts accept them; nothing if there are none, or while
 * the store is unavailable, which is a fault of its own.
 */
const alertsHealth = async (ctx: Context): Promise<Readonly<Record<string, DependencyHealth>>> => {
  const states = await unlessUnavailable(destinationStates(ctx));
  if (states === null || states.length === 0) return {};
  const faults = states.flatMap(({ destination, disabledReason, failingSince }) =>
    disabledReason !== null
      ? [`${NAMES[destination]} ${DISABLED[disabledReason]}. A test alert enables it again.`]
      : failingSince !== null
        ? [`${NAMES[destination]} has failed since ${failingSince.slice(0, 16).replace('T', ' ')} UTC.`]
        : [],
  );
  return {
    alerts: {
      ok: faults.length === 0,
      optional: true,
      ageSeconds: null,
      error: faults.length === 0 ? null : faults.join(' '),
    },
  };
};
