// Starts the delivery of webhooks in this process: the allowed targets, the delivery loop, its health and
// metrics, and the hourly pruning.
import { randomBytes } from 'node:crypto';
import { Agent } from 'undici';
import type { Config } from '../config/config.ts';
import { type CallbackUrlRules, createCallbackUrlRules } from '../events/callbacks/callback-url-rules.ts';
import { createGuardedAgent } from '../events/callbacks/guarded-agent.ts';
import { createNameResolver } from '../events/callbacks/guarded-dns-lookup.ts';
import {
  type AttemptOptions,
  attemptDelivery,
  type DeliveryDataBuilders,
} from '../events/delivery/attempt-delivery.ts';
import { type DeliveryLoop, startDeliveryLoop } from '../events/delivery/delivery-loop.ts';
import { createSendAttempt } from '../events/delivery/send-attempt.ts';
import { pruneOldWebhooks } from '../events/delivery/webhook-retention.ts';
import type { WebhookSecrets } from '../events/delivery/webhook-secret.ts';
import { type OperatorUrls, operatorSinks } from '../events/operator/operator-sinks.ts';
import { orAbort } from '../kernel/abort.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log/logger.ts';
import { runElected } from '../kernel/run-elected.ts';
import type { BackgroundWork } from '../kernel/run-repeatedly.ts';
import type { Gauge, Metrics } from '../observe/metrics.ts';
import type { DependencyHealth } from '../operations/service-ports.ts';
import type { NewEvent, Outbox } from '../store/outbox/outbox.ts';
import type { Store } from '../store/store.ts';
import { ageSeconds, STORE_PROBE_MS } from './health/dependency-health.ts';

