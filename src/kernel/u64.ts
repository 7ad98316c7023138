// Limits of unsigned integers on the chain.

/** The greatest unsigned 64-bit integer. */
export const U64_MAX = 2n ** 64n - 1n;
