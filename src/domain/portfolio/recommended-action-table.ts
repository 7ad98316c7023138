// The table of recommended actions. The first row whose conditions are all met applies. Also shown in
// docs/recommended-action.md.

import type { OperationName } from '../../kernel/guidance.ts';

/** The five recommended actions. */
export type RecommendedActionName = 'STAKE' | 'FUND' | 'HOLD' | 'WAIT' | 'WITHDRAW';

/** Conditions on a wallet and its stakes, with explanations for readers of the table. */
export const factMeanings = {
  blockedByRewards:
    'the rewards of the last epoch are being distributed, and a row below would require a transaction',
  released: 'an account of the wallet is inactive and not locked',
  severalReleased: 'more than one account of the wallet is inactive and not locked',
  feesCovered: 'the wallet can pay a transaction fee and keeps its rent-exempt minimum',
  coolingDown: 'an account is deactivating',
  canStake: 'the wallet holds the minimum stake and the fee reserve',
  idleStakeable:
    'staked accounts hold lamports beyond stake and rent (mostly tips) that, together with the wallet, cover the minimum stake and the fee reserve',
  lockedUp: 'an account is inactive, but locked',
  warmingUp: 'an account is activating',
  earning: 'an account has effective stake',
  validatorFailing:
    'there is a critical notice about the validator: it does not vote, is not admitted, is closed, takes 100%, or anyone can deactivate its stake',
  controlledByOthers: 'another address is the stake authority of an account of the wallet',
} as const;

/** Name of a fact. */
export type RecommendationFact = keyof typeof factMeanings;

/** The value of every condition for one wallet. */
export type RecommendationFacts = Readonly<Record<RecommendationFact, boolean>>;

/** Amounts that recommendations mention. */
const amountMeanings = {
  released: 'the balance of the released account',
  allReleased: 'the balances of all released accounts',
  excess: 'the withdrawable amount of the account with the most idle lamports',
  stakeable: 'the balance less the fee reserve',
  feeShortfall: 'the amount missing for the fee and the rent-exempt minimum',
  stakeShortfall: 'the amount missing for the minimum stake and the fee reserve',
} as const;

export type RecommendationAmount = keyof typeof amountMeanings;

/** A row of the table. In `reason`, `{amountSol}` is replaced by the amount in SOL. */
interface RecommendationRow {
  readonly when: Partial<RecommendationFacts>;
  readonly action: RecommendedActionName;
  readonly operation: OperationName;
  readonly amount: RecommendationAmount | null;
  /** Code of the reason; null if the critical notice is the only reason. */
  readonly code: string | null;
  readonly reason: string;
  /** True if the critical notice follows the reason. */
  readonly isNoticed?: true;
}

