// Logs that cannot leak secrets: one pino instance whose redaction paths and error serializer remove keys,
// bodies and credentials in URLs.
import { type Logger, pino } from 'pino';
import { formatLogLine } from './format-log-line.ts';
import { redactedPaths, scrub } from './redact-secrets.ts';

export type { Logger };

const serializeError = (error: unknown): Record<string, unknown> => {
  if (!(error instanceof Error)) return { message: scrub(String(error)) };
  const { code, cause } = error as Error & { code?: unknown };
  return {
    type: error.name,
    message: scrub(error.message),
    stack: error.stack === undefined ? undefined : scrub(error.stack),
    ...(typeof code === 'string' ? { code } : {}),
    ...(cause === undefined ? {} : { cause: serializeError(cause) }),
  };
};

interface LogDestination {
  readonly write: (line: string) => unknown;
}

/** Writes readable lines if standard output is a terminal, and JSON otherwise. */
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
      serializers: { err: serializeError, error: serializeError },
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
