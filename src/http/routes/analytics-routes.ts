// The endpoint that counts what went through the service.
import { analytics } from '../../operations/service/analytics.ts';
import type { Route } from '../pipeline/route.ts';

/** Open to every page: there is nothing in it that names anybody. */
export const analyticsRoutes: readonly Route[] = [
  {
    operation: analytics,
    method: 'GET',
    path: '/analytics-json',
    browsers: 'public',
    tag: 'Service',
    // The statistics read every record: 0.1 s at 100,000 of them on the embedded engine.
    cacheTtlSeconds: 5,
    related: { history: 'walletHistory', ready: 'ready' },
  },
];
