// Formats a duration for display.

const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

type Unit = (typeof UNITS)[number][1];

/** Splits a duration into its two largest units. A negative duration counts as 0 seconds. */
export const durationParts = (seconds: number): readonly (readonly [amount: number, unit: Unit])[] => {
  let left = Math.max(0, Math.round(seconds));
  const parts: (readonly [number, Unit])[] = [];
  for (const [size, unit] of UNITS) {
    const amount = Math.floor(left / size);
    if (amount > 0 || (unit === 's' && parts.length === 0)) parts.push([amount, unit]);
    else if (parts.length > 0) break;
    left -= amount * size;
    if (parts.length === 2) break;
  }
  return parts;
};

/** Formats seconds in English, e.g. `1 d 4 h` or `3 min 12 s`; `0 s` if negative. */
export const duration = (seconds: number): string =>
  durationParts(seconds)
    .map(([amount, unit]) => `${amount} ${unit}`)
    .join(' ');
