// Methods and calls of the operations under "Transactions".
// Made by scripts/client-generate.ts from the route tables; never edited by hand.
import type { CallOptions, OperationTable } from '../operation-facts.ts';
import type {
  AdvanceNonceTransactionAnswer,
  AdvanceNonceTransactionInput,
  CloseNonceTransactionAnswer,
  CloseNonceTransactionInput,
  CreateNonceTransactionAnswer,
  CreateNonceTransactionInput,
  CreateRestakeTransactionAnswer,
  CreateRestakeTransactionInput,
  CreateStakeTransactionAnswer,
  CreateStakeTransactionInput,
  CreateUndoTransactionAnswer,
  CreateUndoTransactionInput,
  CreateUnstakeTransactionAnswer,
  CreateUnstakeTransactionInput,
  CreateWithdrawTransactionAnswer,
  CreateWithdrawTransactionInput,
  DonateAnswer,
  DonateInput,
  ListNonceAccountsAnswer,
  ListNonceAccountsInput,
  PlanStakeChangeAnswer,
  PlanStakeChangeInput,
  PreviewUnstakeAnswer,
  PreviewUnstakeInput,
  ReadSignLinkAnswer,
  ReadSignLinkInput,
  RebuildTransactionAnswer,
  RebuildTransactionInput,
  SubmitTransactionAnswer,
  SubmitTransactionInput,
  TransactionByKeyAnswer,
  TransactionByKeyInput,
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
   * account; sign it with the wallet and submit it. No secret key is needed. `amountSol` is the total
   * moved, rent included; the answer shows how much of it is delegated. With `from`, it stakes SOL already
   * held in the wallet’s stake accounts; with `into`, it adds to a stake that is still activating. `plan`
   * lists every account before and after. Solana has no slashing (as of November 2026), so principal is not
   * at risk from validator misbehaviour.
   */
  readonly createStakeTransaction: (
    input: CreateStakeTransactionInput,
    options?: CallOptions,
  ) => Promise<CreateStakeTransactionAnswer>;
  /**
   * Build an unsigned unstake transaction: `POST /api/v1/unstake/transaction`
   *
   * Builds a transaction that deactivates a stake account. The stake earns the reward of this epoch and
   * becomes withdrawable, usually at the next epoch boundary; a stake that was not active yet is
   * withdrawable at once; `epochTiming` estimates the time. With `amountSol` instead, exactly that amount
   * is taken out of the accounts of the wallet: whole accounts if they fit, otherwise a part is moved or
   * split off in the same transaction; plan shows every account before and after. An idempotency key,
   * passed here and to submit, takes its amount out only once; after that, nothing more is built with it.
   * Sign it with the stake authority and submit it.
   */
  readonly createUnstakeTransaction: (
    input: CreateUnstakeTransactionInput,
    options?: CallOptions,
  ) => Promise<CreateUnstakeTransactionAnswer>;
  /**
   * Build an unsigned withdraw transaction: `POST /api/v1/withdraw/transaction`
   *
   * Builds a transaction that returns SOL from a stake account to the wallet. Without `amountSol` it
   * withdraws the full balance, which closes the account; with all it does that for every inactive account.
   * Sign it with the withdraw authority and submit it.
   */
  readonly createWithdrawTransaction: (
    input: CreateWithdrawTransactionInput,
    options?: CallOptions,
  ) => Promise<CreateWithdrawTransactionAnswer>;
  /**
   * Build an unsigned restake transaction: `POST /api/v1/restake/transaction`
   *
   * Builds a transaction that delegates an inactive stake account to the validator again, with its whole
   * balance beyond rent, including rewards and tips. It becomes active at the next epoch boundary at the
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
   * Donations are always voluntary.
   */
  readonly donate: (input: DonateInput, options?: CallOptions) => Promise<DonateAnswer>;
  /**
   * Plan a change of stake: `POST /api/v1/plan`
   *
   * Plans a change of a wallet's stake across all its accounts with this validator, and builds the unsigned
   * transactions, nearly always one. Goals: `unstake` (Deactivates exactly amountSol of active stake, from
   * as many accounts as needed, in addition to stake already deactivating.) `withdraw-amount` (Brings a
   * total of amountSol into the wallet as soon as possible: first withdrawable SOL, then stake that never
   * became active, then deactivating stake, and deactivates only the rest.) `undo` (Reverts deactivations
   * of this epoch before the boundary makes them final; all of them, or exactly amountSol.) `restake`
   * (Delegates inactive stake again; accounts with the same owner become one stake.) `top-up` (Adds
   * amountSol of the wallet to a stake that is still activating. Less than the minimum of a stake goes
   * through a new account, which keeps its rent until withdraw-all closes it.) `tidy` (Merges stake
   * accounts that the Stake program can merge; the rent of the closed ones is returned.) `sweep` (Moves
   * idle SOL of staked accounts to the wallet, into a new stake, or into an activating one.) `migrate`
   * (Moves stake here from other validators: active stake is deactivated first and delegated here in a
   * later epoch.) `rescue` (Makes the wallet the stake authority again for every stake that it may
   * withdraw.) `withdraw-all` (Withdraws every inactive account in full and closes it.) For an impossible
   * change, returns feasible false, the reason, and the nearest possible amounts. Nothing is stored: after
   * a transaction has landed, call it again to plan the rest. Each idempotency key takes an amount only
   * once, so use a new key for the rest of an amount. Sign each with the wallet and submit them in order.
   */
  readonly planStakeChange: (
    input: PlanStakeChangeInput,
    options?: CallOptions,
  ) => Promise<PlanStakeChangeAnswer>;
  /**
   * Preview an unstake by amount: `POST /api/v1/unstake/preview`
   *
   * Returns the amounts a wallet can unstake exactly, as ranges. For a given amount, also returns whether
   * it is possible, the nearest possible amounts below and above, and its plan: every account before and
   * after, the SOL that arrives in the wallet and when, and the costs. Nothing is built or changed; to
   * build it, call POST /api/v1/unstake/transaction with the same parameters.
   */
  readonly previewUnstake: (
    input: PreviewUnstakeInput,
    options?: CallOptions,
  ) => Promise<PreviewUnstakeAnswer>;
  /**
   * Build an unsigned transaction that undoes an unstake: `POST /api/v1/unstake/undo/transaction`
   *
   * Builds a transaction that keeps stake staked that was deactivated in this epoch, without losing
   * rewards: one account, exactly `amountSol` of the deactivating stake, or all of it. Possible until the
   * epoch ends. Close to the boundary nothing is built, because the same bytes would restart activation
   * after it. Sign it with the wallet and submit it at once.
   */
  readonly createUndoTransaction: (
    input: CreateUndoTransactionInput,
    options?: CallOptions,
  ) => Promise<CreateUndoTransactionAnswer>;
  /**
   * Submit a signed transaction: `POST /api/v1/transaction/submit`
   *
   * Sends a signed transaction and rebroadcasts the same bytes until the cluster confirms it or it is
   * proven that it can never land. Submitting the same transaction again returns its signature. With the
   * idempotency key of the builder, a missing signature of the new stake account is added.
   * `signedTransactions` takes the transactions of a plan in order: all are checked first, then each is
   * sent once the previous one is confirmed; the first failure stops the sequence, and the error lists
   * those that landed. Submitting the same list again is safe.
   */
  readonly submitTransaction: (
    input?: SubmitTransactionInput,
    options?: CallOptions,
  ) => Promise<SubmitTransactionAnswer>;
  /**
   * Rebuild an expired transaction: `POST /api/v1/transaction/rebuild`
   *
   * Takes a transaction that this service built, signed or not, and builds it again with a fresh blockhash,
   * or with the new value of its nonce account: the same change, and the same stake account address. Use it
   * if the signature came too late. `difference` says whether only the lifetime differs, or what else
   * changed because the chain did. Refused while the old transaction can still land, and if it landed.
   */
  readonly rebuildTransaction: (
    input: RebuildTransactionInput,
    options?: CallOptions,
  ) => Promise<RebuildTransactionAnswer>;
  /**
   * List the nonce accounts of a wallet: `GET /api/v1/nonce/{walletAddress}`
   *
   * Lists the nonce accounts that this service creates for a wallet, at ten addresses derived from it. A
   * transaction built with such an account as `nonce` does not expire; it can land until the nonce is used
   * or advanced. Each account serves one transaction at a time.
   */
  readonly listNonceAccounts: (
    input: ListNonceAccountsInput,
    options?: CallOptions,
  ) => Promise<ListNonceAccountsAnswer>;
  /**
   * Build a transaction that creates a nonce account: `POST /api/v1/nonce/create/transaction`
   *
   * Builds a transaction that creates a nonce account which only the wallet can use, advance and close. Its
   * rent comes back when it is closed. The wallet signs alone: the address is derived from it. At most 10
   * per wallet. Sign it with the wallet and submit it.
   */
  readonly createNonceTransaction: (
    input: CreateNonceTransactionInput,
    options?: CallOptions,
  ) => Promise<CreateNonceTransactionAnswer>;
  /**
   * Build a transaction that advances a nonce account: `POST /api/v1/nonce/advance/transaction`
   *
   * Builds a transaction that gives the nonce account a new value. Every transaction signed with the old
   * value can then never land: this cancels it. Sign it with the wallet and submit it.
   */
  readonly advanceNonceTransaction: (
    input: AdvanceNonceTransactionInput,
    options?: CallOptions,
  ) => Promise<AdvanceNonceTransactionAnswer>;
  /**
   * Build a transaction that closes a nonce account: `POST /api/v1/nonce/close/transaction`
   *
   * Builds a transaction that returns everything in the nonce account to the wallet and closes the account.
   * Transactions signed with its value can then never land. Sign it with the wallet and submit it.
   */
  readonly closeNonceTransaction: (
    input: CloseNonceTransactionInput,
    options?: CallOptions,
  ) => Promise<CloseNonceTransactionAnswer>;
  /**
   * State of a transaction: `GET /api/v1/transaction/{signature}`
   *
   * pending: it may still land. confirmed and finalized: it landed and succeeded. failed: it landed, but
   * only the fee was paid. expired: it can provably never land. Use it after SUBMISSION_UNRESOLVED.
   */
  readonly transactionState: (
    input: TransactionStateInput,
    options?: CallOptions,
  ) => Promise<TransactionStateAnswer>;
  /**
   * Outcome of a request by its idempotency key: `GET /api/v1/transaction`
   *
   * Finds the transaction submitted for a wallet with an idempotency key and returns its state. Use it
   * after giving `signUrl` to a person: 404 until the transaction is signed and submitted. For a plan with
   * several transactions, returns the first one.
   */
  readonly transactionByKey: (
    input: TransactionByKeyInput,
    options?: CallOptions,
  ) => Promise<TransactionByKeyAnswer>;
  /**
   * Check a sign link: `GET /api/v1/sign-link`
   *
   * Checks that this service created a sign link and that it is unaltered and not expired, and reports
   * whether its request has already been signed. The page calls this before it builds anything.
   */
  readonly readSignLink: (input: ReadSignLinkInput, options?: CallOptions) => Promise<ReadSignLinkAnswer>;
}