/** Dependencies. */
interface OpenDeliveryOptions {
  readonly config: Pick<Config, 'webhookAllowCidrs' | 'webhookPorts' | 'bindsLoopback'>;
  readonly store: Pick<Store, 'engine' | 'outbox' | 'webhooks' | 'leadership'>;
  readonly secrets: Pick<WebhookSecrets, 'bytesOf'>;
  readonly operatorUrls?: OperatorUrls;
  /** Data builders for event types whose data is built at each attempt. Not called before `start`. */
  readonly composers: DeliveryDataBuilders;
  readonly metrics: Pick<Metrics, 'webhookAttempted'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface OpenDelivery {
  readonly targets: CallbackUrlRules;
  readonly start: () => void;
  /** Makes the loop check for due deliveries immediately. */
  readonly wake: () => void;
  /** Like `wake`, and also makes the next read recount the backlog, which a request has changed. */
  readonly wakeAfterRequest: () => void;
  readonly health: () => Promise<DependencyHealth>;
  /**
   * Counts pending deliveries and how long the oldest due one has waited; null if the outbox cannot be read.
   */
  readonly backlog: () => Promise<{ readonly pending: number; readonly oldestDueSeconds: number } | null>;
  /** Sends one operator event without the outbox. Returns true if the receiver accepted the event. */
  readonly sendNow: (event: NewEvent, signal: AbortSignal) => Promise<boolean>;
  /** Returns metrics about the outbox at the last poll. */
  readonly gauges: () => readonly Gauge[];
  /** Waits at most 10 s for attempts in progress and releases the other leases. Safe to repeat. */
  readonly close: () => Promise<void>;
}

/**
 * Poll interval by engine, in ms. With PostgreSQL, other processes also record events; with the embedded store,
 * only this process does.
 */
const POLL_MS = { postgres: 1_000, sqlite: 60_000 } as const;
const PRUNE_EVERY_MS = 3_600_000;
/** Maximum age of the backlog counts, in ms. */
const BACKLOG_FRESH_MS = 10_000;

type Backlog = Awaited<ReturnType<Outbox['backlog']>>;

/** Opens delivery. Nothing is sent before `start`. */
export const openDelivery = (options: OpenDeliveryOptions): OpenDelivery => {
  const { config, store, secrets, metrics, clock, logger } = options;
  const targets = createCallbackUrlRules({
    allowCidrs: config.webhookAllowCidrs,
    ports: config.webhookPorts,
    bindsLoopback: config.bindsLoopback,
  });
  const agent = createGuardedAgent({
    mayReach: targets.mayReach,
    resolve: createNameResolver({ hostsFile: config.webhookAllowCidrs.length > 0 }),
  });
  if (config.webhookAllowCidrs.length > 0)
    logger.info(
      { networks: config.webhookAllowCidrs, loopback: config.bindsLoopback },
      'webhooks may reach these networks in addition to the public Internet; loopback, if listed, also over plain HTTP',
    );
  // The operator's own receivers may run anywhere, including on this machine.
  const operatorAgent =
    options.operatorUrls && new Agent({ pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  const stopping = new AbortController();
  let loop: DeliveryLoop | null = null;
  let pruning: BackgroundWork | null = null;
  let seen: { readonly backlog: Backlog; readonly atMs: number } | null = null;

  const look = async (): Promise<Backlog> => {
    if (seen === null || clock.steadyNow() - seen.atMs >= BACKLOG_FRESH_MS)
      seen = { backlog: await store.outbox.backlog(), atMs: clock.steadyNow() };
    return seen.backlog;
  };
  const expire = (): void => {
    seen = seen && { ...seen, atMs: Number.NEGATIVE_INFINITY };
  };

  const prune = async (): Promise<void> => {
    const pruned = await pruneOldWebhooks(store, clock.now());
    if (pruned.deliveries + pruned.registrations > 0)
      logger.debug({ ...pruned }, 'old deliveries were pruned');
  };

  const attempting: Omit<AttemptOptions, 'onComposeFailure'> = {
    owner: randomBytes(16).toString('hex'),
    send: createSendAttempt(agent, clock),
    secretsOf: ({ registrationId, secretGeneration, rotatedAtMs }, nowMs) =>
      secrets.bytesOf({ id: registrationId, secretGeneration, rotatedAtMs }, nowMs),
    composers: options.composers,
    ...(operatorAgent && {
      sinkOf: operatorSinks(options.operatorUrls!, createSendAttempt(operatorAgent, clock)),
    }),
    clock,
    random: Math.random,
  };

  const start = (): void => {
    loop ??= startDeliveryLoop({
      ...attempting,
      outbox: store.outbox,
      pollMs: POLL_MS[store.engine],
      observe: ({ atMs, type, registrationId }, { attempt, disable, next }) => {
        // The number of dead letters must not be older than the list that is read with it.
        if (next.state === 'dead') expire();
        const endedAtMs = attempt.atMs + attempt.durationMs;
        metrics.webhookAttempted({ ...attempt, latencyMs: Math.max(0, endedAtMs - atMs) });
        logger.debug({ type, registrationId, ...attempt }, 'a delivery was attempted');
        if (disable) logger.info({ registrationId, reason: disable }, 'a webhook was disabled');
      },
      logger,
    });
    pruning ??= runElected('webhook retention', PRUNE_EVERY_MS, () => prune, {
      leadership: store.leadership,
      clock,
      logger,
      signal: stopping.signal,
    });
  };

  const close = async (): Promise<void> => {
    stopping.abort(new Error('the service stopped'));
    await Promise.all([loop?.close(), pruning?.ended]);
    await Promise.all([agent.destroy(), operatorAgent?.destroy()]);
  };

  const sendNow = async (event: NewEvent, signal: AbortSignal): Promise<boolean> => {
    const onComposeFailure = (_: unknown, reason: unknown): void =>
      logger.warn({ err: reason }, 'an alert for the operator could not be composed');
    const { attempt } = await attemptDelivery(
      { ...attempting, onComposeFailure },
      { ...event, ...OPERATOR_DELIVERY },
      signal,
    );
    metrics.webhookAttempted({ ...attempt, latencyMs: Math.max(0, clock.now() - event.atMs) });
    logger.debug(
      { type: event.type, registrationId: event.registrationId, ...attempt },
      'an alert was sent directly',
    );
    return attempt.outcome === 'delivered';
  };

  return {
    targets,
    start,
    wake: () => loop?.wake(),
    wakeAfterRequest: () => {
      expire();
      loop?.wake();
    },
    close,
    backlog: async () => {
      const backlog = await look().catch(() => null);
      return backlog && { pending: backlog.pending, oldestDueSeconds: overdueSeconds(backlog, clock) };
    },
    sendNow,
    health: async () => {
      const backlog = await orAbort(look(), AbortSignal.timeout(STORE_PROBE_MS)).catch(() => null);
      const isWell = loop?.isFailing() !== true && backlog !== null;
      return {
        ok: isWell,
        // If the outbox fails, so does the store, whose health determines readiness.
        optional: true,
        // The store reports the duration of its outage.
        ageSeconds: isWell ? 0 : null,
        error: isWell ? null : 'deliveries wait until the store responds',
        details:
          backlog === null
            ? {}
            : {
                pending: backlog.pending,
                oldestDueSeconds: overdueSeconds(backlog, clock),
                dead: backlog.dead,
                inFlight: loop?.inFlight() ?? 0,
              },
      };
    },
    gauges: () => {
      // Starts a count whose result is reported at the next scrape.
      look().catch(() => undefined);
      return gaugesOf(seen?.backlog ?? null, loop?.inFlight() ?? 0, clock);
    },
  };
};

/**
 * Fields of a delivery that bypasses the outbox. The operator's registrations have neither a stored URL nor
 * rotated secrets.
 */
const OPERATOR_DELIVERY = {
  key: 0,
  attempts: 0,
  attemptsEver: 0,
  callbackUrl: '',
  secretGeneration: 0,
  rotatedAtMs: null,
  walletAddress: '',
  failingSinceMs: null,
  disabled: false,
  deleted: false,
};

/** Returns how long the oldest due delivery has been overdue, in seconds; 0 if none is due. */
const overdueSeconds = ({ oldestDueMs }: Backlog, clock: Clock): number =>
  oldestDueMs === null ? 0 : ageSeconds(oldestDueMs, clock);

const gaugesOf = (backlog: Backlog | null, inFlight: number, clock: Clock): readonly Gauge[] => [
  {
    name: 'holdfast_webhook_pending',
    help: 'Pending deliveries, due now or later.',
    value: backlog?.pending ?? null,
  },
  {
    name: 'holdfast_webhook_oldest_due_seconds',
    help: 'Time for which the oldest due delivery has been overdue.',
    value: backlog === null ? null : overdueSeconds(backlog, clock),
  },
  {
    name: 'holdfast_webhook_dead',
    help: 'Dead letters, which can be replayed.',
    value: backlog?.dead ?? null,
  },
  {
    name: 'holdfast_webhook_in_flight',
    help: 'Delivery attempts in progress in this process.',
    value: inFlight,
  },
];
