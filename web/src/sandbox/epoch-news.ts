// Decides what the page reports about the last ended epoch, from the reads of the epoch and of the wallet. Pure.
import type {
  ListStakeAccountsAnswer,
  StakingSummaryAnswer,
} from '../../../client/generated/stake-operations.ts';
import { stakesElsewhere } from '../views/portfolio/migrate/migrate-steps.ts';
import { type Change, compareSummaries, type Position } from './compare-summaries.ts';

/** Compared parts of a wallet's summary. */
type Summary = Position &
  Pick<StakingSummaryAnswer, 'walletAddress'> & {
    readonly epochTiming?:
      | { readonly currentEpoch: number; readonly epochRewardsActive: boolean }
      | undefined;
  };

export interface EpochNews {
  readonly epoch: number;
  readonly changes: readonly Change[];
  /** False while further changes may follow. An empty list then does not mean that nothing changed. */
  readonly isComplete: boolean;
  /** True if the epoch number went back, because the sandbox was restarted with an empty chain. */
  readonly restarted: boolean;
  /** Time at which the page noticed the epoch. */
  readonly atMs: number;
}

export interface EpochWatch {
  /** The last epoch that was read; undefined before the first read. */
  readonly epoch?: number | undefined;
  /** The wallet's last summary whose changes are all reported. */
  readonly before?: Summary | undefined;
  readonly news: EpochNews | null;
}

/**
 * Time after the boundary within which changes are attributed to the boundary and not to the user, and within
 * which rewards may not be visible yet.
 */
const BOUNDARY_MS = 6_000;

/** Records a read of the epoch. */
export const withEpoch = (watch: EpochWatch, epoch: number, nowMs: number): EpochWatch => {
  const { epoch: last, before, news } = watch;
  if (last === undefined || epoch === last) return { ...watch, epoch };
  const restarted = epoch < last;
  // A summary of this epoch may arrive before the epoch itself is read.
  const isKnown = Math.max(news?.epoch ?? -1, before?.epochTiming?.currentEpoch ?? -1) >= epoch;
  if (isKnown && !restarted) return { ...watch, epoch };
  return {
    epoch,
    // The previous state of the wallet belongs to the old chain.
    before: restarted ? undefined : before,
    news: { epoch, changes: [], isComplete: restarted, restarted, atMs: nowMs },
  };
};

/** Records a read of the wallet's summary. */
export const withSummary = (watch: EpochWatch, summary: Summary, nowMs: number): EpochWatch => {
  const { before, news } = watch;
  const timing = summary.epochTiming;
  if (timing === undefined) return watch;
  const epoch = timing.currentEpoch;
  const since = before?.epochTiming?.currentEpoch;
  if (since === undefined || before?.walletAddress !== summary.walletAddress) {
    // Without an earlier state of this wallet, its changes cannot be known.
    const isUnknowable = news !== null && !news.restarted && (before !== undefined || epoch >= news.epoch);
    return { ...watch, before: summary, news: isUnknowable ? null : news };
  }
  if (epoch <= since) return { ...watch, before: summary };
  const reported = news?.epoch === epoch && !news.restarted ? news : null;
  const atMs = reported?.atMs ?? nowMs;
  const found = compareSummaries(before, summary);
  // Payments during the distribution still belong to this boundary. The old state is therefore kept for
  // comparison until the distribution is over.
  const isComplete = !timing.epochRewardsActive && (found.length > 0 || nowMs - atMs >= BOUNDARY_MS);
  return {
    ...watch,
    before: isComplete ? summary : before,
    news: {
      epoch,
      changes: found.length > 0 ? found : (reported?.changes ?? []),
      isComplete,
      restarted: false,
      atMs,
    },
  };
};

/** The wallet's stake with other validators, which the summary does not contain. */
export interface ElsewhereWatch extends Position {
  readonly walletAddress: string;
  readonly epoch: number;
  /** Changes since the last read in an earlier epoch. */
  readonly changes: readonly Change[];
}

/** Records a read of all accounts of the wallet. */
export const withElsewhere = (
  watch: ElsewhereWatch | null,
  {
    walletAddress,
    validatorVoteAccount,
    accounts: all,
    epochTiming: { currentEpoch: epoch },
  }: Pick<ListStakeAccountsAnswer, 'walletAddress' | 'validatorVoteAccount' | 'accounts' | 'epochTiming'>,
): ElsewhereWatch => {
  const now = { walletAddress, epoch, accounts: stakesElsewhere(all, validatorVoteAccount) };
  if (watch?.walletAddress !== walletAddress || epoch < watch.epoch) return { ...now, changes: [] };
  return {
    ...now,
    changes: epoch === watch.epoch ? watch.changes : compareSummaries(watch, now, 'inactiveElsewhere'),
  };
};
