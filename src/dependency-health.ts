// What `/ready` says of each dependency: whether it works, how old that knowledge is, and its error in words.
import type { RpcPool } from './chain/rpc-pool.ts';
import type { Clock } from './kernel/clock.ts';
import type { DependencyHealth } from './operations/context.ts';
import type { IntentLog } from './store/intent-log.ts';

/** Reads nothing from the network: the RPC's health is that of its last answers. */
export const dependencyHealth = async (parts: {
  readonly pool: RpcPool;
  readonly intents: IntentLog;
  readonly clock: Clock;
}): Promise<Readonly<Record<string, DependencyHealth>>> => ({
  rpc: rpcHealth(parts.pool, parts.clock),
  store: storeHealth(parts.intents),
});

const rpcHealth = (pool: RpcPool, clock: Clock): DependencyHealth => {
  const nodes = pool.health();
  const lastOkAt = Math.max(...nodes.map((node) => node.lastOkAtMs ?? 0));
  const ok = nodes.some((node) => node.ok);
  return {
    ok,
    ageSeconds: lastOkAt > 0 ? Math.round((clock.now() - lastOkAt) / 1000) : null,
    error: ok ? null : (nodes.find((node) => node.lastError !== null)?.lastError ?? 'unavailable'),
    details: { nodes },
  };
};

const storeHealth = (intents: IntentLog): DependencyHealth => {
  try {
    intents.check();
    return { ok: true, ageSeconds: 0, error: null };
  } catch {
    return { ok: false, ageSeconds: null, error: 'the store cannot be read' };
  }
};
