// Route with usage statistics of the service.
import { analytics } from '../../operations/service/analytics.ts';
import type { Route } from '../pipeline/route.ts';

/** Open to every page, because the statistics identify no one. */
export const analyticsRoutes: readonly Route[] = [
  {
    operation: analytics,
    method: 'GET',
    path: '/analytics-json',
    browsers: 'public',
    tag: 'Service',
    // Computing the statistics reads every record, which takes 0.1 s for 100,000 records on the embedded
    // engine.
    cacheTtlSeconds: 5,
    related: { history: 'walletHistory', ready: 'ready' },
  },
];
