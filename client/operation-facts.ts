// Describes an operation at run time: its path, where each field is sent, and whether it is safe to repeat.

/** Data needed to call one operation. The generated tables contain it for each operation. */
export interface OperationFacts {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path. Names in braces are fields of the input. */
  readonly path: string;
  /** `read` changes nothing, `build` changes nothing on chain, `act` changes the chain. */
  readonly effect: 'read' | 'build' | 'act';
  /** Fields that are sent in the query string. */
  readonly query: readonly string[];
  /** Fields that are sent in the JSON body. */
  readonly body: readonly string[];
  /**
   * `made`: the client creates a key if the caller provides none. `own`: the content of the request identifies
   * it, so a key is sent only if the caller provides one.
   */
  readonly idempotency?: 'made' | 'own';
  /**
   * True if the body contains a wallet's secret key, so the client refuses to send it over plain HTTP to
   * another machine.
   */
  readonly carriesSecretKey?: true;
  /** True if the operation accepts a bearer token. */
  readonly bearer?: true;
  /** Present if the response is text, which is returned as the field `member`. `headers` maps header names to further fields. */
  readonly text?: { readonly member: string; readonly headers: Readonly<Record<string, string>> };
  /**
   * Alternative media type of the response. The client requests it by setting the query parameter `name` to
   * `value`.
   */
  readonly alternative?: { readonly type: string; readonly name: string; readonly value: string };
}

export type OperationTable = Readonly<Record<string, OperationFacts>>;

export interface CallOptions {
  /** Ends the call, including waits and retries. The call rejects with the code `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Identifies the request, so repeating the call cannot repeat its effect. Default: a new key for each call
   * that accepts one, reused on every retry.
   */
  readonly idempotencyKey?: string | undefined;
  /** Secret of the managed resource, e.g. of a webhook registration; sent as a bearer token. */
  readonly bearer?: string | undefined;
  /** Time limit of one attempt in milliseconds. Default: the client's. */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of retries of a failed call, if a retry is safe. Default: the client's. */
  readonly retries?: number | undefined;
}

/** `Fields` with a value for at least one of `Names`. */
export type AtLeastOne<Fields, Names extends keyof Fields> = Fields &
  { [Name in Names]: { readonly [Given in Name]-?: NonNullable<Fields[Given]> } }[Names];
