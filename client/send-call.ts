// Makes one call in one or more attempts, each with its own time limit. Repeats it only if that is safe. The
// caller's signal ends all attempts.
import type { ClientClock } from './client-clock.ts';
import { HoldfastError, isHoldfastError } from './holdfast-error.ts';
import type { CallOptions, OperationFacts } from './operation-facts.ts';
import { readResponse } from './read-response.ts';
import { isRepeatable, retryDelayMs } from './retry.ts';
import { writeRequest } from './write-request.ts';

/** `fetch`, or anything that behaves like it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface CallDependencies {
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly clock: ClientClock;
  readonly random: () => number;
  readonly newIdempotencyKey: (operation: string) => string;
  /** Time limit of one attempt in milliseconds; undefined: depends on the operation's effect. */
  readonly timeoutMs: number | undefined;
  readonly retries: number;
  /** Called before each wait for a retry. */
  readonly onRetry?: ((error: HoldfastError, delayMs: number) => void) | undefined;
  /** Called for each attempt that has no response after `SLOW_AFTER_MS`. */
  readonly onSlow?: ((operation: string, leftMs: number) => void) | undefined;
  /** Software that uses the client, sent as `Holdfast-Client`. */
  readonly source: 'client' | 'page' | 'cli' | 'mcp-stdio';
}

/** A response with its status, headers and idempotency key. */
export interface SentResponse<Body> {
  readonly body: Body;
  readonly status: number;
  readonly headers: Headers;
  /** The unparsed response from which `body` was read. */
  readonly text: string;
  /** Idempotency key sent with the call. */
  readonly idempotencyKey: string | undefined;
}

/** A call to make. */
interface WantedCall {
  readonly operation: string;
  readonly facts: OperationFacts;
  readonly input: Readonly<Record<string, unknown>>;
  readonly options: CallOptions;
  readonly alternative?: boolean;
}

const READ_TIMEOUT_MS = 30_000;
/** MCP clients give up after 60 s by default, so agents' calls fail earlier and are not repeated after a timeout. */
const AGENT_READ_TIMEOUT_MS = 20_000;
/**
 * Covers three signatures of one request, at about 50 s each until one is confirmed or proven expired: the service
 * signs an expired one-shot request again at most twice, with a higher fee.
 */
const ACT_TIMEOUT_MS = 180_000;
/** Time in milliseconds after which `onSlow` is called. */
const SLOW_AFTER_MS = 4_000;

/** Message of a call that the caller's signal ended. */
export const CALL_ABORTED = 'The call was aborted.';

const aborted = (operation: string, idempotencyKey: string | undefined, cause: unknown): HoldfastError =>
  new HoldfastError({
    errorCode: 'ABORTED',
    operation,
    message: CALL_ABORTED,
    idempotencyKey,
    cause,
  });

/** Node's message is only `fetch failed`; the reason is in `cause`. */
const noResponse = (origin: string, error: unknown): string => {
  const { message, cause } = error as { message?: unknown; cause?: { code?: unknown } };
  if (cause?.code === 'ECONNREFUSED') return `Nothing is responding at ${origin}.`;
  const reason = [message, cause?.code].filter((part) => typeof part === 'string').join(', ');
  const { location } = globalThis as { location?: { origin: string } };
  // Browsers do not show scripts why they block a response.
  const isBlockable = location !== undefined && location.origin !== origin;
  return `No response from ${origin}: ${reason || 'no reason given'}.${isBlockable ? ' Perhaps CORS forbids this call here.' : ''}`;
};

/** Advises how to repeat a call that may have taken effect. */
const repetition = ({ effect, idempotency }: OperationFacts, idempotencyKey: string | undefined) => {
  // Building a transaction has no effect.
  if (effect === 'read' || (effect === 'build' && idempotency === 'made')) return undefined;
  const how =
    idempotencyKey !== undefined
      ? 'Repeat it with the same idempotency key.'
      : idempotency === 'own'
        ? 'Repeat it unchanged.'
        : 'Check that before you repeat it.';
  return `It may have taken effect. ${how}`;
};

