// Redacts secrets before they reach a log: fields by name, and credentials in free text and URLs.

const SECRET_MEMBERS = [
  'secretKey',
  'secret',
  'password',
  'authorization',
  'cookie',
  'serverSecret',
  'body',
  'rawBody',
  'url',
];
/** Paths of fields that may hold a secret, in pino's notation. */
export const redactedPaths = SECRET_MEMBERS.flatMap((member) => [
  member,
  `*.${member}`,
  `*.*.${member}`,
  `*["${member}"]`,
]);

/**
 * Returns the origin of a URL, or `(invalid url)`. With most providers, the path, query or user info contains
 * an API key.
 */
export const originOnly = (url: string): string => {
  try {
    const { protocol, host } = new URL(url);
    return `${protocol}//${host}`;
  } catch {
    return '(invalid url)';
  }
};

/**
 * Redacts possible credentials in free text: every URL becomes its origin, and every base58 or base64 run of
 * 80 characters or more (a 64-byte secret key has 86 to 88) becomes `(redacted)`.
 */
export const scrub = (text: string): string =>
  text
    // Schemes are short. Without this bound, a node's error message with 16 KB of `a.a.a.…` took 3 s
    // (2026-11).
    .replace(/[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'<>]+/gi, (url) => originOnly(url))
    .replace(/[1-9A-Za-z+/=]{80,}/g, '(redacted)');
