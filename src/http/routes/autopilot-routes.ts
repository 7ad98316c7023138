// Routes that set, show and end a wallet's signed autopilot policy.
import { deleteStakingPolicy } from '../../operations/autopilot/delete-staking-policy.ts';
import { getStakingPolicy } from '../../operations/autopilot/get-staking-policy.ts';
import { setStakingPolicy } from '../../operations/autopilot/set-staking-policy.ts';
import type { Route } from '../pipeline/route.ts';

const related = { policy: 'getStakingPolicy', submit: 'submitTransaction' } as const;

/** Not available to pages from other origins, because a policy is a standing instruction. */
export const autopilotRoutes: readonly Route[] = [
  {
    operation: setStakingPolicy,
    method: 'POST',
    path: '/api/v1/autopilot/policy',
    browsers: 'own-page',
    tag: 'Autopilot',
    related,
  },
  {
    operation: getStakingPolicy,
    method: 'GET',
    path: '/api/v1/autopilot/policy/{walletAddress}',
    browsers: 'own-page',
    bearer: 'secret',
    tag: 'Autopilot',
    related: { set: 'setStakingPolicy', summary: 'stakingSummary' },
  },
  {
    operation: deleteStakingPolicy,
    method: 'DELETE',
    path: '/api/v1/autopilot/policy/{walletAddress}',
    browsers: 'own-page',
    tag: 'Autopilot',
    query: [],
    related: { set: 'setStakingPolicy' },
  },
];