/** The table. The last row always applies. */
export const recommendationRows: readonly RecommendationRow[] = [
  {
    when: { blockedByRewards: true },
    action: 'WAIT',
    operation: 'epoch',
    amount: null,
    code: 'REWARDS_DISTRIBUTED',
    reason:
      'Rewards of the last epoch are being distributed. Stake accounts cannot be changed until that is done.',
  },
  {
    when: { released: true, feesCovered: false },
    action: 'FUND',
    operation: 'balance',
    amount: 'feeShortfall',
    code: 'WITHDRAWABLE_BUT_NO_FEE',
    reason:
      'A stake account can be withdrawn, but the wallet cannot pay the transaction fee. It is {amountSol} SOL short.',
  },
  {
    when: { severalReleased: true },
    action: 'WITHDRAW',
    operation: 'createWithdrawTransaction',
    amount: 'allReleased',
    code: 'WITHDRAW_SEVERAL',
    reason:
      '{amountSol} SOL in several accounts is inactive and no longer earns; all of it can be withdrawn at once.',
  },
  {
    when: { released: true },
    action: 'WITHDRAW',
    operation: 'createWithdrawTransaction',
    amount: 'released',
    code: 'WITHDRAW_ONE',
    reason: '{amountSol} SOL is inactive and no longer earns; it can be withdrawn in full.',
  },
  {
    when: { controlledByOthers: true },
    action: 'HOLD',
    operation: 'walletAlerts',
    amount: null,
    code: 'STAKES_CONTROLLED_BY_OTHERS',
    reason:
      'Another address is the stake authority of a stake of this wallet. If you did not intend that, take it back (rescue) before you do anything else.',
  },
  {
    when: { coolingDown: true },
    action: 'WAIT',
    operation: 'withdrawReadiness',
    amount: null,
    code: 'STAKE_DEACTIVATING',
    reason: 'A stake is deactivating and can be withdrawn once it is inactive.',
  },
  {
    when: { canStake: true, validatorFailing: true },
    action: 'HOLD',
    operation: 'validatorProfile',
    amount: null,
    code: null,
    reason: '',
    isNoticed: true,
  },
  {
    when: { canStake: true },
    action: 'STAKE',
    operation: 'createStakeTransaction',
    amount: 'stakeable',
    code: 'STAKE_BALANCE',
    reason: '{amountSol} SOL beyond the fee reserve earns nothing in the wallet and is enough to stake.',
  },
  {
    when: { idleStakeable: true, feesCovered: true, validatorFailing: false },
    action: 'WITHDRAW',
    operation: 'createWithdrawTransaction',
    amount: 'excess',
    code: 'WITHDRAW_EXCESS_TO_STAKE',
    reason:
      '{amountSol} SOL in stake accounts is not staked and earns nothing; withdraw it to make a new stake together with the wallet’s balance.',
  },
  {
    when: { warmingUp: true, validatorFailing: true },
    action: 'HOLD',
    operation: 'validatorProfile',
    amount: null,
    code: 'STAKE_ACTIVATING',
    reason: 'A stake is activating.',
    isNoticed: true,
  },
  {
    when: { warmingUp: true },
    action: 'WAIT',
    operation: 'listStakeAccounts',
    amount: null,
    code: 'STAKE_EARNS_NEXT_EPOCH',
    reason: 'A stake is activating and starts earning in the next epoch.',
  },
  {
    when: { earning: true, validatorFailing: true },
    action: 'HOLD',
    operation: 'validatorProfile',
    amount: null,
    code: 'STAKE_ACTIVE',
    reason: 'The stake is active.',
    isNoticed: true,
  },
  {
    when: { earning: true },
    action: 'HOLD',
    operation: 'listStakeAccounts',
    amount: null,
    code: 'STAKE_EARNS',
    reason: 'The stake is active and earning; nothing needs to be done.',
  },
  {
    when: { lockedUp: true },
    action: 'WAIT',
    operation: 'withdrawReadiness',
    amount: null,
    code: 'STAKE_LOCKED_UP',
    reason: 'A stake is inactive but locked until its lockup ends.',
  },
  {
    when: {},
    action: 'FUND',
    operation: 'balance',
    amount: 'stakeShortfall',
    code: 'NOTHING_STAKED',
    reason: 'Nothing is staked. The wallet needs {amountSol} more SOL for a stake and the fee reserve.',
  },
];

/** Returns the first row whose conditions are all met. */
export const recommendationRow = (facts: RecommendationFacts): RecommendationRow =>
  recommendationRows.find(({ when }) =>
    Object.entries(when).every(([fact, wanted]) => facts[fact as RecommendationFact] === wanted),
  )!;

const conditions = ({ when }: RecommendationRow): string =>
  Object.entries(when)
    .map(([fact, wanted]) => (wanted ? `\`${fact}\`` : `not \`${fact}\``))
    .join(' and ') || 'otherwise';

/** Renders the table and its terms as Markdown for the documentation. */
export const recommendationMarkdown = (callOf: (operation: OperationName) => string): string =>
  [
    '| # | when | action | call | amount | reason |',
    '|---|---|---|---|---|---|',
    ...recommendationRows.map(
      (row, index) =>
        `| ${index + 1} | ${conditions(row)} | ${row.action} | \`${callOf(row.operation)}\` | ${row.amount ? `\`${row.amount}\`` : ''} | ${[row.reason, row.isNoticed ? '{notice}' : ''].filter(Boolean).join(' ')} |`,
    ),
    '',
    '| condition | means that |',
    '|---|---|',
    ...Object.entries(factMeanings).map(([fact, meaning]) => `| \`${fact}\` | ${meaning} |`),
    '',
    '| amount | is |',
    '|---|---|',
    ...Object.entries(amountMeanings).map(([amount, meaning]) => `| \`${amount}\` | ${meaning} |`),
  ].join('\n');
