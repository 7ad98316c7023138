// Opens the alarms of this process: reads their inputs from the pool, the store and the outbox, and shows the
// alarms on the console and as metrics.
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { ClusterState } from '../../chain/ports.ts';
import type { RpcPool } from '../../chain/rpc/rpc-pool.ts';
import type { Config } from '../../config/config.ts';
import { type ServiceFacts, serviceAlarms } from '../../domain/alerts/service-alarm-table.ts';
import { type ActiveAlarm, ALARM_POLL_MS, AlarmWatch } from '../../events/operator/alarm-watch.ts';
import { orAbort } from '../../kernel/abort.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log/logger.ts';
import { runRepeatedly } from '../../kernel/run-repeatedly.ts';
import type { Gauge } from '../../observe/metrics.ts';
import type { Store } from '../../store/store.ts';
import type { OpenDelivery } from '../open-delivery.ts';
import { hasReachableNode, type StoreWrites } from './dependency-health.ts';
import { openAlarmMemory } from './reported-alarms-file.ts';

/** Dependencies. */
interface OpenAlarmsOptions {
  readonly config: Pick<Config, 'dataDir' | 'port'>;
  readonly pool: Pick<RpcPool, 'health' | 'newestSlot' | 'outage'>;
  readonly cluster: Pick<ClusterState, 'epochPosition' | 'genesisHash'>;
  readonly store: Pick<Store, 'outbox' | 'leadership'>;
  readonly delivery: Pick<OpenDelivery, 'backlog' | 'sendNow' | 'wake'>;
  readonly registrations: readonly string[];
  /** Registers the alert destinations in the store. Has no effect after it has succeeded once. */
  readonly register: () => Promise<void>;
  /** The leader-elected task. Only the process that runs it reports alarms. */
  readonly reporter: { readonly name: string; readonly isHere: () => boolean };
  /** Returns the origin of the links in alerts. */
  readonly publicUrl: () => string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

export interface OpenAlarms {
  readonly active: () => readonly ActiveAlarm[];
  /** Returns whether this process's last write of the store succeeded, and the time of the last successful one. */
  readonly storeWrites: () => StoreWrites;
  readonly gauges: () => readonly Gauge[];
  /** Resolves once the signal is aborted and the last poll has ended. */
  readonly ended: Promise<void>;
}

/** Timeout of one read or write, in ms. */
const WITHIN_MS = 10_000;
const PROBE = 'write probe';

export const openAlarms = (options: OpenAlarmsOptions): OpenAlarms => {
  const { config, cluster, store, delivery, registrations, register, reporter, publicUrl } = options;
  const { clock, logger, signal } = options;
  const { outbox } = store;
  let writes: StoreWrites = { isWritable: true, writtenMs: clock.now() };
  const watch = new AlarmWatch({
    observe: async (given) => {
      const { store: isWritable, ...facts } = await observe(options, given);
      writes = { isWritable, writtenMs: isWritable ? clock.now() : writes.writtenMs };
      return { ...facts, store: writes };
    },
    role: ({ lease }) => {
      if (reporter.isHere()) return 'elected';
      return lease?.unheld.includes(reporter.name) === false ? 'silent' : 'alone';
    },
    outbox,
    memory: openAlarmMemory(join(config.dataDir, 'alarms.json'), cluster.genesisHash),
    registrations,
    genesisHash: cluster.genesisHash,
    instance: `${hostname()}:${config.port}`,
    publicUrl,
    register,
    sendNow: delivery.sendNow,
    onRecorded: delivery.wake,
    clock,
    logger,
  });
  const { ended } = runRepeatedly('alarms', ALARM_POLL_MS, (given) => watch.poll(given), {
    clock,
    logger,
    signal,
  });
  return {
    active: watch.active,
    storeWrites: () => writes,
    gauges: () => gaugesOf(watch.active()),
    ended,
  };
};

const observe = async (
  { pool, cluster, store, delivery, clock }: OpenAlarmsOptions,
  signal: AbortSignal,
): Promise<Omit<ServiceFacts, 'store'> & { readonly store: boolean }> => {
  const within = AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]);
  const isDone = (work: Promise<unknown>): Promise<boolean> =>
    orAbort(work, within).then(
      () => true,
      () => false,
    );
  const written = isDone(store.outbox.record([], [{ name: PROBE, value: String(clock.now()) }]));
  const unheld = orAbort(store.leadership.unheld(), within).catch(() => null);
  const webhooks = orAbort(delivery.backlog(), within).catch(() => null);
  // An idle service may not have called any node recently, so a probe is sent. If it fails, `pool.health()`
  // shows the failure.
  if (pool.newestSlot().ageMs >= ALARM_POLL_MS) await isDone(cluster.epochPosition(within));
  const hasResponse = hasReachableNode(pool);
  const { slot, unchangedMs } = pool.newestSlot();
  const outage = pool.outage();
  const found = await unheld;
  return {
    rpc: { responses: hasResponse, sinceMs: outage && (hasResponse ? outage.untilMs : outage.sinceMs) },
    chain: hasResponse ? { slot, stillMs: unchangedMs } : null,
    store: await written,
    webhooks: await webhooks,
    lease: found && { unheld: found },
  };
};

const gaugesOf = (active: readonly ActiveAlarm[]): readonly Gauge[] =>
  serviceAlarms.map((alarm) => ({
    name: 'holdfast_alarm_active',
    help: '1 if the alarm is active in this process.',
    value: Number(active.some((one) => one.alarm === alarm)),
    labels: { alarm },
  }));
