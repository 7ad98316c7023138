// Formats records as CSV (RFC 4180) that no spreadsheet reads as formulas.

const NEEDS_QUOTES = /[",\r\n]/;

/** First characters that make a spreadsheet evaluate a field as a formula (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/**
 * Formats one field. A text that a spreadsheet would evaluate gets a leading `'`, which makes it text; numbers
 * stay numbers. Quotes are doubled; fields with a comma, a quote or a line break are quoted.
 */
const field = (text: string): string => {
  const inert = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
};

/** Formats records as CSV (RFC 4180), with CRLF after every line. */
export const formatCsv = (lines: readonly (readonly string[])[]): string =>
  lines.map((fields) => `${fields.map(field).join(',')}\r\n`).join('');
