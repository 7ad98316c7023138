// The typed client: one method per operation of the service, derived from its route tables. Runs in browsers and in Node; needs nothing but `fetch`.
import { type ClientClock, machineClock } from './client-clock.ts';
import { type HoldfastMethods, type OperationName, operations } from './generated/all-operations.ts';
import { HoldfastError } from './holdfast-error.ts';
import type { CallOptions, OperationFacts } from './operation-facts.ts';
import { type Calling, type Fetch, type Sent, sendCall } from './send-call.ts';
import { readBaseUrl } from './write-request.ts';

export type { CallOptions, HoldfastMethods, OperationName, Sent };

/** How to make a client. */
export interface HoldfastClientOptions {
  /** Where the service is, e.g. `https://stake.example.org`; a path is kept. No credentials, no query. */
  readonly baseUrl: string;
  /** Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** For one attempt, milliseconds. Default: 30,000 for reads and builders, 120,000 for what acts. */
  readonly timeoutMs?: number | undefined;
  /** How often a failed attempt is repeated where that is safe. Default 3; 0 for never. */
  readonly retries?: number | undefined;
  /** Makes the idempotency key of a call that was given none. Default: a random UUID. */
  readonly idempotencyKey?: ((operation: string) => string) | undefined;
  /** The interface that uses the client, reported to the service, which phrases guidance for it. Default `client`. */
  readonly source?: 'client' | 'page' | 'cli' | 'mcp-stdio' | undefined;
  /** Time and chance, for tests. */
  readonly clock?: ClientClock | undefined;
  readonly random?: (() => number) | undefined;
}

type InputOf<Name extends OperationName> = NonNullable<Parameters<HoldfastMethods[Name]>[0]>;
type AnswerOf<Name extends OperationName> = Awaited<ReturnType<HoldfastMethods[Name]>>;

/** A client of one service. Every method rejects with `HoldfastError` and nothing else. */
export interface HoldfastClient extends HoldfastMethods {
  /** No trailing slash. */
  readonly baseUrl: string;
  /** Calls an operation by name and gives headers, status, the idempotency key and the answer's own text as well. */
  readonly send: <Name extends OperationName>(
    operation: Name,
    input?: InputOf<Name>,
    options?: CallOptions,
  ) => Promise<Sent<AnswerOf<Name>>>;
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const randomKey = (): string => {
  // `randomUUID` exists only in secure contexts; a page over plain HTTP on another machine has random bytes.
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
};

/** Makes a client. Nothing is sent yet. Throws `TypeError` for a base URL that is none. */
export const createHoldfastClient = (options: HoldfastClientOptions): HoldfastClient => {
  const calling: Calling = {
    baseUrl: readBaseUrl(options.baseUrl),
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    clock: options.clock ?? machineClock,
    random: options.random ?? Math.random,
    newIdempotencyKey: options.idempotencyKey ?? randomKey,
    timeoutMs: options.timeoutMs,
    retries: options.retries ?? 3,
    source: options.source ?? 'client',
  };
  const send = (
    operation: string,
    input: object = {},
    callOptions: CallOptions = {},
    alternative = false,
  ): Promise<Sent<unknown>> => {
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
