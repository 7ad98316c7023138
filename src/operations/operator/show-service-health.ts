// Shows the operator the health of the service's dependencies: RPC nodes, index, store and outbox.
import { z } from 'zod';
import { alertLevels } from '../../domain/alerts/alert-table.ts';
import { runbookPath, serviceAlarms } from '../../domain/alerts/service-alarm-table.ts';
import { criticalNotice } from '../../domain/notice.ts';
import { utcTime } from '../../domain/utc-time.ts';
import { OPERATOR_WEBHOOK_ID } from '../../events/operator/operator-sinks.ts';
import { orAbort } from '../../kernel/abort.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { noticesBody, noticesMembers } from '../response-notices.ts';
import { networkSchema } from '../service/ready.ts';
import { validatorState } from '../service/validator-state.ts';
import type { DependencyHealth } from '../service-ports.ts';
import { timestamp } from '../shared-schemas.ts';
import { ALERT_DESTINATIONS, destinationStates } from './list-alerts.ts';

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
      description: 'Details specific to the dependency, such as each RPC node with its slot and last error.',
    }),
  })
  .meta({ id: 'Dependency' });

const alarmSchema = z
  .object({
    alarm: z.enum(serviceAlarms),
    level: z.enum(alertLevels),
    title: z.string(),
    since: timestamp('When the problem began.'),
    runbook: z.string().meta({
      description: 'Path of the instructions on this listener, because the public URL itself may be broken.',
    }),
  })
  .meta({ id: 'ActiveAlarm' });

/** `GET /api/v1/operator/health` */
export const showServiceHealth = defineOperation({
  name: 'showServiceHealth',
  summary: 'Health of RPC nodes, index, store and outbox',
  description:
    'The alarms active in this process, and the dependencies listed by /ready, in full detail: each RPC node, the index, the store, pending and dead deliveries, and Redis if it is used; whether the destinations of alerts accept them, and whether the validator votes and pays its stakers. The notices are those that stakers read before they sign; none while the chain cannot be read, because the last known state may have changed.',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    alarms: z.array(alarmSchema).meta({ description: 'Empty if all is well.' }),
    dependencies: z.array(dependencySchema),
    network: networkSchema,
    ...noticesMembers,
    webhookSecret: z.string().nullable().meta({
      description:
        'Used to sign deliveries to HOLDFAST_OPERATOR_WEBHOOK_URL (Standard Webhooks); null if not set.',
    }),
  }),
  errors: [],
  async run({ ctx }) {
    const [parts, own, alerts, network] = await Promise.all([
      ctx.service.dependencies(),
      orNull(ctx.store.webhooks.find(OPERATOR_WEBHOOK_ID)),
      alertsHealth(ctx),
      ctx.service.network.read(),
    ]);
    const isChainReachable = parts.rpc?.ok !== false;
    const found: typeof parts = {
      validator: validatorHealth(ctx, isChainReachable),
      ...parts,
      alerts,
    };
    return {
      body: {
        alarms: ctx.service.alarms().map(({ sinceMs, ...alarm }) => ({
          ...alarm,
          since: new Date(sinceMs).toISOString(),
          runbook: runbookPath(alarm.alarm),
        })),
        webhookSecret: own && (ctx.events.webhookSecrets.of(own, ctx.clock.now())[0] ?? null),
        network,
        ...noticesBody(isChainReachable ? ctx.validator.status.notices() : []),
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

/** Returns whether the validator votes and pays its stakers. If the chain cannot be read, no error is stated. */
const validatorHealth = (
  ctx: { readonly validator: Pick<Context['validator'], 'status'> },
  isChainReachable: boolean,
): DependencyHealth => {
  const critical = isChainReachable ? criticalNotice(ctx.validator.status.notices()) : undefined;
  return {
    ok: critical === undefined,
    ageSeconds: null,
    error: critical?.text ?? null,
    details: validatorState(ctx, isChainReachable),
  };
};

/** Maximum wait for a store that hangs, in ms. */
const STORE_WAIT_MS = 2_000;

/** Returns null if the store does not respond in time. */
const orNull = <T>(work: Promise<T>): Promise<T | null> =>
  orAbort(work, AbortSignal.timeout(STORE_WAIT_MS)).catch(() => null);

const NAMES = { webhook: 'The signed webhook', notify: 'The text notification' } as const;
const DISABLED = {
  gone: 'is disabled, because its receiver responded with 410 Gone',
  failing: 'is disabled, because every attempt failed for five days',
} as const;

/**
 * Returns whether the destinations of the operator's alerts accept them. Without destinations, the state is
 * healthy. An unavailable store is reported separately.
 */
const alertsHealth = async (ctx: Context): Promise<DependencyHealth> => {
  const destinations = ctx.events.alertDestinations.map((id) => ALERT_DESTINATIONS[id]!);
  const [states, refused] = await Promise.all([orNull(destinationStates(ctx)), orNull(refusedAlerts(ctx))]);
  const faults = (states ?? []).flatMap(({ destination, disabledReason, failingSince }) =>
    disabledReason !== null
      ? [`${NAMES[destination]} ${DISABLED[disabledReason]}. A test alert re-enables it.`]
      : failingSince !== null
        ? [`${NAMES[destination]} has failed since ${utcTime(Date.parse(failingSince))}.`]
        : [],
  );
  if (refused !== null && refused > 0)
    faults.push(
      `${refused === 1 ? '1 alert waits' : `${refused} alerts wait`} for another attempt, because the destination did not accept ${refused === 1 ? 'it' : 'them'}.`,
    );
  return {
    ok: faults.length === 0,
    optional: true,
    ageSeconds: null,
    error: faults.length === 0 ? null : faults.join(' '),
    details: { destinations, isKnown: states !== null && refused !== null },
  };
};

/** Maximum number of waiting alerts counted per destination. */
const MAX_COUNTED = 100;

/** Returns the number of alerts that a destination refused and that are waiting for another attempt. */
const refusedAlerts = async (ctx: Pick<Context, 'store' | 'events'>): Promise<number> => {
  const waiting = await Promise.all(
    ctx.events.alertDestinations.map((id) =>
      ctx.store.outbox.deliveries(id, { limit: MAX_COUNTED, before: null, state: 'pending' }),
    ),
  );
  return waiting.flat().filter(({ attempts }) => attempts > 0).length;
};
