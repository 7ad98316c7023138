// Sandbox routes, available only if the service runs its own cluster.
import {
  airdrop,
  describeSandbox,
  endEpochs,
  setSandboxNetwork,
  setSandboxValidator,
} from '../../operations/cluster/sandbox-operations.ts';
import type { Route } from '../pipeline/route.ts';

/** Routes for free SOL and control of time. */
export const sandboxRoutes: readonly Route[] = [
  {
    operation: describeSandbox,
    method: 'GET',
    path: '/sandbox',
    browsers: 'own-page',
    tag: 'Sandbox',
    related: { airdrop: 'sandboxAirdrop', epoch: 'sandboxEndEpochs' },
  },
  {
    operation: airdrop,
    method: 'POST',
    path: '/sandbox/airdrop',
    browsers: 'own-page',
    tag: 'Sandbox',
    related: { balance: 'balance', stake: 'createStakeTransaction' },
  },
  {
    operation: endEpochs,
    method: 'POST',
    path: '/sandbox/epoch',
    browsers: 'own-page',
    tag: 'Sandbox',
    related: { epoch: 'epoch', accounts: 'listStakeAccounts' },
  },
  {
    operation: setSandboxValidator,
    method: 'POST',
    path: '/sandbox/validator',
    browsers: 'own-page',
    tag: 'Sandbox',
    related: { alerts: 'validatorAlerts', epoch: 'sandboxEndEpochs' },
  },
  {
    operation: setSandboxNetwork,
    method: 'POST',
    path: '/sandbox/network',
    browsers: 'own-page',
    tag: 'Sandbox',
    related: { submit: 'submitTransaction', stake: 'stake' },
  },
];
