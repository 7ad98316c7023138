// Staking routes: one-shot, unsigned builders, submit, and a wallet's stake accounts.

import { listNonceAccounts } from '../../operations/nonce/list-nonce-accounts.ts';
import {
  advanceNonceTransaction,
  closeNonceTransaction,
  createNonceTransaction,
} from '../../operations/nonce/nonce-transactions.ts';
import { createUndoTransaction } from '../../operations/plan/create-undo-transaction.ts';
import { planStakeChange } from '../../operations/plan/plan-stake-change.ts';
import { rebuildTransaction } from '../../operations/rebuild/rebuild-transaction.ts';
import { listStakeAccounts } from '../../operations/stake/list-stake-accounts.ts';
import { previewUnstake } from '../../operations/stake/preview-unstake.ts';
import { stake } from '../../operations/stake/stake.ts';
import { unstake } from '../../operations/stake/unstake.ts';
import { withdraw } from '../../operations/stake/withdraw.ts';
import { withdrawReadiness } from '../../operations/stake/withdraw-readiness.ts';
import { attachSignatures } from '../../operations/transaction/attach-signatures.ts';
import { readSignLink } from '../../operations/transaction/read-sign-link.ts';
import { submitTransaction } from '../../operations/transaction/submit-transaction.ts';
import { transactionByKey } from '../../operations/transaction/transaction-by-key.ts';
import { transactionState } from '../../operations/transaction/transaction-state.ts';
import type { Route } from '../pipeline/route.ts';
import { builderRoutes, SUBMIT_PATH } from './transaction-builders.ts';

const ACCOUNTS = '/api/v1/stake/accounts/{walletAddress}';
const READINESS = `${ACCOUNTS}/withdraw-ready`;

/** Routes that take a secret key. Omitted if the operator disabled one-shot calls. */
export const oneShotRoutes: readonly Route[] = [
  {
    operation: stake,
    method: 'POST',
    path: '/api/v1/stake',
    browsers: 'own-page',
    tag: 'Stake',
    carriesSecretKey: true,
    related: { accounts: 'listStakeAccounts', unsigned: 'createStakeTransaction' },
  },
  {
    operation: unstake,
    method: 'POST',
    path: '/api/v1/unstake',
    browsers: 'own-page',
    tag: 'Stake',
    carriesSecretKey: true,
    related: { withdrawReady: 'withdrawReadiness', unsigned: 'createUnstakeTransaction' },
  },
  {
    operation: withdraw,
    method: 'POST',
    path: '/api/v1/withdraw',
    browsers: 'own-page',
    tag: 'Stake',
    carriesSecretKey: true,
    related: { withdrawReady: 'withdrawReadiness', unsigned: 'createWithdrawTransaction' },
  },
];

const nonceBuilders: readonly Route[] = [
  { operation: createNonceTransaction, path: '/api/v1/nonce/create/transaction' },
  { operation: advanceNonceTransaction, path: '/api/v1/nonce/advance/transaction' },
  { operation: closeNonceTransaction, path: '/api/v1/nonce/close/transaction' },
].map(({ operation, path }) => ({
  operation,
  method: 'POST',
  path,
  browsers: 'public',
  tag: 'Transactions',
  related: { submit: 'submitTransaction', accounts: 'listNonceAccounts' },
}));

/** Builders, submit and reads, without secret keys. */
export const stakeRoutes: readonly Route[] = [
  ...builderRoutes,
  {
    operation: planStakeChange,
    method: 'POST',
    path: '/api/v1/plan',
    browsers: 'public',
    tag: 'Transactions',
    related: { submit: 'submitTransaction', accounts: 'listStakeAccounts' },
  },
  {
    operation: previewUnstake,
    method: 'POST',
    path: '/api/v1/unstake/preview',
    browsers: 'public',
    tag: 'Transactions',
    related: { unstake: 'createUnstakeTransaction', accounts: 'listStakeAccounts' },
  },
  {
    operation: createUndoTransaction,
    method: 'POST',
    path: '/api/v1/unstake/undo/transaction',
    browsers: 'public',
    tag: 'Transactions',
    related: { submit: 'submitTransaction', accounts: 'listStakeAccounts' },
  },
  {
    operation: submitTransaction,
    method: 'POST',
    path: SUBMIT_PATH,
    browsers: 'public',
    tag: 'Transactions',
    related: { state: 'transactionState', accounts: 'listStakeAccounts' },
  },
  {
    operation: rebuildTransaction,
    method: 'POST',
    path: '/api/v1/transaction/rebuild',
    browsers: 'public',
    tag: 'Transactions',
    related: { submit: 'submitTransaction', state: 'transactionState' },
  },
  {
    operation: attachSignatures,
    method: 'POST',
    path: '/api/v1/transaction/attach',
    browsers: 'public',
    tag: 'Transactions',
    related: { submit: 'submitTransaction' },
  },
  {
    operation: listNonceAccounts,
    method: 'GET',
    path: '/api/v1/nonce/{walletAddress}',
    browsers: 'public',
    tag: 'Transactions',
    related: { create: 'createNonceTransaction' },
  },
  ...nonceBuilders,
  {
    operation: transactionState,
    method: 'GET',
    path: '/api/v1/transaction/{signature}',
    browsers: 'public',
    tag: 'Transactions',
    related: { submit: 'submitTransaction' },
  },
  {
    operation: transactionByKey,
    method: 'GET',
    path: '/api/v1/transaction',
    browsers: 'public',
    tag: 'Transactions',
    related: { submit: 'submitTransaction' },
  },
  {
    operation: readSignLink,
    method: 'GET',
    path: '/api/v1/sign-link',
    browsers: 'public',
    tag: 'Transactions',
    related: { outcome: 'transactionByKey' },
  },
  {
    operation: listStakeAccounts,
    method: 'GET',
    path: ACCOUNTS,
    browsers: 'public',
    tag: 'Stake',
    related: {
      withdrawReady: 'withdrawReadiness',
      unstake: 'createUnstakeTransaction',
      withdraw: 'createWithdrawTransaction',
    },
  },
  {
    operation: withdrawReadiness,
    method: 'GET',
    path: READINESS,
    browsers: 'public',
    tag: 'Stake',
    related: { accounts: 'listStakeAccounts', withdraw: 'createWithdrawTransaction' },
  },
];
