// Colours for people at a terminal, and nothing at all anywhere else.

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

/** A way to show text. */
export type Tone = keyof typeof CODES;

/** Puts a tone on text. */
export type Paint = (tone: Tone, text: string) => string;

/** Paints with ANSI codes where `enabled`, else gives the text as it is. */
export const createPaint =
  (enabled: boolean): Paint =>
  (tone, text) =>
    enabled ? `\u001b[${CODES[tone][0]}m${text}\u001b[${CODES[tone][1]}m` : text;

/** Whether to paint: only on a terminal that shows colours, never against `--no-color` or NO_COLOR (https://no-color.org). */
export const wantsColour = (
  isTty: boolean,
  environment: Readonly<Record<string, string | undefined>>,
  refused: boolean,
): boolean => isTty && !refused && !environment.NO_COLOR && environment.TERM !== 'dumb';
