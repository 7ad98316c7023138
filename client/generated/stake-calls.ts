// Methods and calls of the operations under "Stake".
// Made by scripts/client-generate.ts from the route tables; never edited by hand.
import type { CallOptions, OperationTable } from '../operation-facts.ts';
import type {
  CheckWithdrawReadyAnswer,
  CheckWithdrawReadyInput,
  ListStakeAccountsAnswer,
  ListStakeAccountsInput,
  SimulateStakeAnswer,
  SimulateStakeInput,
  StakeAnswer,
  StakeInput,
  StakingRewardsAnswer,
  StakingRewardsInput,
  StakingSummaryAnswer,
  StakingSummaryInput,
  UnstakeAnswer,
  UnstakeInput,
  WalletAlertsAnswer,
  WalletAlertsInput,
  WalletHistoryAnswer,
  WalletHistoryInput,
  WithdrawAnswer,
  WithdrawInput,
  WithdrawReadinessAnswer,
  WithdrawReadinessInput,
} from './stake-operations.ts';

/** Methods of stake operations. */
export interface StakeMethods {
  /**
   * Check which stake accounts are ready to withdraw (alias): `GET
   * /api/v1/check-withdraw-ready/{walletAddress}`
   *
   * An alias of GET /api/v1/stake/accounts/{walletAddress}/withdraw-ready, for plugins that call this path.
   * Checks every stake account of the wallet with this validator for activation, deactivation, lockup and
   * rewards distribution, and estimates when a deactivating one becomes withdrawable. Poll this after
   * unstaking; once `withdrawReady` is true, withdraw.
   */
  readonly checkWithdrawReady: (
    input: CheckWithdrawReadyInput,
    options?: CallOptions,
  ) => Promise<CheckWithdrawReadyAnswer>;
  /**
   * Stake SOL in one call: `POST /api/v1/stake`
   *
   * Creates a stake account for the wallet, delegates it to the validator, and answers once the cluster has
   * confirmed it. Needs the wallet secret key, which is used in memory for this one signature. Prefer POST
   * /api/v1/stake/transaction, which never needs it. Safe to repeat with the same idempotency key: one key
   * creates one stake account. Solana has no slashing (as of November 2026), so principal is not at risk
   * from validator misbehaviour.
   */
  readonly stake: (input: StakeInput, options?: CallOptions) => Promise<StakeAnswer>;
  /**
   * Unstake in one call: `POST /api/v1/unstake`
   *
   * Deactivates a stake account, or with `amountSol` unstakes exactly that amount across the wallet’s
   * accounts, and returns once the cluster has confirmed it. The stake becomes withdrawable once it is
   * inactive, usually at the next epoch boundary. Pass an idempotency key with an amount: a repeat with the
   * same key never unstakes twice. Needs the secret key of the stake authority, used in memory for this one
   * signature. Prefer POST /api/v1/unstake/transaction, which never needs it.
   */
  readonly unstake: (input: UnstakeInput, options?: CallOptions) => Promise<UnstakeAnswer>;
  /**
   * Withdraw in one call: `POST /api/v1/withdraw`
   *
   * Returns SOL from a stake account to the wallet and answers once the cluster has confirmed it. Without
   * `amountSol` it withdraws the full balance, which closes the account; with all it does that for every
   * inactive account. Needs the secret key of the withdraw authority, used in memory for this one
   * signature. Prefer POST /api/v1/withdraw/transaction, which never needs it.
   */
  readonly withdraw: (input: WithdrawInput, options?: CallOptions) => Promise<WithdrawAnswer>;
  /**
   * List a wallet's stake accounts: `GET /api/v1/stake/accounts/{walletAddress}`
   *
   * Lists the stake accounts with this validator that the wallet may withdraw from (role owner) or only
   * unstake (role staker, not part of the total), each evaluated exactly as by the Stake program. Also
   * lists accounts whose whole stake was moved away (not part of the total). scope=all adds the wallet’s
   * undelegated accounts and those delegated elsewhere (not part of the total).
   */
  readonly listStakeAccounts: (
    input: ListStakeAccountsInput,
    options?: CallOptions,
  ) => Promise<ListStakeAccountsAnswer>;
  /**
   * Check which stake accounts are ready to withdraw: `GET
   * /api/v1/stake/accounts/{walletAddress}/withdraw-ready`
   *
   * Checks every stake account of the wallet with this validator for activation, deactivation, lockup and
   * rewards distribution, and estimates when a deactivating one becomes withdrawable. Poll this after
   * unstaking; once `withdrawReady` is true, withdraw.
   */
  readonly withdrawReadiness: (
    input: WithdrawReadinessInput,
    options?: CallOptions,
  ) => Promise<WithdrawReadinessAnswer>;
  /**
   * Project a stake's rewards: `POST /api/v1/stake/simulate`
   *
   * Projects the rewards of a stake made now: inflation rewards compound per epoch as the chain pays them,
   * tips are added without compounding, nothing is earned before the stake is active, and rent earns
   * nothing. A forecast at the rates of the last epochs, not a promise. Periods are counted from now,
   * including the warm-up.
   */
  readonly simulateStake: (input: SimulateStakeInput, options?: CallOptions) => Promise<SimulateStakeAnswer>;
  /**
   * A wallet's staking summary: `GET /api/v1/stake/summary/{walletAddress}`
   *
   * Everything about a wallet in one call: liquid balance, stake by state, every account with its estimated
   * daily reward, and `recommendedAction`: STAKE, FUND, HOLD, WAIT or WITHDRAW with the endpoint to call
   * next. Totals include the accounts that the wallet may withdraw from.
   */
  readonly stakingSummary: (
    input: StakingSummaryInput,
    options?: CallOptions,
  ) => Promise<StakingSummaryAnswer>;
  /**
   * A wallet's rewards by account and epoch: `GET /api/v1/stake/rewards/{walletAddress}`
   *
   * Inflation rewards and tips of every account of the wallet with this validator, including closed ones
   * known to the service, for the latest completed epochs, newest first, from finalized blocks. At most 100
   * accounts and 200 epochs, within a budget of RPC calls shared by all requests: figures beyond the budget
   * are null, with a warning, and available in a later call. With format=csv or Accept: text/csv, returns
   * the same as a table.
   */
  readonly stakingRewards: (
    input: StakingRewardsInput,
    options?: CallOptions,
  ) => Promise<StakingRewardsAnswer>;
  /** The same as `text/csv`. */
  readonly stakingRewardsCsv: (input: StakingRewardsInput, options?: CallOptions) => Promise<string>;
  /**
   * A wallet's staking history: `GET /api/v1/stake/history/{walletAddress}`
   *
   * Every finalized stake, unstake, withdrawal, split, merge and move of the wallet with this validator,
   * and its donations, newest first. Includes transactions sent through the service and those submitted
   * elsewhere, which are found on chain by the memo in the wallet’s transactions or, with or without a
   * memo, in those of its stake accounts. legs lists the effects on every stake account. One request
   * searches with a few RPC calls; the rest is searched in the background, within a budget shared by all
   * requests, and complete is false until that is done. `coverageFromSlot` is the slot back to which the
   * search is complete; 0 is the beginning.
   */
  readonly walletHistory: (input: WalletHistoryInput, options?: CallOptions) => Promise<WalletHistoryAnswer>;
  /**
   * Alerts of a wallet: `GET /api/v1/alerts/{walletAddress}`
   *
   * Every change of control over a wallet’s stakes with this validator: authorities, lockups, stakes that
   * moved away, deactivations by others; each with a level and the patterns it shares with thefts. Grouped
   * by stake account: accounts that the wallet signed for come first, newest change first; an account
   * created by an outsider has one alert for all, at the end. Read from the finalized transactions of its
   * accounts on each request, so nothing needs to be registered and nothing is stored; complete is false if
   * some could not be read. rescuable lists the stakes whose stake authority is another address and can be
   * taken back by the wallet alone. Contains no transaction; use the page or the command line to recover a
   * stake.
   */
  readonly walletAlerts: (input: WalletAlertsInput, options?: CallOptions) => Promise<WalletAlertsAnswer>;
}

