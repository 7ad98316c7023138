// Routes of the operator console. They are never served on the public listener or over MCP.
import { listAlerts } from '../../operations/operator/list-alerts.ts';
import { listDeadLetters } from '../../operations/operator/list-dead-letters.ts';
import { listDelegators } from '../../operations/operator/list-delegators.ts';
import { listSubmissions } from '../../operations/operator/list-submissions.ts';
import { replayDeadLetter } from '../../operations/operator/replay-dead-letter.ts';
import { sendTestAlert } from '../../operations/operator/send-test-alert.ts';
import { setWalletLabel } from '../../operations/operator/set-wallet-label.ts';
import { showDelegator } from '../../operations/operator/show-delegator.ts';
import { showDelivery } from '../../operations/operator/show-delivery.ts';
import { showOwnValidator } from '../../operations/operator/show-own-validator.ts';
import { showServiceHealth } from '../../operations/operator/show-service-health.ts';
import { showStakeFlows } from '../../operations/operator/show-stake-flows.ts';
import type { Route } from '../pipeline/route.ts';

const shared = { browsers: 'own-page', tag: 'Operator' } as const;

export const operatorRoutes: readonly Route[] = [
  { ...shared, operation: showStakeFlows, method: 'GET', path: '/api/v1/operator/stake' },
  { ...shared, operation: showOwnValidator, method: 'GET', path: '/api/v1/operator/validator' },
  {
    ...shared,
    operation: listDelegators,
    method: 'GET',
    path: '/api/v1/operator/delegators',
    alternative: { type: 'text/csv', name: 'format', value: 'csv' },
  },
  { ...shared, operation: showDelegator, method: 'GET', path: '/api/v1/operator/delegators/{address}' },
  { ...shared, operation: setWalletLabel, method: 'POST', path: '/api/v1/operator/labels' },
  { ...shared, operation: showServiceHealth, method: 'GET', path: '/api/v1/operator/health' },
  { ...shared, operation: listAlerts, method: 'GET', path: '/api/v1/operator/alerts' },
  { ...shared, operation: sendTestAlert, method: 'POST', path: '/api/v1/operator/alerts/test' },
  { ...shared, operation: listDeadLetters, method: 'GET', path: '/api/v1/operator/dead-letters' },
  {
    ...shared,
    operation: replayDeadLetter,
    method: 'POST',
    path: '/api/v1/operator/dead-letters/replay',
  },
  { ...shared, operation: showDelivery, method: 'GET', path: '/api/v1/operator/deliveries/{id}' },
  { ...shared, operation: listSubmissions, method: 'GET', path: '/api/v1/operator/submissions' },
];
