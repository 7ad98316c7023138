// The endpoints that tell about the service itself: whether it runs, and whether it can serve.
import { health } from '../operations/service/health.ts';
import { ready } from '../operations/service/ready.ts';
import type { Route } from './route.ts';

/** Outside the rate limit: whoever watches a service must never be locked out of it. */
export const discoveryRoutes: readonly Route[] = [
  {
    operation: health,
    method: 'GET',
    path: '/health',
    browsers: 'public',
    tag: 'Service',
    unlimited: true,
    related: { ready: '/ready' },
  },
  {
    operation: ready,
    method: 'GET',
    path: '/ready',
    browsers: 'public',
    tag: 'Service',
    unlimited: true,
    related: { health: '/health' },
  },
];
