// Maps each operation to its MCP tool, its command and its place on the page.
import { kinds, type TransactionKind } from '../domain/transaction/transaction-kinds.ts';
import type { OperationName } from '../kernel/guidance.ts';

/** The places where callers find one operation. `tool` is set only if another operation's tool covers it. */
interface OperationPlaces {
  readonly tool?: string;
  /** Name of the tool in the MCP server on the user's machine, if it differs. */
  readonly localTool?: string;
  readonly command?: string;
  readonly page?: string;
}

/**
 * The places of a transaction builder: the command is named after the transaction kind, the button after the
 * kind's verb.
 */
const ofKind = (kind: TransactionKind, localTool: string = kind): OperationPlaces => ({
  localTool,
  command: `holdfast ${kind}`,
  page: `the ${kinds[kind].verb} button`,
});
const WEBHOOKS: OperationPlaces = { command: 'holdfast webhooks', page: 'the Developers page' };
const AUTOPILOT: OperationPlaces = { page: 'the Autopilot form' };
const PORTFOLIO_PAGE = 'the Portfolio page';
const VALIDATOR_PAGE = 'the Validator page';
const STATUS_PAGE = 'the status page';

export const operationPlaces: Readonly<Partial<Record<OperationName, OperationPlaces>>> = {
  stake: ofKind('stake'),
  unstake: ofKind('unstake'),
  withdraw: ofKind('withdraw'),
  createStakeTransaction: ofKind('stake'),
  createUnstakeTransaction: ofKind('unstake'),
  createWithdrawTransaction: ofKind('withdraw'),
  createRestakeTransaction: {
    ...ofKind('restake', 'stake'),
    page: 'the Stake again button of the account on the Portfolio page',
  },
  createUndoTransaction: { tool: 'plan_stake_change', localTool: 'change_stake', command: 'holdfast undo' },
  planStakeChange: { localTool: 'change_stake', command: 'holdfast unstake --amount' },
  generateWallet: { command: 'holdfast keygen' },
  balance: { command: 'holdfast balance', page: PORTFOLIO_PAGE },
  listStakeAccounts: { command: 'holdfast accounts', page: PORTFOLIO_PAGE },
  withdrawReadiness: { command: 'holdfast accounts', page: PORTFOLIO_PAGE },
  stakingSummary: { command: 'holdfast summary', page: PORTFOLIO_PAGE },
  walletHistory: { command: 'holdfast history', page: PORTFOLIO_PAGE },
  stakingRewards: { command: 'holdfast rewards', page: PORTFOLIO_PAGE },
  simulateStake: { command: 'holdfast simulate', page: 'the Stake page' },
  listNonceAccounts: { command: 'holdfast nonce list' },
  createNonceTransaction: { command: 'holdfast nonce create' },
  advanceNonceTransaction: { command: 'holdfast nonce cancel' },
  closeNonceTransaction: { command: 'holdfast nonce close' },
  // No tool rebuilds a transaction: callers call its builder again with the same idempotency key.
  rebuildTransaction: {
    tool: 'the same tool',
    command: 'holdfast rebuild',
    page: 'the Try again button',
  },
  attachSignatures: { command: 'holdfast attach' },
  transactionState: { tool: 'verify_transaction', command: 'holdfast verify', page: 'the explorer' },
  verifyTransaction: { command: 'holdfast verify', page: 'the explorer' },
  epoch: { command: 'holdfast epoch', page: 'the epoch bar' },
  health: { page: STATUS_PAGE },
  ready: { page: STATUS_PAGE },
  validatorProfile: { command: 'holdfast validator', page: VALIDATOR_PAGE },
  validatorPerformance: { command: 'holdfast validator', page: VALIDATOR_PAGE },
  codeIntegrity: { page: VALIDATOR_PAGE },
  setStakingPolicy: AUTOPILOT,
  getStakingPolicy: AUTOPILOT,
  deleteStakingPolicy: AUTOPILOT,
  registerWebhook: WEBHOOKS,
  listWebhooks: WEBHOOKS,
  deleteWebhook: WEBHOOKS,
  pingWebhook: WEBHOOKS,
  restoreWebhook: WEBHOOKS,
  listDeliveries: WEBHOOKS,
  replayDeliveries: WEBHOOKS,
};
