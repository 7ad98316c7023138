// Generates the same numbers for the same seed on every machine, for randomized tests.

/**
 * Creates a generator of numbers from 0 (inclusive) to 1 (exclusive): a 32-bit counter, mixed by
 * multiplication and xor-shift.
 */
export const seededRandom = (seed: number): (() => number) => {
  let counter = seed >>> 0;
  return () => {
    counter = (counter + 0x9e37_79b9) >>> 0;
    let mixed = counter;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0_aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
};
