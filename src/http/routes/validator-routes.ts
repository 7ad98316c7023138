// Routes about the validator and its network, with documented cache lifetimes.
import { validatorAlerts } from '../../operations/alerts/validator-alerts.ts';
import { peerDensity } from '../../operations/validator/peer-density.ts';
import { validatorApy } from '../../operations/validator/validator-apy.ts';
import { validatorHistory } from '../../operations/validator/validator-history.ts';
import { validatorInfrastructure } from '../../operations/validator/validator-infrastructure.ts';
import { validatorLive } from '../../operations/validator/validator-live.ts';
import { validatorPerformance } from '../../operations/validator/validator-performance.ts';
import { validatorProfile } from '../../operations/validator/validator-profile.ts';
import type { Route } from '../pipeline/route.ts';

const VALIDATOR = '/api/v1/validator';
const APY = '/api/v1/validator/apy';
const PERFORMANCE = '/api/v1/validator/performance';
const HISTORY = '/api/v1/validator/history';
const LIVE = '/api/v1/validator/live';

const shared = { method: 'GET', browsers: 'public', tag: 'Validator' } as const;

export const validatorRoutes: readonly Route[] = [
  {
    ...shared,
    operation: validatorProfile,
    path: VALIDATOR,
    cacheTtlSeconds: 60,
    related: {
      apy: 'validatorApy',
      performance: 'validatorPerformance',
      history: 'validatorHistory',
      live: 'validatorLive',
    },
  },
  {
    ...shared,
    operation: validatorApy,
    path: APY,
    cacheTtlSeconds: 120,
    related: { validator: 'validatorProfile', simulate: 'simulateStake' },
  },
  {
    ...shared,
    operation: validatorPerformance,
    path: PERFORMANCE,
    cacheTtlSeconds: 60,
    related: { validator: 'validatorProfile', history: 'validatorHistory', live: 'validatorLive' },
  },
  {
    ...shared,
    operation: validatorHistory,
    path: HISTORY,
    cacheTtlSeconds: 60,
    related: { validator: 'validatorProfile', performance: 'validatorPerformance' },
  },
  {
    ...shared,
    operation: validatorLive,
    path: LIVE,
    cacheTtlSeconds: 15,
    related: { validator: 'validatorProfile', epoch: 'epoch' },
  },
  {
    ...shared,
    operation: validatorAlerts,
    path: '/api/v1/validator/alerts',
    cacheTtlSeconds: 15,
    related: { validator: 'validatorProfile', live: 'validatorLive' },
  },
  {
    ...shared,
    operation: validatorInfrastructure,
    path: '/api/v1/validator/infrastructure',
    related: { validator: 'validatorProfile' },
  },
  {
    ...shared,
    operation: peerDensity,
    path: '/api/v1/network/peer-density',
    cacheTtlSeconds: 300,
    related: { validator: 'validatorProfile', apy: 'validatorApy' },
  },
];
