// Binds an operation to HTTP: method, path, cache and browser access. Tables of routes form the whole REST interface.
import type { Endpoint } from '../../adapter/endpoint.ts';
import type { PageOf } from '../../adapter/exchange.ts';

/** One row of the REST interface. Parameters of its path name members of the input. */
export interface Route extends Endpoint {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path in the OpenAPI document, if another route has the same path with other parameter names: OpenAPI does not distinguish such paths. Default: `path`. */
  readonly documentedPath?: string;
  /** `public`: CORS `*` without credentials. `own-page`: only our own page's origin. */
  readonly browsers: 'public' | 'own-page';
  /** OpenAPI tag. */
  readonly tag:
    | 'Wallet'
    | 'Stake'
    | 'Transactions'
    | 'Cluster'
    | 'Validator'
    | 'Verification'
    | 'Webhooks'
    | 'Autopilot'
    | 'Sandbox'
    | 'Service'
    /** Served only on the operator's own listener, and only with the operator's token. */
    | 'Operator';
  /** The body holds a wallet's secret key: HTTPS (or loopback where allowed) is required before the body is read, and the key's bytes are wiped before JSON parsing. */
  readonly carriesSecretKey?: boolean;
  /** Not counted by the rate limit (health and ready only). */
  readonly unlimited?: boolean;
  /** Members of the input that come from the query string; all others outside the path come from the body. Default: all for GET and DELETE, none for POST. */
  readonly query?: readonly string[];
  /** Member that receives the token of an `Authorization: Bearer` header, e.g. `secret`; it has no other source. */
  readonly bearer?: string;
  /** If a client accepts `type` but not JSON, the input's member `name` becomes `value`, unless the query sets it. */
  readonly alternative?: { readonly type: string; readonly name: string; readonly value: string };
  /** Sends answers and failures as a page to browsers. Default: JSON. */
  readonly page?: PageOf;
  /** Sends this text member of the output instead of JSON, with other members as headers (name → member). Failures stay JSON. */
  readonly plainText?: { readonly member: string; readonly headers: Readonly<Record<string, string>> };
}
