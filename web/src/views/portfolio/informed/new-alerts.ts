// Finds new alerts since the page started to watch, as notifications without links or anything to sign.
import type { WalletAlert } from '../../../../../client/generated/stake-operations.ts';
import type { ValidatorAlert } from '../../../../../client/generated/validator-operations.ts';
import { shortAddress } from '../../../text/format-figures.ts';

/** A notification. */
export interface Notice {
  /** The same alert has the same tag. */
  readonly tag: string;
  /** Subject: the kind of change and the account. */
  readonly kind: string;
  readonly title: string;
  readonly body: string;
}

/** Titles by type. */
export const CHANGES: Readonly<Record<WalletAlert['type'], string>> = {
  stake_authority_changed: 'The control of a stake changed',
  stake_lockup_changed: 'The lockup of a stake changed',
  stake_moved_away: 'A stake moved away',
  unexpected_deactivation: 'A stake was unstaked unexpectedly',
};

const VALIDATOR: Readonly<Record<ValidatorAlert['change'], string>> = {
  delinquent: 'The validator stopped voting',
  recovered: 'The validator votes again',
  commission: 'The validator changed its commission',
  collector: 'The validator changed the account that receives its commission',
  absent: 'The validator missed an epoch',
  'destake-possible': 'Anyone may deactivate stake of the validator',
  limits: 'The limits of the cluster changed',
};

const ofWallet = ({ type, data, explanation }: WalletAlert): Notice => ({
  tag: `${type} ${data.stakeAccountAddress} ${data.signature}`,
  kind: `${type} ${data.stakeAccountAddress}`,
  title: CHANGES[type],
  body: [`Stake account ${shortAddress(data.stakeAccountAddress)}.`, ...explanation].join(' '),
});

const percent = (bps: string): string => `${Number(bps) / 100}%`;

const ofValidator = ({ change, what, from, to, epoch, slot, nearBoundary }: ValidatorAlert): Notice => ({
  tag: `${what} ${slot} ${to}`,
  kind: `${what} ${slot} ${to}`,
  title: VALIDATOR[change],
  body: `Epoch ${epoch}.${change === 'commission' ? ` From ${percent(from)} to ${percent(to)}${nearBoundary ? ', right at the boundary' : ''}.` : ''}`,
});

/**
 * One notification per stake account and kind of change in this time. Repeated changes do not hide those of
 * other accounts.
 */
const QUIET_MS = 3_600_000;

/** Compares each answer with the previous ones. The first answer contains nothing new. */
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
