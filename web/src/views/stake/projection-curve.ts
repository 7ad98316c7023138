// The curve of projected rewards, computed here from what the service projected, so that a slider can be dragged without asking.

const SECONDS_PER_DAY = 86_400;
const DAYS_PER_YEAR = 365;

/** What the service said about an amount. */
export interface ProjectionBasis {
  /** Percent a year, without tips where they are not known. */
  readonly atLeastApy: number;
  /** Part of the amount that stays as rent and earns nothing, SOL. */
  readonly rentSol: number;
  /** Days from now until the stake is active. */
  readonly daysUntilActive: number;
}

/** A projection over time. */
interface Curve {
  readonly days: readonly number[];
  readonly rewardSol: readonly number[];
}

/** What the stake will have earned after `days`, SOL. */
export const rewardAfter = (amountSol: number, days: number, basis: ProjectionBasis): number => {
  const delegated = Math.max(0, amountSol - basis.rentSol);
  const years = Math.max(0, days - basis.daysUntilActive) / DAYS_PER_YEAR;
  return delegated * ((1 + basis.atLeastApy / 100) ** years - 1);
};

/**
 * Points from now to `durationDays`. `exactTotalSol`: the service's own figure for the end; the curve is bent to meet it, because tips
 * do not compound and rewards come at boundaries.
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

/** Days between two instants, never negative. */
export const daysBetween = (fromMs: number, toMs: number): number =>
  Math.max(0, (toMs - fromMs) / 1000 / SECONDS_PER_DAY);
