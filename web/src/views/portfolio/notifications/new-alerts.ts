// Turns alerts that are new since the page started watching into notifications, without links or anything to
// sign.
import type { WalletAlert } from '../../../../../client/generated/stake-operations.ts';
import type { ValidatorAlert } from '../../../../../client/generated/validator-operations.ts';
import { shortAddress } from '../../../../../src/domain/short-address.ts';
import { percent } from '../../../text/format-figures.ts';
import { serviceText } from '../../../text/service-text.ts';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioAlertsEnglish } from '../../../words/en/portfolio/alerts.ts';

const { say } = defineWords('portfolioAlerts', portfolioAlertsEnglish);

/** A notification. */
export interface Notice {
  /** Tag of the notification. The same alert has the same tag. */
  readonly tag: string;
  /** Subject: the kind of change and the account. */
  readonly kind: string;
  readonly title: string;
  readonly body: string;
}

/** Color of a change by its level. */
export const LEVEL_TONES = { info: 'info', warning: 'warn', critical: 'bad' } as const satisfies Record<
  WalletAlert['level'],
  string
>;

type Words = keyof typeof portfolioAlertsEnglish;

const CHANGES = {
  stake_authority_changed: 'authorityChanged',
  stake_lockup_changed: 'lockupChanged',
  stake_moved_away: 'movedAway',
  unexpected_deactivation: 'unexpectedDeactivation',
} as const satisfies Record<WalletAlert['type'], Words>;

const VALIDATOR = {
  delinquent: 'validatorDelinquent',
  recovered: 'validatorRecovered',
  commission: 'validatorCommission',
  collector: 'validatorCollector',
  absent: 'validatorAbsent',
  'destake-possible': 'validatorDestake',
  limits: 'clusterLimits',
} as const satisfies Record<ValidatorAlert['change'], Words>;

/**
 * Returns the title of a change. A change of authorities is harmless only if the wallet holds both afterwards.
 */
export const changeTitle = ({ type, level }: Pick<WalletAlert, 'type' | 'level'>): string =>
  say(type === 'stake_authority_changed' && level === 'info' ? 'controlReturned' : CHANGES[type]);

/** Describes the features that a change shares with thefts. */
export const patternTexts = ({ data, explanation }: Pick<WalletAlert, 'data' | 'explanation'>): string[] =>
  explanation.map((text, index) =>
    serviceText('servicePatterns', data.patterns.slice(index, index + 1), {}, text),
  );

const ofWallet = ({ type, level, data, explanation }: WalletAlert): Notice => ({
  tag: `${type} ${data.stakeAccountAddress} ${data.signature}`,
  kind: `${type} ${data.stakeAccountAddress}`,
  title: changeTitle({ type, level }),
  body: [
    say('onAccount', { address: shortAddress(data.stakeAccountAddress) }),
    ...patternTexts({ data, explanation }),
  ].join(' '),
});

/** Formats basis points as percent, without zero decimals. */
const percentOf = (bps: number): string => percent(bps / 100, bps % 100 === 0 ? 0 : bps % 10 === 0 ? 1 : 2);

/** Describes a change of the validator. */
export const validatorChangeWords = ({
  change,
  from,
  to,
  epoch,
  nearBoundary,
}: ValidatorAlert): Pick<Notice, 'title' | 'body'> => ({
  title: say(VALIDATOR[change]),
  body:
    change === 'commission'
      ? say(nearBoundary ? 'commissionChangeAtBoundary' : 'commissionChange', {
          epoch,
          from: percentOf(Number(from)),
          to: percentOf(Number(to)),
        })
      : change === 'destake-possible'
        ? say('fromEpoch', { epoch: to })
        : // A missed epoch is noticed in a later one.
          say('inEpoch', { epoch: change === 'absent' ? to : epoch }),
});

const ofValidator = (alert: ValidatorAlert): Notice => {
  const tag = `${alert.what} ${alert.slot} ${alert.to}`;
  return { tag, kind: tag, ...validatorChangeWords(alert) };
};

/**
 * Time during which there is one notification per stake account and kind of change. So repeated changes of one
 * account do not hide those of other accounts.
 */
const QUIET_MS = 3_600_000;

/**
 * Returns a function that compares each response with the previous ones. Nothing in the first response counts
 * as new.
 */
export const newAlerts = (now: () => number = Date.now) => {
  const noticedAtMs = new Map<string, number>();
  const isDue = (kind: string): boolean => {
    const before = noticedAtMs.get(kind);
    if (before !== undefined && now() - before < QUIET_MS) return false;
    noticedAtMs.set(kind, now());
    return true;
  };
  let seen: ReadonlySet<string> | null = null;
  return (wallet: readonly WalletAlert[], validator: readonly ValidatorAlert[]): readonly Notice[] => {
    const all = [...wallet.map(ofWallet), ...validator.map(ofValidator)];
    const before = seen;
    seen = new Set([...(before ?? []), ...all.map(({ tag }) => tag)]);
    return before === null ? [] : all.filter(({ tag, kind }) => !before.has(tag) && isDue(kind)).toReversed();
  };
};
