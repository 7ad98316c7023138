// Logs that cannot leak: one pino instance whose redaction paths and error serialiser drop keys, bodies and credentials in URLs.
import { type Logger, pino } from 'pino';
import { formatLogLine } from './format-log-line.ts';

export type { Logger };

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
const redactedPaths = SECRET_MEMBERS.flatMap((member) => [
  member,
  `*.${member}`,
  `*.*.${member}`,
  `*["${member}"]`,
]);

/** The origin of a URL, or `(invalid url)`: paths, queries and user info hold API keys at most providers. */
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
    // Schemes are short; without this bound a node's error of 16 KB of `a.a.a.…` took 3 s here (2026-11).
    .replace(/[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'<>]+/gi, (url) => originOnly(url))
    .replace(/[1-9A-Za-z+/=]{80,}/g, '(redacted)');

const serialiseError = (error: unknown): Record<string, unknown> => {
  if (!(error instanceof Error)) return { message: scrub(String(error)) };
  const { code, cause } = error as Error & { code?: unknown };
  return {
    type: error.name,
    message: scrub(error.message),
    stack: error.stack === undefined ? undefined : scrub(error.stack),
    ...(typeof code === 'string' ? { code } : {}),
    ...(cause === undefined ? {} : { cause: serialiseError(cause) }),
  };
};

/** The destination of a logger. */
interface LogDestination {
  readonly write: (line: string) => unknown;
}

/** Readable lines if standard output is a terminal, JSON otherwise. */
const standardOutput = (): LogDestination | undefined =>
  process.stdout.isTTY ? { write: (line) => process.stdout.write(formatLogLine(line)) } : undefined;

/** Creates the service's logger. `level` is a pino level or `silent`. Default destination: standard output, as readable lines on a terminal and JSON otherwise. */
export const createLogger = (
  level: string,
  destination: LogDestination | undefined = standardOutput(),
): Logger =>
  pino(
    {
      level,
      base: null,
      redact: { paths: redactedPaths, censor: '(redacted)' },
      serializers: { err: serialiseError, error: serialiseError },
      hooks: {
        logMethod(args, method) {
          method.apply(
            this,
            args.map((arg) => (typeof arg === 'string' ? scrub(arg) : arg)) as Parameters<typeof method>,
          );
        },
      },
    },
    ...(destination ? [destination] : []),
  );
