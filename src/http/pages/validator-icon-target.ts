// Serves the validator's picture: a fetched and checked picture, or a pattern generated from the address. Never
// serves scripts or third-party links.
import { PICTURE_CSP } from '../../adapter/content-security-policies.ts';
import { OTHER_PROTOCOL, type Target } from '../../adapter/exchange.ts';
import type { Picture } from '../../upstream/profile/picture.ts';

/** Headers of pictures that other sites may show and that cannot run scripts. */
export const PICTURE_HEADERS: readonly string[] = [
  ...['content-security-policy', PICTURE_CSP],
  ...['cache-control', 'public, max-age=300'],
  ...['cross-origin-resource-policy', 'cross-origin'],
];

const GRID = 5;

/** Hashes text to numbers. Not for security. */
const mix = (text: string): number => {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  return hash;
};

/**
 * Generates a pattern from an address. The same address always gives the same pattern, and the SVG contains
 * only computed numbers.
 */
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

/**
 * Creates `GET /icon`. `current` must never reject. Other sites may show the picture, because link previews and
 * manifests use it.
 */
export const createIconTarget = (current: () => Promise<Picture>): Target => ({
  path: '/icon',
  methods: ['GET'],
  limited: false,
  browsers: 'public',
  description: OTHER_PROTOCOL,
  serve: async (exchange) => {
    const { contentType, bytes } = await current();
    exchange.send(200, contentType, bytes, PICTURE_HEADERS);
  },
});
