// Gauges for readiness with its reasons, and for the load of the network, which is no fault of the service.
import type { Context } from '../operations/context.ts';
import { NETWORK_MAX_AGE_MS, notReadyReasons } from '../operations/service/ready.ts';
import type { Gauge } from './metrics.ts';

const REASONS = ['rpc', 'store', 'shutdown'] as const;

/** 1 if `/ready` responds 503, by reason. */
export const readinessGauges = async (ctx: {
  readonly service: Pick<Context['service'], 'dependencies' | 'draining'>;
}): Promise<readonly Gauge[]> => {
  const reasons = [
    ...(ctx.service.draining() ? ['shutdown'] : []),
    ...notReadyReasons(await ctx.service.dependencies()),
  ];
  return REASONS.map((reason) => ({
    name: 'holdfast_not_ready',
    help: 'Whether the process is not ready for this reason. rpc: no node responds, or the chain has stalled.',
    value: Number(reasons.includes(reason)),
    labels: { reason },
  }));
};

/** Values of the last read; none before the first. */
export const networkGauges = ({ last }: Context['service']['network']): readonly Gauge[] => {
  const load = last(NETWORK_MAX_AGE_MS);
  if (load === null) return [];
  return [
    {
      name: 'holdfast_network_busy',
      help: 'Whether blocks are full or more than a tenth of the recent transactions expired. Not a fault of the service.',
      value: Number(load.isBusy),
    },
    ...(['low', 'medium', 'high'] as const).map((level) => ({
      name: 'holdfast_priority_price_micro_lamports',
      help: 'Estimated price per compute unit that lands now.',
      value: load.priorityPrices?.[level] ?? null,
      labels: { level },
    })),
    {
      name: 'holdfast_recent_transactions',
      help: 'Transactions sent here in the last hour, 50 at most.',
      value: load.recentTransactions,
    },
    {
      name: 'holdfast_recent_transactions_expired',
      help: 'Those of them that expired before they were included.',
      value: load.recentlyExpired,
    },
  ];
};
