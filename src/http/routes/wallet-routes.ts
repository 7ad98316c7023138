// The wallet, address and epoch endpoints.
import { epoch } from '../../operations/cluster/epoch.ts';
import { addressType } from '../../operations/wallet/address-type.ts';
import { balance } from '../../operations/wallet/balance.ts';
import { generate } from '../../operations/wallet/generate.ts';
import type { Route } from '../pipeline/route.ts';

/** Reads about wallets and the cluster. */
export const walletRoutes: readonly Route[] = [
  {
    operation: generate,
    method: 'POST',
    path: '/api/v1/wallet/generate',
    browsers: 'public',
    tag: 'Wallet',
    related: { balance: '/api/v1/wallet/balance/{walletAddress}', stake: '/api/v1/stake' },
  },
  {
    operation: balance,
    method: 'GET',
    path: '/api/v1/wallet/balance/{walletAddress}',
    browsers: 'public',
    tag: 'Wallet',
    related: { stake: '/api/v1/stake/transaction', accounts: '/api/v1/stake/accounts/{walletAddress}' },
  },
  {
    operation: addressType,
    method: 'GET',
    path: '/api/v1/address/{address}/type',
    browsers: 'public',
    tag: 'Wallet',
    related: {
      balance: '/api/v1/wallet/balance/{walletAddress}',
      accounts: '/api/v1/stake/accounts/{walletAddress}',
    },
  },
  {
    operation: epoch,
    method: 'GET',
    path: '/api/v1/epoch',
    browsers: 'public',
    tag: 'Cluster',
    related: { ready: '/ready' },
  },
];
