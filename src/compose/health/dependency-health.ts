// Reports the health of each dependency for `/ready`: its state, the age of that information, and its error.

import type { StakeIndex } from '../../chain/index/stake-index.ts';
import { missingMethodEffects } from '../../chain/rpc/missing-rpc-methods.ts';
import type { RpcPool } from '../../chain/rpc/rpc-pool.ts';
import { CHAIN_STILL_MS } from '../../domain/alerts/service-alarm-table.ts';
import type { ActiveAlarm } from '../../events/operator/alarm-watch.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { DependencyHealth } from '../../operations/service-ports.ts';
import type { Store } from '../../store/store.ts';
import { PAGE_FIX } from '../open-page.ts';

/** Whole seconds since `atMs`; never negative, even if the clock was set back. */
export const ageSeconds = (atMs: number, clock: Pick<Clock, 'now'>): number =>
  Math.max(0, Math.round((clock.now() - atMs) / 1_000));

/** Maximum wait of the health report for a store that hangs, in ms. */
export const STORE_PROBE_MS = 2_000;

/** This process's last write of the store. */
export interface StoreWrites {
  readonly isWritable: boolean;
  /** Time of the last successful write, in ms since the Unix epoch. */
  readonly writtenMs: number;
}

/** Dependencies whose health `/ready` shows. */
interface HealthParts {
  readonly pool: RpcPool;
  readonly store: Pick<Store, 'check'>;
  readonly alarms: () => readonly Pick<ActiveAlarm, 'alarm'>[];
  readonly storeWrites: () => StoreWrites;
  readonly index: Pick<StakeIndex, 'health'>;
  /** Null if the service runs without Redis. */
  readonly redis: (() => DependencyHealth) | null;
  readonly webhooks: () => Promise<DependencyHealth>;
  /** Returns null if the operator configured no file. */
  readonly profile: () => Promise<DependencyHealth | null>;
  readonly hasPage: boolean;
  readonly clock: Clock;
}

/** Creates the report. Each call queries the store; the health of the RPC comes from its last responses. */
export const createDependencyHealth =
  (parts: HealthParts) => async (): Promise<Readonly<Record<string, DependencyHealth>>> => {
    const [profile, store, webhooks] = await Promise.all([
      parts.profile(),
      storeHealth(parts),
      parts.webhooks(),
    ]);
    return {
      rpc: rpcHealth(parts.pool, parts.clock),
      ...methodsHealth(parts.pool.missingMethods()),
      store,
      index: indexHealth(parts.index),
      webhooks,
      ...(parts.redis === null ? {} : { redis: parts.redis() }),
      ...(profile === null ? {} : { profile }),
      ...(parts.hasPage
        ? {}
        : { page: { ok: false, optional: true, ageSeconds: null, error: `not built. ${PAGE_FIX}` } }),
    };
  };

/** True if a node that serves reads is reachable. */
export const hasReachableNode = (pool: Pick<RpcPool, 'health'>): boolean =>
  pool.health().some(({ ok, role }) => ok && role === 'read');

const rpcHealth = (pool: RpcPool, clock: Clock): DependencyHealth => {
  const nodes = pool.health();
  const isReached = hasReachableNode(pool);
  // The age counts from the start of the outage, as in the alarm. `lastOkAtMs` is not used then, because a node
  // that cannot be used may still respond.
  const lastOkAt =
    (!isReached && pool.outage()?.sinceMs) || Math.max(...nodes.map((node) => node.lastOkAtMs ?? 0));
  const { slot, unchangedMs } = pool.newestSlot();
  const isStill = unchangedMs >= CHAIN_STILL_MS;
  const still = `the chain has stalled: no slot after ${slot} for ${Math.round(unchangedMs / 1_000)} s`;
  const away = nodes.find((node) => node.lastError !== null)?.lastError ?? 'unavailable';
  return {
    ok: isReached && !isStill,
    ageSeconds: lastOkAt > 0 ? ageSeconds(lastOkAt, clock) : null,
    error: !isReached ? away : isStill ? still : null,
    details: { nodes },
  };
};

/** Reports methods that no RPC node offers, each with the affected features; empty if all are available. */
const methodsHealth = (missing: readonly string[]): Readonly<Record<string, DependencyHealth>> =>
  missing.length === 0
    ? {}
    : {
        rpcMethods: {
          ok: false,
          optional: true,
          ageSeconds: null,
          error: `No RPC node supports ${missing.map((method) => `${method} (lost: ${missingMethodEffects(method)})`).join(', ')}.`,
          details: { missing },
        },
      };

const storeHealth = async ({
  store,
  alarms,
  storeWrites,
  clock,
}: Pick<HealthParts, 'store' | 'alarms' | 'storeWrites' | 'clock'>): Promise<DependencyHealth> => {
  const { isWritable, writtenMs } = storeWrites();
  const failed = (error: string): DependencyHealth => ({
    ok: false,
    ageSeconds: ageSeconds(writtenMs, clock),
    error,
  });
  // Reads still succeed on a full disk, so the alarm's periodic write determines the health. The alarm itself ends
  // later, and another process may have raised it.
  if (!isWritable && alarms().some(({ alarm }) => alarm === 'store_unwritable'))
    return failed('the store cannot be written');
  try {
    await store.check(AbortSignal.timeout(STORE_PROBE_MS));
    return { ok: true, ageSeconds: 0, error: null };
  } catch {
    return failed('the store cannot be read');
  }
};

const indexHealth = (index: Pick<StakeIndex, 'health'>): DependencyHealth => {
  const { ready, error, slot, ageSeconds: age, ...details } = index.health();
  // Optional, because until the index is ready, the accounts of each wallet are queried from the RPC.
  return { ok: ready, optional: true, ageSeconds: age, error, details: { ...details, slot: Number(slot) } };
};
