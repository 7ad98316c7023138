// Routes about wallets, addresses and epochs.
import type { OperationName } from '../../kernel/guidance.ts';
import { epoch } from '../../operations/cluster/epoch.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { withdrawReadiness } from '../../operations/stake/withdraw-readiness.ts';
import { addressType } from '../../operations/wallet/address-type.ts';
import { balance } from '../../operations/wallet/balance.ts';
import { generate } from '../../operations/wallet/generate-wallet.ts';
import type { Route } from '../pipeline/route.ts';

/** Creates an alias of `operation` for a path that existing clients already call. */
const aliasOf = <Of extends AnyOperation>(operation: Of, name: OperationName, path: string): Of => ({
  ...operation,
  name,
  summary: `${operation.summary} (alias)`,
  description: `An alias of GET ${path}, for plugins that call this path. ${operation.description}`,
});

const BALANCE = '/api/v1/wallet/balance/{walletAddress}';
const READINESS = '/api/v1/stake/accounts/{walletAddress}/withdraw-ready';

export const walletRoutes: readonly Route[] = [
  {
    operation: generate,
    method: 'POST',
    path: '/api/v1/wallet/generate',
    browsers: 'public',
    tag: 'Wallet',
    related: { balance: 'balance', stake: 'createStakeTransaction' },
  },
  {
    operation: balance,
    method: 'GET',
    path: BALANCE,
    browsers: 'public',
    tag: 'Wallet',
    related: { stake: 'createStakeTransaction', accounts: 'listStakeAccounts' },
  },
  {
    operation: aliasOf(balance, 'checkBalance', BALANCE),
    method: 'GET',
    path: '/api/v1/check-balance/{walletAddress}',
    browsers: 'public',
    tag: 'Wallet',
    related: { balance: 'balance' },
  },
  {
    operation: aliasOf(withdrawReadiness, 'checkWithdrawReady', READINESS),
    method: 'GET',
    path: '/api/v1/check-withdraw-ready/{walletAddress}',
    browsers: 'public',
    tag: 'Stake',
    related: { withdrawReady: 'withdrawReadiness' },
  },
  {
    operation: addressType,
    method: 'GET',
    path: '/api/v1/address/{address}/type',
    browsers: 'public',
    tag: 'Wallet',
    related: { balance: 'balance', accounts: 'listStakeAccounts' },
  },
  {
    operation: epoch,
    method: 'GET',
    path: '/api/v1/epoch',
    browsers: 'public',
    tag: 'Cluster',
    related: { ready: 'ready' },
  },
];
