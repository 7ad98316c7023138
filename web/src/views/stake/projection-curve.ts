// Computes the curve of projected rewards from the service's projection, so that moving a slider needs no
// requests.

const SECONDS_PER_DAY = 86_400;
const DAYS_PER_YEAR = 365;

/** The service's projection of an amount. */
export interface ProjectionBasis {
  /** Percent a year, excluding unknown tips. */
  readonly atLeastApy: number;
  /** Part of the amount that remains as rent and earns nothing, in SOL. */
  readonly rentSol: number;
  /** Number of days from now until the stake is active. */
  readonly daysUntilActive: number;
}

/** A projection over time. */
interface Curve {
  readonly days: readonly number[];
  readonly rewardSol: readonly number[];
}

/** Computes the rewards of the stake after `days`, in SOL. */
export const rewardAfter = (amountSol: number, days: number, basis: ProjectionBasis): number => {
  const delegated = Math.max(0, amountSol - basis.rentSol);
  const years = Math.max(0, days - basis.daysUntilActive) / DAYS_PER_YEAR;
  return delegated * ((1 + basis.atLeastApy / 100) ** years - 1);
};

/**
 * Computes points from now to `durationDays`. The curve is scaled to end at `exactTotalSol`, the service's
 * own figure, because tips do not compound and rewards arrive at boundaries.
 */
export const projectCurve = (
  amountSol: number,
  durationDays: number,
  basis: ProjectionBasis,
  exactTotalSol: number | null,
  points = 60,
): Curve => {
  const days = Array.from({ length: points + 1 }, (_, index) => (durationDays * index) / points);
  const own = rewardAfter(amountSol, durationDays, basis);
  const bend = exactTotalSol === null || own === 0 ? 1 : exactTotalSol / own;
  return { days, rewardSol: days.map((day) => rewardAfter(amountSol, day, basis) * bend) };
};

/** Computes the days between two times, never negative. */
export const daysBetween = (fromMs: number, toMs: number): number =>
  Math.max(0, (toMs - fromMs) / 1000 / SECONDS_PER_DAY);
