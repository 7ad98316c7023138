// The typed client: one method per operation of the service, generated from its routes. Runs in browsers and in
// Node, and needs only `fetch`.
import { type ClientClock, machineClock } from './client-clock.ts';
import { type HoldfastMethods, type OperationName, operations } from './generated/all-operations.ts';
import { HoldfastError } from './holdfast-error.ts';
import type { CallOptions, OperationFacts } from './operation-facts.ts';
import { type CallDependencies, type Fetch, type SentResponse, sendCall } from './send-call.ts';
import { readBaseUrl } from './write-request.ts';

export type { CallOptions, HoldfastMethods, OperationName, SentResponse as Sent };

export interface HoldfastClientOptions {
  /** URL of the service, e.g. `https://stake.example.org`. A path is kept; credentials and a query are not allowed. */
  readonly baseUrl: string;
  /** Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Time limit of one attempt in milliseconds. Default: 30,000 for reads and builders, 180,000 for operations that change the chain. */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of retries of a failed call, if a retry is safe. Default: 3; 0 disables retries. */
  readonly retries?: number | undefined;
  /** Called before each wait for a retry, for example to show it to a user. */
  readonly onRetry?: ((error: HoldfastError, delayMs: number) => void) | undefined;
  /** Called if an attempt has no response after 4 seconds, with the milliseconds until its time limit. */
  readonly onSlow?: ((operation: string, leftMs: number) => void) | undefined;
  /** Creates the idempotency key for a call that was given none. Default: a random UUID. */
  readonly idempotencyKey?: ((operation: string) => string) | undefined;
  /** Kind of interface that uses the client; the service adapts its suggestions to it. Default: `client`. */
  readonly source?: 'client' | 'page' | 'cli' | 'mcp-stdio' | undefined;
  readonly clock?: ClientClock | undefined;
  readonly random?: (() => number) | undefined;
}

type InputOf<Name extends OperationName> = NonNullable<Parameters<HoldfastMethods[Name]>[0]>;
type ResponseOf<Name extends OperationName> = Awaited<ReturnType<HoldfastMethods[Name]>>;

/** A client of one service. Methods reject only with `HoldfastError`. */
export interface HoldfastClient extends HoldfastMethods {
  /** The service's URL, without a trailing slash. */
  readonly baseUrl: string;
  /**
   * Calls an operation by name. Also returns the headers, the status, the idempotency key and the unparsed
   * response.
   */
  readonly send: <Name extends OperationName>(
    operation: Name,
    input?: InputOf<Name>,
    options?: CallOptions,
  ) => Promise<SentResponse<ResponseOf<Name>>>;
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const randomKey = (): string => {
  // `randomUUID` exists only in secure contexts. A page loaded over plain HTTP from another machine has only
  // `getRandomValues`.
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
};

/** Creates a client without sending anything. Throws `TypeError` for an invalid base URL. */
export const createHoldfastClient = (options: HoldfastClientOptions): HoldfastClient => {
  const calling: CallDependencies = {
    baseUrl: readBaseUrl(options.baseUrl),
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    clock: options.clock ?? machineClock,
    random: options.random ?? Math.random,
    newIdempotencyKey: options.idempotencyKey ?? randomKey,
    timeoutMs: options.timeoutMs,
    retries: options.retries ?? 3,
    onRetry: options.onRetry,
    onSlow: options.onSlow,
    source: options.source ?? 'client',
  };
  const send = (
    operation: string,
    input: object = {},
    callOptions: CallOptions = {},
    alternative = false,
  ): Promise<SentResponse<unknown>> => {
    const facts = Object.hasOwn(operations, operation) ? operations[operation as OperationName] : undefined;
    if (facts === undefined)
      return Promise.reject(
        new HoldfastError({ errorCode: 'INVALID_INPUT', operation, message: 'There is no such operation.' }),
      );
    return sendCall(calling, {
      operation,
      facts,
      input: input as Readonly<Record<string, unknown>>,
      options: callOptions,
      alternative,
    });
  };
  const methods: Record<string, unknown> = {};
  for (const [name, facts] of Object.entries(operations) as [string, OperationFacts][]) {
    methods[name] = async (input?: object, callOptions?: CallOptions) =>
      (await send(name, input, callOptions)).body;
    if (facts.alternative)
      methods[name + capital(facts.alternative.value)] = async (input?: object, callOptions?: CallOptions) =>
        (await send(name, input, callOptions, true)).body;
  }
  return {
    ...(methods as unknown as HoldfastMethods),
    baseUrl: calling.baseUrl,
    send: ((name: OperationName, input?: object, callOptions?: CallOptions) =>
      send(name, input, callOptions)) as HoldfastClient['send'],
  };
};
