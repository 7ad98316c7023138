// Methods and calls of the operations under "Transactions".
// Made by scripts/client-generate.ts from the route tables; never edited by hand.
import type { CallOptions, OperationTable } from '../operation-facts.ts';
import type {
  CreateRestakeTransactionAnswer,
  CreateRestakeTransactionInput,
  CreateStakeTransactionAnswer,
  CreateStakeTransactionInput,
  CreateUnstakeTransactionAnswer,
  CreateUnstakeTransactionInput,
  CreateWithdrawTransactionAnswer,
  CreateWithdrawTransactionInput,
  DonateAnswer,
  DonateInput,
  SubmitTransactionAnswer,
  SubmitTransactionInput,
  TransactionStateAnswer,
  TransactionStateInput,
} from './transactions-operations.ts';

/** Methods of transactions operations. */
export interface TransactionsMethods {
  /**
   * Build an unsigned stake transaction: `POST /api/v1/stake/transaction`
   *
   * Builds a transaction that creates a stake account with the wallet as stake and withdraw authority,
   * delegates it to the validator and ends with the service memo. It is partially signed by the new stake
   * account; sign it with the wallet and submit it. No secret key is needed. amountSol is the total moved,
   * rent included; the answer says how much of it is delegated. Solana has no slashing (as of November
   * 2026), so principal is not at risk from validator misbehaviour.
   */
  readonly createStakeTransaction: (
    input: CreateStakeTransactionInput,
    options?: CallOptions,
  ) => Promise<CreateStakeTransactionAnswer>;
  /**
   * Build an unsigned unstake transaction: `POST /api/v1/unstake/transaction`
   *
   * Builds a transaction that deactivates a stake account. The stake earns the reward of this epoch, cools
   * down and becomes withdrawable, usually at the next epoch boundary; one that was not active yet is
   * withdrawable at once; epochTiming says when that is expected. Sign it with the stake authority and
   * submit it.
   */
  readonly createUnstakeTransaction: (
    input: CreateUnstakeTransactionInput,
    options?: CallOptions,
  ) => Promise<CreateUnstakeTransactionAnswer>;
  /**
   * Build an unsigned withdraw transaction: `POST /api/v1/withdraw/transaction`
   *
   * Builds a transaction that returns SOL from a stake account to the wallet. Without amountSol it
   * withdraws the full balance, which closes the account. Sign it with the withdraw authority and submit
   * it.
   */
  readonly createWithdrawTransaction: (
    input: CreateWithdrawTransactionInput,
    options?: CallOptions,
  ) => Promise<CreateWithdrawTransactionAnswer>;
  /**
   * Build an unsigned restake transaction: `POST /api/v1/restake/transaction`
   *
   * Builds a transaction that delegates an inactive stake account to the validator again, with all that it
   * holds beyond its rent: rewards and tips included. It becomes active at the next epoch boundary at the
   * earliest. The account may have been delegated to another validator before. Sign it with the stake
   * authority and submit it.
   */
  readonly createRestakeTransaction: (
    input: CreateRestakeTransactionInput,
    options?: CallOptions,
  ) => Promise<CreateRestakeTransactionAnswer>;
  /**
   * Build an unsigned donation: `POST /api/v1/donate`
   *
   * Builds a transfer to the donation address of this service. Sign it with the wallet and submit it.
   * Donating is never a condition of anything.
   */
  readonly donate: (input: DonateInput, options?: CallOptions) => Promise<DonateAnswer>;
  /**
   * Submit a signed transaction: `POST /api/v1/transaction/submit`
   *
   * Sends a signed transaction and rebroadcasts the same bytes until the cluster confirms it or it is
   * proven that it can never land. Submitting the same transaction again answers with its signature. With
   * the idempotency key of the builder, a missing signature of the new stake account is added.
   */
  readonly submitTransaction: (
    input: SubmitTransactionInput,
    options?: CallOptions,
  ) => Promise<SubmitTransactionAnswer>;
  /**
   * State of a transaction: `GET /api/v1/transaction/{signature}`
   *
   * pending: it may still land. confirmed and finalized: it landed and succeeded. failed: it landed and had
   * no effect but the fee. expired: it is proven that it never will land. Ask here after
   * SUBMISSION_UNRESOLVED.
   */
  readonly transactionState: (
    input: TransactionStateInput,
    options?: CallOptions,
  ) => Promise<TransactionStateAnswer>;
}

/** How each of them is called. */
export const transactionsOperations = {
  createStakeTransaction: {
    method: 'POST',
    path: '/api/v1/stake/transaction',
    effect: 'build',
    query: [],
    body: ['walletAddress', 'amountSol', 'cosign', 'transactionVersion'],
    idempotency: 'made',
  },
  createUnstakeTransaction: {
    method: 'POST',
    path: '/api/v1/unstake/transaction',
    effect: 'build',
    query: [],
    body: ['walletAddress', 'stakeAccountAddress', 'transactionVersion'],
    idempotency: 'made',
  },
  createWithdrawTransaction: {
    method: 'POST',
    path: '/api/v1/withdraw/transaction',
    effect: 'build',
    query: [],
    body: ['walletAddress', 'stakeAccountAddress', 'amountSol', 'transactionVersion'],
    idempotency: 'made',
  },
  createRestakeTransaction: {
    method: 'POST',
    path: '/api/v1/restake/transaction',
    effect: 'build',
    query: [],
    body: ['walletAddress', 'stakeAccountAddress', 'transactionVersion'],
    idempotency: 'made',
  },
  donate: {
    method: 'POST',
    path: '/api/v1/donate',
    effect: 'build',
    query: [],
    body: ['walletAddress', 'amountSol', 'transactionVersion'],
    idempotency: 'made',
  },
  submitTransaction: {
    method: 'POST',
    path: '/api/v1/transaction/submit',
    effect: 'act',
    query: [],
    body: ['signedTransaction'],
    idempotency: 'own',
  },
  transactionState: {
    method: 'GET',
    path: '/api/v1/transaction/{signature}',
    effect: 'read',
    query: [],
    body: [],
  },
} as const satisfies OperationTable;
