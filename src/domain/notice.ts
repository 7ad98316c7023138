// Warnings as data: a code and parameters for programs, a sentence for people, and a severity for color and
// order.

/** From the most severe to the least. */
export const noticeSeverities = ['critical', 'warning', 'info'] as const;
export type NoticeSeverity = (typeof noticeSeverities)[number];

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
  FOREIGN_WITHDRAW_AUTHORITY: 'warning',
  YIELD_UNKNOWN: 'info',
  TIPS_UNKNOWN: 'info',
  DATA_LIMITED: 'info',
  REWARDS_DISTRIBUTING: 'info',
  REWARDS_NOT_RETAINED: 'info',
  REWARDS_LIMITED: 'info',
  REWARDS_UNKNOWN: 'info',
  ACCOUNTS_LIMITED: 'info',
  CLOSED_ACCOUNTS_UNREAD: 'info',
  OTHER_VALIDATOR: 'info',
  ACCOUNT_CLOSES: 'info',
} as const satisfies Readonly<Record<string, NoticeSeverity>>;

export type NoticeCode = keyof typeof severities;
export const noticeCodes = Object.keys(severities) as [NoticeCode, ...NoticeCode[]];

/** One warning. */
export interface Notice {
  readonly code: NoticeCode;
  readonly severity: NoticeSeverity;
  /** One or two sentences in English. */
  readonly text: string;
  /** Parameters of the text, by name. */
  readonly params: Readonly<Record<string, string | number>>;
}

/** Creates a notice with the severity of its code. */
export const notice = (code: NoticeCode, text: string, params: Notice['params'] = {}): Notice => ({
  code,
  severity: severities[code],
  text,
  params,
});

/** Returns the first critical notice, or undefined. */
export const criticalNotice = (notices: readonly Notice[]): Notice | undefined =>
  notices.find(({ severity }) => severity === 'critical');

const rankOf = ({ severity }: Notice): number => noticeSeverities.indexOf(severity);

/** Sorts by severity and removes duplicate sentences. */
export const rankedNotices = (notices: readonly Notice[]): Notice[] =>
  [...new Map(notices.map((one) => [one.text, one])).values()].sort((a, b) => rankOf(a) - rankOf(b));
