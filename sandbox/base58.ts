// Base58 for Solana addresses and signatures. Encoding and decoding are exact inverses.

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Encodes `bytes` as base58. A leading zero byte becomes a leading `1`. */
export function encodeBase58(bytes: Uint8Array): string {
  let leadingZeros = 0;
  while (leadingZeros < bytes.length && bytes[leadingZeros] === 0) leadingZeros += 1;
  let value = bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  while (value > 0n) {
    text = ALPHABET[Number(value % 58n)] + text;
    value /= 58n;
  }
  return '1'.repeat(leadingZeros) + text;
}

/** Decodes base58 `text`. Returns `null` if a character is outside the alphabet. */
export function decodeBase58(text: string): Uint8Array | null {
  let leadingZeros = 0;
  while (leadingZeros < text.length && text[leadingZeros] === '1') leadingZeros += 1;
  let value = 0n;
  for (const character of text) {
    const digit = ALPHABET.indexOf(character);
    if (digit < 0) return null;
    value = value * 58n + BigInt(digit);
  }
  const hex = value === 0n ? '' : value.toString(16);
  const body = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return Uint8Array.from([...new Uint8Array(leadingZeros), ...body]);
}

/**
 * Decodes an address to its 32 bytes. Returns `null` if `text` is not an address. The length limit keeps the
 * quadratic decoding cheap.
 */
export function decodeAddress(text: unknown): Uint8Array | null {
  if (typeof text !== 'string' || text.length < 32 || text.length > 44) return null;
  const bytes = decodeBase58(text);
  return bytes?.length === 32 ? bytes : null;
}
