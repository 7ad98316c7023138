// Converts a response into the operation's result or into an error, even if a proxy has changed the response.
import { HoldfastError } from './holdfast-error.ts';
import type { OperationFacts } from './operation-facts.ts';

export interface ReceivedResponse {
  readonly operation: string;
  readonly facts: OperationFacts;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly idempotencyKey: string | undefined;
  readonly alternative: boolean;
  readonly nowMs: number;
}

type Members = Readonly<Record<string, unknown>>;

const parseObject = (text: string): Members | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Members)
      : undefined;
  } catch {
    return undefined;
  }
};

/** Parses a `Retry-After` header, which contains seconds or a date. Returns undefined if absent or invalid. */
export const retryAfterSeconds = (header: string | null, nowMs: number): number | undefined => {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  // `Date.parse` accepts almost anything, including `-5` and `1.5`. HTTP dates always end in GMT.
  const date = header.endsWith('GMT') ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - nowMs) / 1000));
};

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const common = ({ operation, status, headers, idempotencyKey, nowMs }: ReceivedResponse) => ({
  operation,
  status,
  requestId: headers.get('x-request-id') ?? undefined,
  retryAfterSeconds: retryAfterSeconds(headers.get('retry-after'), nowMs),
  idempotencyKey,
});

const notTheService = (received: ReceivedResponse): HoldfastError =>
  new HoldfastError({
    ...common(received),
    errorCode: 'BAD_ANSWER',
    message: `Something other than this service responded with status ${received.status}.`,
    suggestedAction: 'Check the base URL and any proxy in front of the service.',
  });

const failure = (received: ReceivedResponse): HoldfastError => {
  const body = parseObject(received.text);
  if (body === undefined || typeof body.errorCode !== 'string') return notTheService(received);
  return new HoldfastError({
    ...common(received),
    errorCode: body.errorCode,
    message:
      text(body.message) ?? text(body.error) ?? `The service responded with status ${received.status}.`,
    suggestedAction: text(body.suggestedAction),
    ...(Array.isArray(body.details) ? { details: body.details as HoldfastError['details'] } : {}),
    body,
  });
};

/**
 * Returns the response's fields, or its text if a content type other than JSON was requested. Throws
 * `HoldfastError`.
 */
export const readResponse = (received: ReceivedResponse): unknown => {
  const { status, headers, facts, alternative } = received;
  if (status < 200 || status > 299) throw failure(received);
  if (alternative) return received.text;
  if (facts.text)
    return {
      [facts.text.member]: received.text,
      ...Object.fromEntries(
        Object.entries(facts.text.headers).map(([name, member]) => [member, headers.get(name) ?? '']),
      ),
    };
  const body = parseObject(received.text);
  if (body === undefined) throw notTheService(received);
  return body;
};
