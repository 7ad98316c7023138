// Colors text on terminals and leaves it plain elsewhere.

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

export type Tone = keyof typeof CODES;

export type Paint = (tone: Tone, text: string) => string;

/** Adds ANSI codes if `enabled`, otherwise returns the text unchanged. */
export const createPaint =
  (enabled: boolean): Paint =>
  (tone, text) =>
    enabled ? `\u001b[${CODES[tone][0]}m${text}\u001b[${CODES[tone][1]}m` : text;

/** True for terminals with colors, unless `--no-color` or NO_COLOR is set (https://no-color.org). */
export const wantsColor = (
  isTty: boolean,
  environment: Readonly<Record<string, string | undefined>>,
  refused: boolean,
): boolean => isTty && !refused && !environment.NO_COLOR && environment.TERM !== 'dumb';
