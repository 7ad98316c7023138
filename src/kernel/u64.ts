// Limits of unsigned integers on the chain.

/** Maximum unsigned 64-bit integer. */
export const U64_MAX = 2n ** 64n - 1n;
