// The validator's picture as this service serves it: a picture that was fetched and looked at, or a pattern made from the address; never a script, never a third party's link.
import { OTHER_PROTOCOL, type Target } from '../../adapter/exchange.ts';

/** A picture of a known kind. */
export interface Picture {
  readonly contentType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/svg+xml';
  readonly bytes: Buffer;
}

const GRID = 5;

/** Spreads text over numbers; no secret depends on it. */
const mix = (text: string): number => {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  return hash;
};

/** A pattern that is always the same for the same address. Made of numbers of ours alone. */
export const patternOf = (address: string): Picture => {
  const hue = mix(address) % 360;
  const cells = Array.from({ length: GRID * 3 }, (_, index) => index)
    .filter((index) => mix(`${address}/${index}`) % 2 === 0)
    .flatMap((index) => {
      const [column, row] = [Math.floor(index / GRID), index % GRID];
      return [...new Set([column, GRID - 1 - column])].map((at) => `M${at + 1} ${row + 1}h1v1h-1z`);
    });
  return {
    contentType: 'image/svg+xml',
    bytes: Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 7 7" shape-rendering="crispEdges"><path fill="hsl(${hue} 45% 90%)" d="M0 0h7v7H0z"/><path fill="hsl(${hue} 55% 32%)" d="${cells.join('')}"/></svg>`,
    ),
  };
};

const startsWith = (bytes: Buffer, signature: string, at = 0): boolean =>
  bytes.subarray(at, at + signature.length / 2).equals(Buffer.from(signature, 'hex'));

/** What the bytes are by their own first bytes; null for everything that is not one of four kinds of picture, SVG above all. */
export const recognisePicture = (bytes: Buffer): Picture | null => {
  const contentType = startsWith(bytes, '89504e470d0a1a0a')
    ? 'image/png'
    : startsWith(bytes, 'ffd8ff')
      ? 'image/jpeg'
      : startsWith(bytes, '474946383961') || startsWith(bytes, '474946383761')
        ? 'image/gif'
        : startsWith(bytes, '52494646') && startsWith(bytes, '57454250', 8)
          ? 'image/webp'
          : null;
  return contentType && { contentType, bytes };
};

/** `GET /icon`. `current` never rejects. */
export const createIconTarget = (current: () => Picture): Target => ({
  path: '/icon',
  methods: ['GET'],
  limited: false,
  browsers: 'public',
  description: OTHER_PROTOCOL,
  serve: (exchange) => {
    const { contentType, bytes } = current();
    exchange.send(200, contentType, bytes, [
      ...['content-security-policy', "default-src 'none'; sandbox"],
      ...['cache-control', 'public, max-age=300'],
      ...['cross-origin-resource-policy', 'same-origin'],
    ]);
  },
});
