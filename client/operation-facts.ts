// The client's facts about an operation in addition to its types: path, place of its members, and whether it is safe to repeat.

/** How one operation is called; the generated tables hold one of these each. */
export interface OperationFacts {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path with parameters in braces; they name members of the input. */
  readonly path: string;
  /** `read` changes nothing, `build` changes nothing on the chain, `act` does. */
  readonly effect: 'read' | 'build' | 'act';
  /** Members that go into the query string. */
  readonly query: readonly string[];
  /** Members that go into the JSON body. */
  readonly body: readonly string[];
  /** `made`: the client makes a key where the caller gives none. `own`: the request is its own key; one is sent only where given. */
  readonly idempotency?: 'made' | 'own';
  /** A wallet's secret key goes into the body: refused over plain HTTP to other machines before anything is sent. */
  readonly carriesSecretKey?: true;
  /** Takes a bearer token. */
  readonly bearer?: true;
  /** The answer is text: it becomes this member, and headers (name → member) the others. */
  readonly text?: { readonly member: string; readonly headers: Readonly<Record<string, string>> };
  /** The answer exists in another form: this media type for this member of the query. */
  readonly alternative?: { readonly type: string; readonly name: string; readonly value: string };
}

/** Operations by name. */
export type OperationTable = Readonly<Record<string, OperationFacts>>;

/** Options of a single call in addition to its input. */
export interface CallOptions {
  /** Ends the call, its waiting and its retries included; the rejection has the code `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
  /** Names the intent, so that repeating it cannot repeat its effect. Default: a new one for each call that can take one, the same on every retry. */
  readonly idempotencyKey?: string | undefined;
  /** Secret of what is managed, e.g. of a webhook registration; sent as a bearer token. */
  readonly bearer?: string | undefined;
  /** For one attempt, milliseconds. Default: the client's. */
  readonly timeoutMs?: number | undefined;
  /** How often a failed attempt may be repeated where that is safe. Default: the client's. */
  readonly retries?: number | undefined;
}
