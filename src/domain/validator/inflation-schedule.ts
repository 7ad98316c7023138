// Inflation's published schedule: the rate falls by a fixed share every year until it reaches its end value.

/** The cluster's schedule. All figures are shares, not percent. */
export interface InflationSchedule {
  /** Inflation now, a share of the supply per year. */
  readonly rate: number;
  /** Value that inflation does not fall below. */
  readonly terminalRate: number;
  /** Part of the rate that disappears every year: 0.15 means that it falls by 15 % a year. */
  readonly taper: number;
}

const isFalling = ({ rate, terminalRate, taper }: InflationSchedule): boolean =>
  taper > 0 && taper < 1 && rate > terminalRate;

/**
 * Computes inflation `years` from now (negative: before now) divided by inflation now. 1 without a schedule.
 * The schedule counts years of slots with nominal length, so nominal slots are assumed.
 */
export const scheduledShare = (schedule: InflationSchedule | null, years: number): number =>
  schedule === null || !isFalling(schedule)
    ? 1
    : Math.max(schedule.terminalRate / schedule.rate, (1 - schedule.taper) ** years);

/**
 * Computes the years at today's inflation that issue as much as the next `years` of the schedule: the
 * integral of `scheduledShare`.
 */
export const scheduledYears = (schedule: InflationSchedule | null, years: number): number => {
  if (schedule === null || !isFalling(schedule)) return years;
  const decline = Math.log1p(-schedule.taper);
  const floor = schedule.terminalRate / schedule.rate;
  const fallingYears = floor === 0 ? years : Math.min(years, Math.log(floor) / decline);
  return Math.expm1(decline * fallingYears) / decline + (years - fallingYears) * floor;
};

/** `scheduledYears` in epochs. Exact while inflation does not fall. */
export const scheduledEpochs = (
  schedule: InflationSchedule | null,
  epochs: number,
  epochsPerYear: number,
): number =>
  schedule === null || !isFalling(schedule)
    ? epochs
    : epochsPerYear * scheduledYears(schedule, epochs / epochsPerYear);
