// Opens the watcher and the autopilot, which record events, and the deliveries. Closes them in that order.
import type { Address } from '@solana/kit';
import type { StakeIndex } from '../chain/index/stake-index.ts';
import type { ClusterState, SolanaReads } from '../chain/ports.ts';
import type { RpcPool } from '../chain/rpc/rpc-pool.ts';
import type { LandedStakeTransactions } from '../chain/transactions/landed-stake-transactions.ts';
import { createValidatorReads } from '../chain/validator/validator-reads.ts';
import type { Config } from '../config/config.ts';
import type { Notice } from '../domain/notice.ts';
import { AUTOPILOT_POLL_MS, createAutopilot } from '../events/autopilot.ts';
import { DELEGATORS_POLL_MS, DelegatorRecorder } from '../events/delegators/record-delegators.ts';
import type { DeliveryDataBuilders } from '../events/delivery/attempt-delivery.ts';
import type { WebhookSecrets } from '../events/delivery/webhook-secret.ts';
import { OperatorAlerts } from '../events/operator/operator-alerts.ts';
import {
  type OperatorUrls,
  operatorRegistrations,
  registerOperator,
} from '../events/operator/operator-sinks.ts';
import { beginWatchingValidator, validatorPollMs } from '../events/poll-validator-changes.ts';
import { beginWatching, watcherPauseMs } from '../events/watcher/watcher.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log/logger.ts';
import { nodeSecurityWarning } from '../kernel/node-version.ts';
import { runElected } from '../kernel/run-elected.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Store } from '../store/store.ts';
import { type OpenAlarms, openAlarms } from './health/open-alarms.ts';
import { type OpenDelivery, openDelivery } from './open-delivery.ts';

/** Dependencies. */
interface OpenEventsOptions {
  readonly config: Config;
  readonly isSandbox: boolean;
  readonly pool: RpcPool;
  readonly reads: SolanaReads;
  readonly transactions: LandedStakeTransactions;
  readonly cluster: ClusterState;
  readonly index: StakeIndex;
  readonly store: Store;
  readonly voteAccount: Address;
  /** Reads the validator again and returns the notices about it. */
  readonly noticesNow: (signal: AbortSignal) => Promise<readonly Notice[]>;
  readonly secrets: WebhookSecrets;
  readonly operatorUrls: OperatorUrls;
  /** Data builders for event types whose data is built at each attempt. Not called before `delivery.start`. */
  readonly composers: DeliveryDataBuilders;
  /** Returns the origin of the links in alerts. */
  readonly publicUrl: () => string;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface OpenEvents {
  readonly delivery: OpenDelivery;
  readonly alarms: Pick<OpenAlarms, 'active' | 'storeWrites' | 'gauges'>;
  /** Makes the autopilot read its policies immediately. */
  readonly wakeAutopilot: () => void;
  readonly close: () => Promise<void>;
}

/** Interval of the watcher in a sandbox, in ms. It is short, because sandbox epochs last only minutes. */
const SANDBOX_PASS_EVERY_MS = 250;

/**
 * Name of the leader-elected work that evaluates operator alerts. The process that holds it also reports
 * alarms.
 */
const OPERATOR_ALERTS = 'operator alerts';

/**
 * Opens all parts. The watcher and the autopilot run only in the process elected for each, and retry after
 * failures.
 */
export const openEvents = (options: OpenEventsOptions): OpenEvents => {
  const { config, isSandbox, pool, store, clock, logger } = options;
  const { webhooks, outbox, watched, policies, leadership } = store;
  const delivery = openDelivery(options);
  const autopilot = createAutopilot({
    ...options,
    policies,
    outbox,
    feeReserveLamports: config.feeReserveLamports,
    wakeDelivery: delivery.wake,
  });
  const watching = {
    ...options,
    webhooks,
    outbox,
    watched,
    onRecorded: delivery.wake,
    ...(isSandbox && { passEveryMs: SANDBOX_PASS_EVERY_MS }),
  };
  const registrations = operatorRegistrations(options.operatorUrls);
  const alerting = {
    ...options,
    registrations,
    delegators: store.delegators,
    outbox,
    validator: createValidatorReads(pool, options.reads),
    ticketLamports: config.admissionTicketLamports,
    minLamports: config.operatorAlertMinLamports,
    nodeWarning: isSandbox ? null : (nodeSecurityWarning() ?? null),
    onRecorded: delivery.wake,
  };
  const closing = new AbortController();
  const runner = { leadership, clock, logger, signal: closing.signal };
  let isRegistered = false;
  const register = async (): Promise<void> => {
    if (!isRegistered) await registerOperator(webhooks, options.operatorUrls, clock.now());
    isRegistered = true;
  };
  const operatorAlerts = registrations.length === 0 ? null : new OperatorAlerts(alerting);
  let term: AbortSignal | null = null;
  const alertingOperator =
    operatorAlerts &&
    runElected(
      OPERATOR_ALERTS,
      operatorAlerts.pauseMs,
      (signal) => {
        term = signal;
        return async () => {
          await register();
          await operatorAlerts.poll(signal);
        };
      },
      runner,
    );
  const alarms = openAlarms({
    ...options,
    delivery,
    registrations,
    register,
    reporter: { name: OPERATOR_ALERTS, isHere: () => term?.aborted === false },
    signal: closing.signal,
  });
  const keeping = { ...options, delegators: store.delegators, onRecorded: () => alertingOperator?.wake() };
  const offering = runElected(
    'autopilot',
    AUTOPILOT_POLL_MS,
    (signal) => async () => {
      await autopilot.poll(signal);
    },
    runner,
  );
  const elected = [
    runElected(
      'events',
      watcherPauseMs(watching.passEveryMs),
      (signal) => beginWatching(watching, signal),
      runner,
    ),
    runElected(
      'delegators',
      DELEGATORS_POLL_MS,
      (signal) => {
        const keeper = new DelegatorRecorder(keeping);
        keeper.listen(signal);
        return () => keeper.poll(signal);
      },
      runner,
    ),
    offering,
    ...(alertingOperator === null ? [] : [alertingOperator]),
    runElected(
      'validator changes',
      validatorPollMs(isSandbox),
      (signal) => beginWatchingValidator({ ...options, webhooks, outbox, onRecorded: delivery.wake }, signal),
      runner,
    ),
  ];
  return {
    delivery,
    alarms,
    wakeAutopilot: offering.wake,
    close: async () => {
      closing.abort(new Error('the service stopped'));
      await Promise.all([...elected, alarms].map(({ ended }) => ended));
      await delivery.close();
    },
  };
};
