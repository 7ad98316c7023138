// Names each operation for other interfaces: MCP tool, command and place on the page.

import {
  kinds,
  type TransactionKind,
  transactionKinds,
  usesStakeProgram,
} from '../domain/transaction/transaction-kinds.ts';

/** Names of one operation. A tool is the one bound to the operation unless another one does its work. */
interface Phrases {
  readonly tool?: string;
  readonly command?: string;
  readonly page?: string;
}

/** The command has the kind's name, the button says its verb. */
const ofKind = (kind: TransactionKind): Phrases => ({
  command: `holdfast ${kind}`,
  page: `the ${kinds[kind].verb} button`,
});
const builderPhrases = Object.fromEntries(
  transactionKinds
    .filter((kind) => usesStakeProgram(kind) && kind !== 'rearrange')
    .map((kind) => [`create${kind[0]?.toUpperCase()}${kind.slice(1)}Transaction`, ofKind(kind)]),
);
const WEBHOOKS: Phrases = { command: 'holdfast webhooks', page: 'the Developers page' };
const AUTOPILOT: Phrases = { page: 'the Autopilot form' };
const PORTFOLIO_PAGE = 'the Portfolio page';
const VALIDATOR_PAGE = 'the Validator page';

/** By the name of the operation. */
export const phrases: Readonly<Record<string, Phrases>> = {
  ...builderPhrases,
  stake: ofKind('stake'),
  unstake: ofKind('unstake'),
  withdraw: ofKind('withdraw'),
  createUndoTransaction: { tool: 'plan_stake_change', command: 'holdfast undo' },
  planStakeChange: { command: 'holdfast unstake --amount' },
  generateWallet: { command: 'holdfast keygen' },
  balance: { command: 'holdfast balance', page: PORTFOLIO_PAGE },
  listStakeAccounts: { command: 'holdfast accounts', page: PORTFOLIO_PAGE },
  withdrawReadiness: { command: 'holdfast accounts', page: PORTFOLIO_PAGE },
  stakingSummary: { command: 'holdfast summary', page: PORTFOLIO_PAGE },
  walletHistory: { command: 'holdfast history', page: PORTFOLIO_PAGE },
  stakingRewards: { command: 'holdfast rewards', page: PORTFOLIO_PAGE },
  simulateStake: { command: 'holdfast simulate', page: 'the Stake page' },
  transactionState: { tool: 'verify_transaction', command: 'holdfast verify', page: 'the explorer' },
  verifyTransaction: { command: 'holdfast verify', page: 'the explorer' },
  epoch: { command: 'holdfast epoch', page: 'the epoch bar' },
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

/** Where no button leads there. */
export const NO_BUTTON = 'the documentation';

/** Members of requests and answers, in the words of those who see neither. */
export const memberWords: readonly (readonly [member: string, words: string])[] = [
  ['withdrawReady is true', 'it can be withdrawn'],
  ['leave amountSol out', 'leave the amount out'],
  ['without amountSol', 'without an amount'],
  [' shows in epochRewardsActive when', ' shows when'],
  [' (stakeAccountAddress ', ' (stake account '],
];
