// Warnings as data: a code and parameters for callers, a sentence for display, and a severity for color and
// order.

import { type Sentence, type SentenceFigures, sentence } from '../kernel/sentence.ts';

/** Severities, most severe first. */
export const noticeSeverities = ['critical', 'warning', 'info'] as const;
export type NoticeSeverity = (typeof noticeSeverities)[number];

/** Reasons why values or entries are missing from a response. */
const limitations = {
  PROVIDER_FIELD_MISSING: 'info',
  PROVIDER_FIELD_INVALID: 'info',
  PROVIDER_ENTRIES_INVALID: 'info',
  PROVIDER_ENTRIES_TWICE: 'info',
  PROVIDER_LACKS_VALIDATOR: 'info',
  PROVIDER_FAILED: 'info',
  NO_VOTE_CREDITS_YET: 'info',
  NO_SKIP_RATE_YET: 'info',
  NO_VOTE_RATE_YET: 'info',
  NO_MEV_PROVIDER: 'info',
  NO_NETWORK_PROVIDER: 'info',
  EPOCH_RECORD_UNAVAILABLE: 'info',
  EPOCH_UNAVAILABLE: 'info',
  RANK_UNAVAILABLE: 'info',
  YIELD_EXPECTED: 'info',
  YIELD_AS_OF: 'info',
  INTERVAL_NEEDS_EPOCHS: 'info',
  INTERVAL_NEEDS_YIELD: 'info',
  INTERVAL_NEEDS_RECORD: 'info',
  STAKING_YIELD_UNAVAILABLE: 'info',
  TIP_YIELD_UNAVAILABLE: 'info',
  REALISED_YIELD_UNAVAILABLE: 'info',
  PAID_REWARDS_UNAVAILABLE: 'info',
  COMMISSION_UNAVAILABLE: 'info',
  VOTES_UNAVAILABLE: 'info',
  BLOCKS_UNAVAILABLE: 'info',
  SKIP_RATE_UNAVAILABLE: 'info',
  UPTIME_UNAVAILABLE: 'info',
  VOTE_LATENCY_UNAVAILABLE: 'info',
  EARLIER_FIGURES_UNAVAILABLE: 'info',
  CURRENT_EPOCH_UNAVAILABLE: 'info',
  LEADER_SLOTS_UNAVAILABLE: 'info',
  PROFILE_UNREADABLE: 'info',
  DELEGATORS_UNCOUNTABLE: 'info',
  DELEGATORS_BEING_COUNTED: 'info',
  STAKE_AND_COMMISSION_UNAVAILABLE: 'info',
  SOFTWARE_UNAVAILABLE: 'info',
  HARDWARE_UNDESCRIBED: 'info',
  OLDER_CHANGES_MISSING: 'info',
  WALLET_OF_PROGRAM: 'info',
  CHAIN_NOT_SEARCHED: 'info',
  OLDER_TRANSACTIONS_SEARCHED: 'info',
  TRANSACTION_FORM_UNKNOWN: 'info',
  DASHBOARDS_OF_MAINNET: 'info',
} as const satisfies Readonly<Record<string, NoticeSeverity>>;

/** Severity of every code. Staking is never recommended while there is a critical notice. */
const severities = {
  VALIDATOR_CLOSED: 'critical',
  VALIDATOR_DELINQUENT: 'critical',
  VALIDATOR_NOT_ADMITTED: 'critical',
  COMMISSION_FULL: 'critical',
  DESTAKE_POSSIBLE: 'critical',
  FOREIGN_STAKE_AUTHORITY: 'critical',
  VALIDATOR_MOVED: 'warning',
  VALIDATOR_STATE_UNKNOWN: 'warning',
  COMMISSION_RAISED: 'warning',
  EPOCH_MISSED: 'warning',
  BELOW_MINIMUM_STAKE: 'warning',
  EPOCH_ENDS_SOON: 'warning',
  BALANCE_UNCHECKED: 'warning',
  NEVER_EXPIRES: 'warning',
  OTHER_FEE_PAYER: 'info',
  FOREIGN_WITHDRAW_AUTHORITY: 'warning',
  SEPARATE_STAKE_AUTHORITY: 'warning',
  RENT_FOR_OWNER: 'info',
  WALLET_HAS_NO_KEY: 'info',
  STAKE_INDIVISIBLE: 'info',
  YIELD_UNKNOWN: 'info',
  TIPS_UNKNOWN: 'info',
  REWARDS_DISTRIBUTING: 'info',
  REWARDS_NOT_RETAINED: 'info',
  REWARDS_LIMITED: 'info',
  REWARDS_UNKNOWN: 'info',
  ACCOUNTS_LIMITED: 'info',
  CLOSED_ACCOUNTS_UNREAD: 'info',
  OTHER_VALIDATOR: 'info',
  ACCOUNT_CLOSES: 'info',
  COSTS_MORE_THAN_IT_RETURNS: 'warning',
  PRIORITY_FEE_UNKNOWN: 'warning',
  PRIORITY_FEE_CAPPED: 'warning',
  PRIORITY_FEE_DISPUTED: 'warning',
  ...limitations,
} as const satisfies Readonly<Record<string, NoticeSeverity>>;

export type NoticeCode = keyof typeof severities;
export const noticeCodes = Object.keys(severities) as [NoticeCode, ...NoticeCode[]];

/** A warning, with one or two sentences in English. */
export interface Notice extends Sentence {
  readonly code: NoticeCode;
  readonly severity: NoticeSeverity;
}

/**
 * Creates a notice with the severity of its code. `text` contains placeholders for its parameters in braces.
 */
export const notice = (code: NoticeCode, text: string, figures: SentenceFigures = {}): Notice => ({
  ...sentence(code, text, figures),
  code,
  severity: severities[code],
});

/** Returns the first critical notice, or undefined. */
export const criticalNotice = (notices: readonly Notice[]): Notice | undefined =>
  notices.find(({ severity }) => severity === 'critical');

const rankOf = ({ severity }: Notice): number => noticeSeverities.indexOf(severity);

/** Sorts notices by severity and removes duplicate sentences. */
export const rankedNotices = (notices: readonly Notice[]): Notice[] =>
  [...new Map(notices.map((one) => [one.text, one])).values()].sort((a, b) => rankOf(a) - rankOf(b));
