// Reports the health and latency of each RPC node by its position in the settings, never by its URL.
import type { RpcPool } from '../chain/rpc/rpc-pool.ts';
import type { Gauge } from './metrics.ts';

/** Reads the state that the pool keeps in memory, without making a call. */
export const rpcNodeGauges = (pool: Pick<RpcPool, 'health'>): readonly Gauge[] => {
  const nodes = pool.health().map(({ index, role, ok, latencyMs }) => ({
    labels: { node: String(index + 1), role },
    ok,
    latencyMs,
  }));
  return [
    ...nodes.map(({ labels, ok }) => ({
      name: 'holdfast_rpc_node_up',
      help: '1 if the RPC node is responding, by its position in the settings.',
      value: Number(ok),
      labels,
    })),
    ...nodes.map(({ labels, latencyMs }) => ({
      name: 'holdfast_rpc_node_latency_seconds',
      help: 'Moving average of the duration of successful calls.',
      value: latencyMs === null ? null : latencyMs / 1_000,
      labels,
    })),
  ];
};
