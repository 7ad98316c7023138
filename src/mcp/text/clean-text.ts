// Shortens text from the chain or providers and strips control characters before the text reaches an agent,
// to prevent prompt injection.

/**
 * Maximum length of a text in characters. Our own longest text, a transaction of 1,232 bytes in base64, has
 * 1,644.
 */
export const MAX_TEXT_CHARACTERS = 2_048;

/**
 * Fields written by this service that must arrive unchanged: the snippets of `generate_wallet`, and the text
 * of a policy to sign.
 */
const VERBATIM = new Set(['javascript', 'python', 'cli', 'textToSign']);

/** True for exact amounts, which are raw JSON. TypeScript's types do not include this function yet. */
export const { isRawJSON } = JSON as unknown as { isRawJSON: (value: unknown) => boolean };

// Matches C0 and C1 controls, line and paragraph separators, bidirectional overrides and isolates, zero-width
// characters, the byte order mark, and the tag block, whose characters are always invisible.
const CONTROL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for control characters.
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;
const MAY_HOLD_CONTROL = /[^\u0020-\u007e]/;

/**
 * Removes control characters from `text` and truncates it to the limit. Replaces each run of line breaks and
 * tabs with one space.
 */
export const cleanText = (text: string): string => {
  const plain = MAY_HOLD_CONTROL.test(text) ? text.replace(/[\t\n\r]+/g, ' ').replace(CONTROL, '') : text;
  return plain.length <= MAX_TEXT_CHARACTERS ? plain : `${plain.slice(0, MAX_TEXT_CHARACTERS - 1)}…`;
};

/** Copies a response and cleans all its texts, including field names. */
export const cleanResponse = (value: unknown, name = ''): unknown => {
  if (typeof value === 'string') return VERBATIM.has(name) ? value : cleanText(value);
  if (typeof value !== 'object' || value === null || isRawJSON(value)) return value;
  if (Array.isArray(value)) return value.map((item) => cleanResponse(item, name));
  const copy: Record<string, unknown> = {};
  for (const [member, held] of Object.entries(value)) copy[cleanText(member)] = cleanResponse(held, member);
  return copy;
};
