// SHA-256 without Node or Web Crypto, for pure synchronous code. Not for secrets, because it does not run in
// constant time.

/**
 * Returns the first 32 bits of the fractional parts of the `root`-th roots of the first `count` primes (FIPS
 * 180-4).
 */
const fractionsOfRoots = (count: number, root: bigint): readonly number[] => {
  const words: number[] = [];
  for (let prime = 2n; words.length < count; prime += 1n) {
    let isPrime = true;
    for (let divisor = 2n; divisor * divisor <= prime; divisor += 1n)
      if (prime % divisor === 0n) isPrime = false;
    if (!isPrime) continue;
    // Finds the largest integer whose `root`-th power is at most prime × 2^(32 × root), bit by bit.
    let integer = 0n;
    for (let bit = 1n << 36n; bit > 0n; bit >>= 1n)
      if ((integer + bit) ** root <= prime << (32n * root)) integer += bit;
    words.push(Number(integer & 0xffff_ffffn));
  }
  return words;
};

const ROUND_CONSTANTS = fractionsOfRoots(64, 3n);
const INITIAL_STATE = fractionsOfRoots(8, 2n);

const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/** Computes the SHA-256 hash of the bytes. */
export const sha256 = (bytes: Uint8Array): Uint8Array => {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const state = Uint32Array.from(INITIAL_STATE);
  const schedule = new Uint32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let at = 0; at < 64; at += 1) {
      if (at < 16) {
        schedule[at] = view.getUint32(block + at * 4);
        continue;
      }
      const [early, late] = [schedule[at - 15]!, schedule[at - 2]!];
      const low = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
      const high = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
      schedule[at] = schedule[at - 16]! + low + schedule[at - 7]! + high;
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as [
      ...[number, number, number, number],
      ...[number, number, number, number],
    ];
    for (let at = 0; at < 64; at += 1) {
      const chosen = (e & f) ^ (~e & g);
      const most = (a & b) ^ (a & c) ^ (b & c);
      const first =
        h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + chosen + ROUND_CONSTANTS[at]! + schedule[at]!;
      const second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + most;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) state[at]! += word;
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (const [at, word] of state.entries()) digest.setUint32(at * 4, word);
  return new Uint8Array(digest.buffer);
};
