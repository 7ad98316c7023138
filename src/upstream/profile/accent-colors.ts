// The operator's accent color: checks its contrast on the page's backgrounds and derives the page's shades.

/** One color per theme, `#rrggbb`. */
export interface AccentColors {
  readonly light: string;
  readonly dark: string;
}

/**
 * Colors given by the operator: one for both themes, or one per theme. A missing theme gets a shade of the
 * other theme's color.
 */
export type GivenAccent = string | { readonly [theme in keyof AccentColors]?: string | undefined };

type Theme = keyof AccentColors;
const THEMES = ['light', 'dark'] as const;
type Rgb = readonly [number, number, number];

/**
 * Backgrounds of accent-colored text: `--bg`, `--surface`, `--raised`, `--sunken` and `--field` of
 * `src/http/pages/tokens.css`.
 */
export const GROUNDS: Readonly<Record<Theme, readonly string[]>> = {
  light: ['#f6f8f7', '#ffffff', '#f1f4f2', '#f3f6f4'],
  dark: ['#0d1113', '#14191c', '#1a2024', '#10151a', '#0f1416'],
};
const SURFACE: AccentColors = { light: '#ffffff', dark: '#14191c' };
const FAR: AccentColors = { light: '#000000', dark: '#ffffff' };
/** Share of the accent in the background of selected and marked elements. */
const SOFT = { light: 0.1, dark: 0.14 };
/** WCAG 2.2, 1.4.3: minimum contrast for text of any size. */
const READABLE = 4.5;

const rgbOf = (color: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as unknown as Rgb;

const mix = (color: string, other: string, shareOfOther: number): string => {
  const [from, to] = [rgbOf(color), rgbOf(other)];
  return `#${from
    .map((value, index) => Math.round(value + (to[index]! - value) * shareOfOther))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`;
};

const luminance = (color: string): number => {
  const [red, green, blue] = rgbOf(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Computes the contrast according to WCAG 2.2, from 1 to 21. */
export const contrast = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

const softOf = (color: string, theme: Theme): string => mix(SURFACE[theme], color, SOFT[theme]);

/** Returns the background with the lowest contrast to the color. */
const worstGround = (color: string, theme: Theme): { ground: string; contrast: number } =>
  [...GROUNDS[theme], softOf(color, theme)]
    .map((ground) => ({ ground, contrast: contrast(color, ground) }))
    .reduce((worst, next) => (next.contrast < worst.contrast ? next : worst));

const isReadable = (color: string, theme: Theme): boolean => worstGround(color, theme).contrast >= READABLE;

/** Returns the color itself if it is readable, otherwise the nearest readable color of the same hue. */
const readable = (color: string, theme: Theme): string => {
  for (let percent = 0; percent < 100; percent += 1) {
    const nearer = mix(color, FAR[theme], percent / 100);
    if (isReadable(nearer, theme)) return nearer;
  }
  return FAR[theme];
};

const problemOf = (color: string, theme: Theme): string => {
  const { ground, contrast: found } = worstGround(color, theme);
  return `${color} on the ${theme} theme's ${ground} has a contrast of ${(Math.floor(found * 10) / 10).toFixed(1)} but text needs ${READABLE}; ${readable(color, theme)} would work`;
};

/**
 * Returns why the color cannot be used, or null if it can. No color is readable in both themes, so a single
 * color only needs to be readable in one of them.
 */
export const accentProblem = (accent: GivenAccent): string | null => {
  if (typeof accent === 'string')
    return isReadable(accent, 'light') || isReadable(accent, 'dark')
      ? null
      : `is not readable: ${problemOf(accent, 'light')}, or ${readable(accent, 'dark')} on the dark one`;
  const given = THEMES.filter((theme) => accent[theme] !== undefined);
  if (given.length === 0) return 'has no color: set "light", "dark" or both, or omit it';
  const wrong = given.filter((theme) => !isReadable(accent[theme]!, theme));
  return wrong.length === 0
    ? null
    : `is not readable: ${wrong.map((theme) => problemOf(accent[theme]!, theme)).join('; ')}`;
};

/**
 * Returns one color per theme. A theme without a readable color gets the nearest readable color of the same
 * hue.
 */
export const accentColors = (accent: GivenAccent): AccentColors => {
  const { light, dark } = typeof accent === 'string' ? { light: accent, dark: accent } : accent;
  return {
    light: readable((light ?? dark)!, 'light'),
    dark: readable((dark ?? light)!, 'dark'),
  };
};

/** Returns the page's CSS custom properties derived from the accent, as one style sheet. */
export const accentStyle = ({ light, dark }: AccentColors): string => {
  const token = (name: string, ofLight: string, ofDark: string): string =>
    `--${name}:light-dark(${ofLight},${ofDark});`;
  return `:root{${[
    token('accent', light, dark),
    token('accent-strong', mix(light, FAR.light, 0.2), mix(dark, FAR.dark, 0.25)),
    // Text on the accent is readable, because the accent is readable on these backgrounds.
    token('on-accent', SURFACE.light, GROUNDS.dark[0]!),
    token('accent-soft', softOf(light, 'light'), softOf(dark, 'dark')),
    token('accent-line', mix(SURFACE.light, light, 0.3), mix(SURFACE.dark, dark, 0.35)),
  ].join('')}}\n`;
};
