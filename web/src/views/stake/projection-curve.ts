// Computes the curve of projected rewards from the service's projection, so moving a slider needs no requests.
import {
  type InflationSchedule,
  scheduledYears,
} from '../../../../src/domain/validator/inflation-schedule.ts';

const SECONDS_PER_DAY = 86_400;
const DAYS_PER_YEAR = 365;

/** The service's projection of an amount. */
export interface ProjectionBasis {
  /** Percent a year, excluding unknown tips. */
  readonly atLeastApy: number;
  /** Part of the amount that remains as the rent-exempt minimum and earns nothing, in SOL. */
  readonly rentSol: number;
  /** Number of days from now until the stake is active. */
  readonly daysUntilActive: number;
  /** Inflation's schedule; null if inflation does not change. */
  readonly schedule: InflationSchedule | null;
  /** Low and high rewards of the 80 % interval, divided by the projected ones; null without an interval. */
  readonly band: { readonly low: number; readonly high: number } | null;
}

/** A projection over time. */
interface Curve {
  readonly days: readonly number[];
  readonly rewardSol: readonly number[];
  /** Edges of the 80 % interval; null without one. */
  readonly band: { readonly lowSol: readonly number[]; readonly highSol: readonly number[] } | null;
}

/** Computes the rewards of the stake after `days`, in SOL. */
export const rewardAfter = (amountSol: number, days: number, basis: ProjectionBasis): number => {
  const delegated = Math.max(0, amountSol - basis.rentSol);
  const years = Math.max(0, days - basis.daysUntilActive) / DAYS_PER_YEAR;
  return delegated * ((1 + basis.atLeastApy / 100) ** scheduledYears(basis.schedule, years) - 1);
};

/**
 * Computes one point per month from now to `durationDays`, so each point has its own label. The curve is scaled
 * to end at `exactTotalSol`, the service's own figure, because tips neither compound nor fall with inflation,
 * and rewards arrive at boundaries.
 */
export const projectCurve = (
  amountSol: number,
  durationDays: number,
  basis: ProjectionBasis,
  exactTotalSol: number | null,
): Curve => {
  const points = Math.round((durationDays / DAYS_PER_YEAR) * 12);
  const days = Array.from({ length: points + 1 }, (_, index) => (durationDays * index) / points);
  const own = rewardAfter(amountSol, durationDays, basis);
  const bend = exactTotalSol === null || own === 0 ? 1 : exactTotalSol / own;
  const rewardSol = days.map((day) => rewardAfter(amountSol, day, basis) * bend);
  const { band } = basis;
  return {
    days,
    rewardSol,
    band: band && {
      lowSol: rewardSol.map((reward) => reward * band.low),
      highSol: rewardSol.map((reward) => reward * band.high),
    },
  };
};

/** Computes the days between two times, never negative. */
export const daysBetween = (fromMs: number, toMs: number): number =>
  Math.max(0, (toMs - fromMs) / 1000 / SECONDS_PER_DAY);