/** How each of them is called. */
export const stakeOperations = {
  checkWithdrawReady: {
    method: 'GET',
    path: '/api/v1/check-withdraw-ready/{walletAddress}',
    effect: 'read',
    query: [],
    body: [],
  },
  stake: {
    method: 'POST',
    path: '/api/v1/stake',
    effect: 'act',
    query: [],
    body: ['walletAddress', 'secretKey', 'priority', 'amountSol'],
    idempotency: 'made',
    carriesSecretKey: true,
  },
  unstake: {
    method: 'POST',
    path: '/api/v1/unstake',
    effect: 'act',
    query: [],
    body: ['walletAddress', 'secretKey', 'priority', 'stakeAccountAddress', 'amountSol', 'rounding', 'want'],
    idempotency: 'made',
    carriesSecretKey: true,
  },
  withdraw: {
    method: 'POST',
    path: '/api/v1/withdraw',
    effect: 'act',
    query: [],
    body: ['walletAddress', 'secretKey', 'priority', 'stakeAccountAddress', 'amountSol', 'all'],
    idempotency: 'made',
    carriesSecretKey: true,
  },
  listStakeAccounts: {
    method: 'GET',
    path: '/api/v1/stake/accounts/{walletAddress}',
    effect: 'read',
    query: ['scope'],
    body: [],
  },
  withdrawReadiness: {
    method: 'GET',
    path: '/api/v1/stake/accounts/{walletAddress}/withdraw-ready',
    effect: 'read',
    query: [],
    body: [],
  },
  simulateStake: {
    method: 'POST',
    path: '/api/v1/stake/simulate',
    effect: 'read',
    query: [],
    body: ['amountSol', 'durationDays'],
  },
  stakingSummary: {
    method: 'GET',
    path: '/api/v1/stake/summary/{walletAddress}',
    effect: 'read',
    query: [],
    body: [],
  },
  stakingRewards: {
    method: 'GET',
    path: '/api/v1/stake/rewards/{walletAddress}',
    effect: 'read',
    query: ['epochs'],
    body: [],
    alternative: { type: 'text/csv', name: 'format', value: 'csv' },
  },
  walletHistory: {
    method: 'GET',
    path: '/api/v1/stake/history/{walletAddress}',
    effect: 'read',
    query: ['limit', 'cursor'],
    body: [],
  },
  walletAlerts: {
    method: 'GET',
    path: '/api/v1/alerts/{walletAddress}',
    effect: 'read',
    query: ['limit', 'cursor'],
    body: [],
  },
} as const satisfies OperationTable;
