// The published inflation schedule: the rate falls by a fixed share every year until it reaches its terminal
// rate.

/** The cluster's schedule. All values are shares, not percentages. */
export interface InflationSchedule {
  /** Current inflation, as a share of the supply per year. */
  readonly rate: number;
  /** The rate below which inflation does not fall. */
  readonly terminalRate: number;
  /** Share of the rate that disappears every year: 0.15 means that the rate falls by 15 % a year. */
  readonly taper: number;
}

const isFalling = ({ rate, terminalRate, taper }: InflationSchedule): boolean =>
  taper > 0 && taper < 1 && rate > terminalRate;

/**
 * Computes the inflation `years` from now (negative: before now) divided by the current inflation. Returns 1
 * without a schedule. The schedule counts years in slots of nominal length, so the calculation uses nominal
 * slots.
 */
export const scheduledShare = (schedule: InflationSchedule | null, years: number): number =>
  schedule === null || !isFalling(schedule)
    ? 1
    : Math.max(schedule.terminalRate / schedule.rate, (1 - schedule.taper) ** years);

/**
 * Computes the number of years at today's inflation that issue as much as the next `years` of the schedule,
 * which is the integral of `scheduledShare`.
 */
export const scheduledYears = (schedule: InflationSchedule | null, years: number): number => {
  if (schedule === null || !isFalling(schedule)) return years;
  const decline = Math.log1p(-schedule.taper);
  const floor = schedule.terminalRate / schedule.rate;
  const fallingYears = floor === 0 ? years : Math.min(years, Math.log(floor) / decline);
  return Math.expm1(decline * fallingYears) / decline + (years - fallingYears) * floor;
};

/** Computes `scheduledYears` in epochs. Exact while inflation does not fall. */
export const scheduledEpochs = (
  schedule: InflationSchedule | null,
  epochs: number,
  epochsPerYear: number,
): number =>
  schedule === null || !isFalling(schedule)
    ? epochs
    : epochsPerYear * scheduledYears(schedule, epochs / epochsPerYear);