const duration = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${Math.floor(ms / 1_000)} s`);

const attemptOnce = async (
  calling: CallDependencies,
  call: WantedCall,
  idempotencyKey: string | undefined,
  silentSinceMs: number,
) => {
  const { operation, facts, options } = call;
  const alternative = call.alternative === true;
  const { url, init } = writeRequest({
    operation,
    facts,
    baseUrl: calling.baseUrl,
    input: call.input,
    idempotencyKey,
    bearer: options.bearer,
    alternative,
    // Omitted without a body, because then this header alone would make browsers send a CORS preflight for
    // pages of other origins.
    source: calling.source === 'client' && facts.body.length === 0 ? undefined : calling.source,
  });
  const readTimeoutMs = calling.source === 'mcp-stdio' ? AGENT_READ_TIMEOUT_MS : READ_TIMEOUT_MS;
  const timeoutMs =
    options.timeoutMs ?? calling.timeoutMs ?? (facts.effect === 'act' ? ACT_TIMEOUT_MS : readTimeoutMs);
  const ended = new AbortController();
  const tooLate = new AbortController();
  calling.clock.sleep(timeoutMs, ended.signal).then(
    () => tooLate.abort(),
    () => undefined,
  );
  if (calling.onSlow && timeoutMs > SLOW_AFTER_MS)
    calling.clock.sleep(SLOW_AFTER_MS, ended.signal).then(
      () => calling.onSlow?.(operation, timeoutMs - SLOW_AFTER_MS),
      () => undefined,
    );
  const signal = options.signal ? AbortSignal.any([options.signal, tooLate.signal]) : tooLate.signal;
  try {
    // The service never redirects, and a redirect could send keys or amounts elsewhere.
    const response = await calling.fetch(url, {
      ...init,
      signal,
      redirect: 'error',
      credentials: 'omit',
      cache: 'no-store',
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    if (options.signal?.aborted) throw aborted(operation, idempotencyKey, options.signal.reason);
    const isLate = tooLate.signal.aborted;
    throw new HoldfastError({
      errorCode: isLate ? 'TIMEOUT' : 'NETWORK',
      operation,
      message: isLate
        ? `${new URL(url).origin} did not respond within ${duration(Math.max(timeoutMs, calling.clock.now() - silentSinceMs))}.`
        : noResponse(new URL(url).origin, error),
      idempotencyKey,
      suggestedAction: repetition(facts, idempotencyKey),
      cause: error,
    });
  } finally {
    ended.abort();
  }
};

const keyOf = (
  calling: CallDependencies,
  { operation, facts, input, options }: WantedCall,
): string | undefined => {
  const given =
    options.idempotencyKey ?? (typeof input.idempotencyKey === 'string' ? input.idempotencyKey : undefined);
  return given ?? (facts.idempotency === 'made' ? calling.newIdempotencyKey(operation) : undefined);
};

/** Sends `call`. Rejects only with `HoldfastError`. */
export const sendCall = async (
  calling: CallDependencies,
  call: WantedCall,
): Promise<SentResponse<unknown>> => {
  const { operation, facts, options } = call;
  const idempotencyKey = keyOf(calling, call);
  const repeatable = isRepeatable(facts, idempotencyKey);
  const retries = options.retries ?? calling.retries;
  /** Time of the first attempt without a response since the last response. */
  let silentSinceMs = calling.clock.now();
  for (let attempt = 0; ; attempt += 1) {
    if (options.signal?.aborted) throw aborted(operation, idempotencyKey, options.signal.reason);
    try {
      const received = await attemptOnce(calling, call, idempotencyKey, silentSinceMs);
      const body = readResponse({
        ...received,
        operation,
        facts,
        idempotencyKey,
        alternative: call.alternative === true,
        nowMs: calling.clock.now(),
      });
      return { ...received, body, idempotencyKey };
    } catch (error) {
      if (!isHoldfastError(error) || attempt >= retries) throw error;
      if (error.errorCode === 'TIMEOUT' && calling.source === 'mcp-stdio') throw error;
      const delayMs = retryDelayMs(error, { repeatable, attempt, random: calling.random });
      if (delayMs === null) throw error;
      calling.onRetry?.(error, delayMs);
      await calling.clock.sleep(delayMs, options.signal).catch((reason: unknown) => {
        throw aborted(operation, idempotencyKey, reason);
      });
      if (error.errorCode !== 'TIMEOUT') silentSinceMs = calling.clock.now();
    }
  }
};
