// Computes a validator's vote score and rank from counts on the chain.

/**
 * Timely vote credits (SIMD-0033): a vote within two slots earns the maximum, and later votes earn less, down
 * to 1.
 */
const MAX_CREDITS_PER_SLOT = 16n;

/**
 * Minimum number of slots before an epoch's share of credits is meaningful, because the tower pays a credit
 * when a vote becomes a root, 31 votes later.
 */
const MIN_SLOTS = 64n;

const hundredths = (percent: number): number => Math.round(percent * 100) / 100;

/**
 * Computes the vote credits of the current epoch as a percentage of the maximum, two decimals, at most 100;
 * null in the first 64 slots. `votableSlots` is the number of slots of the epoch so far that have a block. If
 * only the number of all slots is known, the cluster's skip rate counts against the validator. Credits paid
 * at the start of this epoch for votes of the previous one offset those still in the tower.
 */
export const voteSuccessRate = (earnedCredits: bigint, votableSlots: bigint): number | null =>
  votableSlots < MIN_SLOTS
    ? null
    : Math.min(100, hundredths((Number(earnedCredits) / Number(obtainableCredits(votableSlots))) * 100));

/** Computes the credits of a validator that voted in time in all `votableSlots`. */
export const obtainableCredits = (votableSlots: bigint): bigint => votableSlots * MAX_CREDITS_PER_SLOT;

/** Number of epochs covered by the uptime, including the current one. */
export const UPTIME_EPOCHS = 30n;

/** A rank: 1 is the highest value, and equal values share the better rank. */
interface Rank {
  readonly rank: number;
  readonly total: number;
}

/** Ranks `own` among `all`, which contains it. */
export const rankOf = (own: bigint, all: readonly bigint[]): Rank => ({
  rank: 1 + all.filter((value) => value > own).length,
  total: all.length,
});

/** Credits in a vote account at the end of an epoch, cumulative since its creation. */
export interface EpochCredits {
  readonly epoch: bigint;
  readonly credits: bigint;
  readonly previousCredits: bigint;
}

/** Returns the credits earned in `epoch`; null if the list does not contain it. */
export const creditsEarned = (epochCredits: readonly EpochCredits[], epoch: bigint): bigint | null => {
  const entry = epochCredits.find((item) => item.epoch === epoch);
  return entry === undefined ? null : entry.credits - entry.previousCredits;
};

interface RatedValidator {
  readonly voteAccount: string;
  readonly activatedStakeLamports: bigint;
  readonly epochCredits: readonly EpochCredits[];
}

/** Ranks of a validator by stake and by the vote credits of one epoch. */
export interface ValidatorRanking {
  readonly stakeRank: Rank;
  /** Rank among validators with credits in the epoch; null if this validator has none. */
  readonly creditRank: (Rank & { readonly epoch: bigint; readonly credits: bigint }) | null;
}

/**
 * Ranks `own` among the validators with stake. Adds `own` if the list omits it, which happens if it has no
 * stake.
 */
export const rankingOf = (
  own: RatedValidator,
  others: readonly RatedValidator[],
  epoch: bigint,
): ValidatorRanking => {
  const all = [own, ...others.filter(({ voteAccount }) => voteAccount !== own.voteAccount)];
  const credits = creditsEarned(own.epochCredits, epoch);
  const earned = all.flatMap(({ epochCredits }) => creditsEarned(epochCredits, epoch) ?? []);
  return {
    stakeRank: rankOf(
      own.activatedStakeLamports,
      all.map(({ activatedStakeLamports }) => activatedStakeLamports),
    ),
    creditRank: credits === null ? null : { ...rankOf(credits, earned), epoch, credits },
  };
};
