// Wraps ports to count their calls. Results and errors pass through unchanged.
import { RpcError } from '../chain/rpc/rpc-error.ts';
import type { RpcPool } from '../chain/rpc/rpc-pool.ts';
import { isAppError } from '../kernel/app-error.ts';
import type { Store } from '../store/store.ts';
import type { Metrics, RpcOutcome } from './metrics.ts';

const outcomeOf = (error: unknown, signal: AbortSignal): RpcOutcome => {
  if (signal.aborted) return 'given-up';
  if (error instanceof RpcError) return 'refused';
  return isAppError(error, 'UPSTREAM_UNAVAILABLE') ? 'unavailable' : 'failed';
};

/** Wraps a pool and counts its calls and streams by method. */
export const observedPool = (pool: RpcPool, metrics: Pick<Metrics, 'rpcCalled'>): RpcPool => {
  const counted = async <T>(method: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    try {
      const response = await work();
      metrics.rpcCalled(method, 'ok');
      return response;
    } catch (error) {
      metrics.rpcCalled(method, outcomeOf(error, signal));
      throw error;
    }
  };
  return {
    ...pool,
    call: (call, options) => counted(call.method, options.signal, () => pool.call(call, options)),
    ask: (node, call, options) => counted(call.method, options.signal, () => pool.ask(node, call, options)),
    askForLarge: (call, options) =>
      counted(call.method, options.signal, () => pool.askForLarge(call, options)),
  };
};

const observedPort = <Port extends object>(
  name: string,
  port: Port,
  metrics: Pick<Metrics, 'storeFailed'>,
): Port => {
  const wrap =
    (member: string, method: (...given: unknown[]) => Promise<unknown>) =>
    async (...given: unknown[]): Promise<unknown> => {
      try {
        return await method(...given);
      } catch (error) {
        if (isAppError(error, 'STORE_UNAVAILABLE') || isAppError(error, 'UPSTREAM_UNAVAILABLE'))
          metrics.storeFailed(`${name}.${member}`);
        throw error;
      }
    };
  return Object.fromEntries(
    Object.entries(port).map(([member, method]) => [member, wrap(member, method)]),
  ) as Port;
};

/** Wraps a store and counts its failures by operation. Errors made by the caller are not counted. */
export const observedStore = (store: Store, metrics: Pick<Metrics, 'storeFailed'>): Store => ({
  ...store,
  intents: observedPort('intents', store.intents, metrics),
  transactions: observedPort('transactions', store.transactions, metrics),
  settledRewards: observedPort('settledRewards', store.settledRewards, metrics),
  samples: observedPort('samples', store.samples, metrics),
  counters: observedPort('counters', store.counters, metrics),
  webhooks: observedPort('webhooks', store.webhooks, metrics),
  outbox: observedPort('outbox', store.outbox, metrics),
  policies: observedPort('policies', store.policies, metrics),
  watched: observedPort('watched', store.watched, metrics),
  delegators: observedPort('delegators', store.delegators, metrics),
});
