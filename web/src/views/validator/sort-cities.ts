// Sorts cities by a column. Unknown values come last in either direction.
import type { CityDensity } from '../../../../client/generated/validator-operations.ts';

/** A sortable column. */
export type CityColumn = 'city' | 'validatorCount' | 'sharePct' | 'medianApy';

/** Returns a new array. Equal cities keep their order. */
export const sortCities = (
  cities: readonly CityDensity[],
  column: CityColumn,
  descending: boolean,
): readonly CityDensity[] =>
  [...cities].sort((one, other) => {
    const [left, right] = [one[column], other[column]];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    const order =
      typeof left === 'string' ? left.localeCompare(String(right), 'en') : Number(left) - Number(right);
    return descending ? -order : order;
  });

/** True if both entries are the same place. */
export const isSameCity = (one: CityDensity, other: CityDensity | null): boolean =>
  other !== null && one.city === other.city && one.country === other.country;
