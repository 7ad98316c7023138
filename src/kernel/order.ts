// Order of bigints and texts. Math.max and Math.min take no bigints.

export const ascending = <Value extends bigint | number | string>(one: Value, other: Value): number =>
  one < other ? -1 : one > other ? 1 : 0;

export const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);

export const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);
