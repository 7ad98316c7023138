// Converts an operation's input into a request: path, query, headers, and a body with exact amounts.
import { HoldfastError } from './holdfast-error.ts';
import type { CallOptions, OperationFacts } from './operation-facts.ts';
import { writeExactJson } from './sol-amount.ts';

interface WrittenRequest {
  readonly url: string;
  readonly init: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
}

export interface RequestParts {
  readonly operation: string;
  readonly facts: OperationFacts;
  /** The service's URL, without a trailing slash. */
  readonly baseUrl: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly idempotencyKey: string | undefined;
  readonly bearer: CallOptions['bearer'];
  /** True to request the operation's alternative form of response. */
  readonly alternative: boolean;
  /** Sent as `Holdfast-Client`. If undefined, the header is omitted. */
  readonly source?: string | undefined;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

const invalid = (
  operation: string,
  message: string,
  suggestedAction: string,
  cause?: unknown,
): HoldfastError =>
  new HoldfastError({ errorCode: 'INVALID_INPUT', operation, message, suggestedAction, cause });

/**
 * Returns the base URL without trailing slashes. Throws `TypeError` unless it is a plain http(s) URL. The
 * error does not quote the URL, which may contain a secret.
 */
export const readBaseUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new TypeError('baseUrl is not an http or https URL');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new TypeError('baseUrl must not contain credentials, a query or a fragment');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
};

/** Returns the known name that shares the longest prefix with `name`, if that is at least half of its letters. */
const similarName = (name: string, known: readonly string[]): string | undefined => {
  const [letters, ...others] = [name, ...known].map((one) => one.toLowerCase().replaceAll(/[_-]/g, ''));
  const shared = others.map((other) => [...letters!].findIndex((letter, at) => other[at] !== letter));
  const lengths = shared.map((length) => (length === -1 ? letters!.length : length));
  const longest = Math.max(...lengths);
  return longest * 2 >= letters!.length ? known[lengths.indexOf(longest)] : undefined;
};

/**
 * Refuses fields that the operation does not have. Otherwise a misspelled optional field would be silently
 * ignored.
 */
const requireKnownFields = ({ operation, facts, input }: RequestParts): void => {
  const inPath = [...facts.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  // A call's idempotency key may also be passed in its input.
  const known = [...inPath, ...facts.query, ...facts.body, 'idempotencyKey'];
  const unknown = Object.keys(input).find((name) => input[name] !== undefined && !known.includes(name));
  if (unknown === undefined) return;
  const nearest = similarName(unknown, known);
  const hint = nearest === undefined ? '.' : `; did you mean ${nearest}?`;
  throw invalid(
    operation,
    `${operation} has no field ${unknown}${hint} Nothing was sent.`,
    nearest === undefined
      ? `Leave out ${unknown}. The fields are ${known.join(', ')}.`
      : `Rename ${unknown} to ${nearest}.`,
  );
};

/**
 * Encodes one path segment. Refuses `.` and `..`, because URL parsers resolve them to another route even if
 * they are encoded.
 */
const pathPart = (operation: string, name: string, value: unknown): string => {
  const text = String(value);
  try {
    if (text !== '.' && text !== '..') return encodeURIComponent(text);
  } catch {
    // Half of a surrogate pair, which a URL cannot contain. The code below reports it.
  }
  throw invalid(operation, `${name} cannot be part of a path`, `Change ${name}.`);
};

const fillPath = ({ operation, facts, input }: RequestParts): string =>
  facts.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = input[name];
    if (value === undefined || value === null || value === '')
      throw invalid(operation, `${operation} needs ${name}`, `Add ${name}.`);
    return pathPart(operation, name, value);
  });

const writeQuery = ({ facts, input, alternative }: RequestParts): string => {
  const query = new URLSearchParams();
  for (const name of facts.query) {
    const value = input[name];
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  if (alternative && facts.alternative) query.set(facts.alternative.name, facts.alternative.value);
  return query.size === 0 ? '' : `?${query}`;
};

const writeBody = ({ operation, facts, input }: RequestParts): string | undefined => {
  if (facts.body.length === 0) return undefined;
  try {
    return writeExactJson(Object.fromEntries(facts.body.map((name) => [name, input[name]])));
  } catch (error) {
    throw invalid(
      operation,
      error instanceof Error ? error.message : 'the input is not JSON',
      'Change the input. Nothing was sent.',
      error,
    );
  }
};

/**
 * Returns `value` if every HTTP stack transmits it unchanged, and throws otherwise. An error from `fetch` would
 * quote the value, which may be a secret.
 */
const headerValue = (operation: string, name: string, value: string): string => {
  if (!/^[\x20-\x7e]*$/.test(value))
    throw invalid(
      operation,
      `${name} must contain only printable ASCII characters; nothing was sent`,
      `Change ${name}.`,
    );
  return value;
};

/** Builds the request. Throws `HoldfastError`: `INVALID_INPUT`, or `INSECURE_URL` if a secret key would be sent unprotected. */
export const writeRequest = (parts: RequestParts): WrittenRequest => {
  const { operation, facts, baseUrl, idempotencyKey, bearer, alternative } = parts;
  const { protocol, hostname } = new URL(baseUrl);
  if (facts.carriesSecretKey === true && protocol !== 'https:' && !LOOPBACK.test(hostname))
    throw new HoldfastError({
      errorCode: 'INSECURE_URL',
      operation,
      message: 'Secret keys are never sent over plain HTTP to another machine. Nothing was sent.',
      suggestedAction: 'Use https, or better, an unsigned builder, which needs no secret key.',
    });
  requireKnownFields(parts);
  const body = writeBody(parts);
  return {
    url: `${baseUrl}${fillPath(parts)}${writeQuery(parts)}`,
    init: {
      method: facts.method,
      headers: {
        accept: alternative
          ? (facts.alternative?.type ?? '*/*')
          : facts.text
            ? 'text/plain, application/json'
            : 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(parts.source === undefined ? {} : { 'holdfast-client': parts.source }),
        ...(idempotencyKey === undefined
          ? {}
          : { 'idempotency-key': headerValue(operation, 'idempotencyKey', idempotencyKey) }),
        ...(bearer === undefined
          ? {}
          : { authorization: `Bearer ${headerValue(operation, 'bearer', bearer)}` }),
      },
      ...(body === undefined ? {} : { body }),
    },
  };
};
