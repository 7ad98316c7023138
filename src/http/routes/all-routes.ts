// All routes that the settings can enable, in one list for the typed client, the documents and the tests.

import type { Route } from '../pipeline/route.ts';
import { analyticsRoutes } from './analytics-routes.ts';
import { autopilotRoutes } from './autopilot-routes.ts';
import { discoveryRoutes } from './discovery-routes.ts';
import { portfolioRoutes } from './portfolio-routes.ts';
import { sandboxRoutes } from './sandbox-routes.ts';
import { oneShotRoutes, stakeRoutes } from './stake-routes.ts';
import { validatorRoutes } from './validator-routes.ts';
import { verifyRoutes } from './verify-routes.ts';
import { walletRoutes } from './wallet-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';

/** Includes one-shot and sandbox routes, which a running service may omit. */
export const allRoutes: readonly Route[] = [
  ...walletRoutes,
  ...oneShotRoutes,
  ...stakeRoutes,
  ...portfolioRoutes,
  ...analyticsRoutes,
  ...validatorRoutes,
  ...verifyRoutes,
  ...autopilotRoutes,
  ...webhookRoutes,
  ...discoveryRoutes,
  ...sandboxRoutes,
];