/** How each of them is called. */
export const transactionsOperations = {
  createStakeTransaction: {
    method: 'POST',
    path: '/api/v1/stake/transaction',
    effect: 'build',
    query: [],
    body: [
      'walletAddress',
      'amountSol',
      'from',
      'into',
      'cosign',
      'transactionVersion',
      'priority',
      'nonce',
      'feePayer',
    ],
    idempotency: 'made',
  },
  createUnstakeTransaction: {
    method: 'POST',
    path: '/api/v1/unstake/transaction',
    effect: 'build',
    query: [],
    body: [
      'walletAddress',
      'stakeAccountAddress',
      'amountSol',
      'rounding',
      'want',
      'transactionVersion',
      'priority',
      'nonce',
      'feePayer',
    ],
    idempotency: 'made',
  },
  createWithdrawTransaction: {
    method: 'POST',
    path: '/api/v1/withdraw/transaction',
    effect: 'build',
    query: [],
    body: [
      'walletAddress',
      'stakeAccountAddress',
      'amountSol',
      'all',
      'transactionVersion',
      'priority',
      'nonce',
      'feePayer',
    ],
    idempotency: 'made',
  },
  createRestakeTransaction: {
    method: 'POST',
    path: '/api/v1/restake/transaction',
    effect: 'build',
    query: [],
    body: ['walletAddress', 'stakeAccountAddress', 'transactionVersion', 'priority', 'nonce', 'feePayer'],
    idempotency: 'made',
  },
  donate: {
    method: 'POST',
    path: '/api/v1/donate',
    effect: 'build',
    query: [],
    body: ['walletAddress', 'amountSol', 'transactionVersion', 'priority', 'nonce', 'feePayer'],
    idempotency: 'made',
  },
  planStakeChange: {
    method: 'POST',
    path: '/api/v1/plan',
    effect: 'build',
    query: [],
    body: [
      'walletAddress',
      'goal',
      'amountSol',
      'rounding',
      'to',
      'stakeAccountAddresses',
      'transactionVersion',
      'priority',
      'nonce',
    ],
    idempotency: 'made',
  },
  previewUnstake: {
    method: 'POST',
    path: '/api/v1/unstake/preview',
    effect: 'read',
    query: [],
    body: ['walletAddress', 'amountSol', 'want', 'rounding', 'stakeAccountAddress'],
  },
  createUndoTransaction: {
    method: 'POST',
    path: '/api/v1/unstake/undo/transaction',
    effect: 'build',
    query: [],
    body: ['walletAddress', 'stakeAccountAddress', 'amountSol', 'transactionVersion', 'priority'],
    idempotency: 'made',
  },
  submitTransaction: {
    method: 'POST',
    path: '/api/v1/transaction/submit',
    effect: 'act',
    query: [],
    body: ['signedTransaction', 'signedTransactions'],
    idempotency: 'own',
  },
  rebuildTransaction: {
    method: 'POST',
    path: '/api/v1/transaction/rebuild',
    effect: 'build',
    query: [],
    body: ['transaction', 'transactionVersion', 'priority'],
    idempotency: 'made',
  },
  listNonceAccounts: {
    method: 'GET',
    path: '/api/v1/nonce/{walletAddress}',
    effect: 'read',
    query: [],
    body: [],
  },
  createNonceTransaction: {
    method: 'POST',
    path: '/api/v1/nonce/create/transaction',
    effect: 'build',
    query: [],
    body: ['walletAddress', 'transactionVersion'],
    idempotency: 'made',
  },
  advanceNonceTransaction: {
    method: 'POST',
    path: '/api/v1/nonce/advance/transaction',
    effect: 'build',
    query: [],
    body: ['walletAddress', 'transactionVersion', 'nonceAccountAddress'],
    idempotency: 'made',
  },
  closeNonceTransaction: {
    method: 'POST',
    path: '/api/v1/nonce/close/transaction',
    effect: 'build',
    query: [],
    body: ['walletAddress', 'transactionVersion', 'nonceAccountAddress'],
    idempotency: 'made',
  },
  transactionState: {
    method: 'GET',
    path: '/api/v1/transaction/{signature}',
    effect: 'read',
    query: [],
    body: [],
  },
  transactionByKey: {
    method: 'GET',
    path: '/api/v1/transaction',
    effect: 'read',
    query: ['walletAddress', 'idempotencyKey'],
    body: [],
  },
  readSignLink: { method: 'GET', path: '/api/v1/sign-link', effect: 'read', query: ['request'], body: [] },
} as const satisfies OperationTable;
