// Formats records as CSV (RFC 4180).

const NEEDS_QUOTES = /[",\r\n]/;

/** Formats one field. Quotes are doubled; fields with a comma, a quote or a line break are quoted. */
const field = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Formats records as CSV (RFC 4180), with CRLF after every line. */
export const formatCsv = (lines: readonly (readonly string[])[]): string =>
  lines.map((fields) => `${fields.map(field).join(',')}\r\n`).join('');
