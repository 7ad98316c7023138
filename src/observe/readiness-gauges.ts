// Gauges for readiness and the reasons against it, and for the load on the network, which is not a fault of
// the service.
import type { Context } from '../operations/context.ts';
import { NETWORK_MAX_AGE_MS, notReadyReasons } from '../operations/service/ready.ts';
import type { Gauge } from './metrics.ts';

const REASONS = ['rpc', 'store', 'shutdown'] as const;

/** Returns gauges that are 1 if `/ready` responds with 503, by reason. */
export const readinessGauges = async (ctx: {
  readonly service: Pick<Context['service'], 'dependencies' | 'draining'>;
}): Promise<readonly Gauge[]> => {
  const reasons = [
    ...(ctx.service.draining() ? ['shutdown'] : []),
    ...notReadyReasons(await ctx.service.dependencies()),
  ];
  return REASONS.map((reason) => ({
    name: 'holdfast_not_ready',
    help: '1 if the process is not ready for this reason. rpc: no node responds, or the chain has stalled.',
    value: Number(reasons.includes(reason)),
    labels: { reason },
  }));
};

/** Returns the values of the last read; none before the first. */
export const networkGauges = ({ last }: Context['service']['network']): readonly Gauge[] => {
  const load = last(NETWORK_MAX_AGE_MS);
  if (load === null) return [];
  return [
    {
      name: 'holdfast_network_busy',
      help: '1 if blocks are full or more than a tenth of the recent transactions expired. Not a fault of the service.',
      value: Number(load.isBusy),
    },
    ...(['low', 'medium', 'high'] as const).map((level) => ({
      name: 'holdfast_priority_price_micro_lamports',
      help: 'Estimated price per compute unit at which transactions currently land.',
      value: load.priorityPrices?.[level] ?? null,
      labels: { level },
    })),
    {
      name: 'holdfast_recent_transactions',
      help: 'Transactions sent by this service in the last hour, at most 50.',
      value: load.recentTransactions,
    },
    {
      name: 'holdfast_recent_transactions_expired',
      help: 'Number of these that expired before they were included.',
      value: load.recentlyExpired,
    },
  ];
};
