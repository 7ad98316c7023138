// Random choices that are the same for the same seed, so every failure can be replayed.

export interface TruthRandom {
  /** Returns an integer in [0, below). */
  readonly int: (below: number) => number;
  /** Returns true with probability `share`. */
  readonly chance: (share: number) => boolean;
  readonly pick: <T>(list: readonly T[]) => T;
  /**
   * Returns lamports in [0, most], of any order of magnitude: small and round amounts are as likely as large
   * and odd ones.
   */
  readonly lamports: (most: bigint) => bigint;
  readonly bytes: (length: number) => Uint8Array;
}

export const createTruthRandom = (seed: number): TruthRandom => {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number) => Math.floor(next() * below);
  const chance = (share: number) => next() < share;
  const uniform = (most: bigint) => {
    const drawn = (BigInt(int(2 ** 32)) << 32n) | BigInt(int(2 ** 32));
    return (drawn * (most + 1n)) >> 64n;
  };
  return {
    int,
    chance,
    pick: (list) => list[int(list.length)]!,
    lamports: (most) => {
      if (chance(0.1)) return BigInt(int(3)) < most ? BigInt(int(3)) : most;
      if (chance(0.3)) return uniform(10n ** BigInt(int(most.toString().length))) % (most + 1n);
      const drawn = uniform(most);
      return chance(0.3) ? drawn - (drawn % 1_000_000_000n) : drawn;
    },
    bytes: (length) => Uint8Array.from({ length }, () => int(256)),
  };
};
