// The sandbox's endpoints; they are part of the interface only where the service runs its own cluster.
import {
  airdrop,
  describeSandbox,
  endEpochs,
  setSandboxValidator,
} from '../../operations/cluster/sandbox.ts';
import type { Route } from '../pipeline/route.ts';

/** SOL for free and time on demand. */
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
];
