// The accent color is checked against the actual backgrounds of the page, and every shade derived from it is
// readable.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { accentColors, accentProblem, accentStyle, contrast, GROUNDS } from './accent-colors.ts';

const tokens = readFileSync(join(import.meta.dirname, '../../http/pages/tokens.css'), 'utf8');

const pairOf = (css: string, token: string): readonly [string, string] => {
  const [, light, dark] = new RegExp(`--${token}:\\s*light-dark\\((#\\w+),\\s*(#\\w+)\\)`).exec(css)!;
  return [light!, dark!];
};

test('the backgrounds equal the design tokens', () => {
  const grounds = ['bg', 'surface', 'raised', 'sunken', 'field'].map((token) => pairOf(tokens, token));
  assert.deepEqual(new Set(grounds.map(([light]) => light)), new Set(GROUNDS.light));
  assert.deepEqual(new Set(grounds.map(([, dark]) => dark)), new Set(GROUNDS.dark));
});

test('contrast is computed as in WCAG: black on white is 21, and the page’s own accent is readable', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21);
  assert.ok(Math.abs(contrast('#777777', '#ffffff') - 4.48) < 0.01);
  const [light, dark] = pairOf(tokens, 'accent');
  assert.equal(accentProblem({ light, dark }), null);
});

test('any accepted color has a contrast of at least 4.5 in both themes: as text, behind text, and as a soft shade', () => {
  const color = fc
    .integer({ min: 0, max: 0xffffff })
    .map((value) => `#${value.toString(16).padStart(6, '0')}`);
  let accepted = 0;
  fc.assert(
    fc.property(color, (given) => {
      if (accentProblem(given) !== null) return;
      accepted += 1;
      const css = accentStyle(accentColors(given));
      for (const [theme, at] of [
        ['light', 0],
        ['dark', 1],
      ] as const) {
        const shade = (token: string): string => pairOf(css, token)[at];
        for (const text of ['accent', 'accent-strong'])
          for (const ground of [...GROUNDS[theme], shade('accent-soft')])
            assert.ok(contrast(shade(text), ground) >= 4.5, `${given} ${theme} ${text} on ${ground}`);
        assert.ok(contrast(shade('on-accent'), shade('accent')) >= 4.5, `${given} ${theme} on accent`);
      }
    }),
    { numRuns: 500, seed: 16 },
  );
  assert.ok(accepted > 300, String(accepted));
});
