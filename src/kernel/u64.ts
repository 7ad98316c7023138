// The chain's own unsigned integers.

/** The greatest of 64 bits. */
export const U64_MAX = 2n ** 64n - 1n;
