// Binds an operation to HTTP: method, path, cache and browser access. Tables of routes form the whole REST interface.
import type { Endpoint } from '../../adapter/describe-endpoint.ts';
import type { PageOf } from '../../adapter/exchange.ts';

/** One row of the REST interface. Parameters of its path name fields of the input. */
export interface Route extends Endpoint {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /**
   * Path in the OpenAPI document, if another route has the same path with other parameter names. OpenAPI does
   * not distinguish such paths. Default: `path`.
   */
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
  /**
   * True if the body holds a wallet's secret key. HTTPS (or loopback where allowed) is required before the
   * body is read, and the key's bytes are wiped before JSON parsing.
   */
  readonly carriesSecretKey?: boolean;
  /** True if requests do not count toward the rate limit (health and ready only). */
  readonly unlimited?: boolean;
  /**
   * Input fields that come from the query string; all others outside the path come from the body. Default:
   * all for GET and DELETE, none for POST.
   */
  readonly query?: readonly string[];
  /**
   * Field that receives the token of an `Authorization: Bearer` header, e.g. `secret`. It has no other
   * source.
   */
  readonly bearer?: string;
  /**
   * If a client accepts `type` but not JSON, the input field `name` becomes `value`, unless the query sets
   * it.
   */
  readonly alternative?: { readonly type: string; readonly name: string; readonly value: string };
  /** True to send responses and errors as a page to browsers. Default: JSON. */
  readonly page?: PageOf;
  /**
   * Sends this text field of the output instead of JSON, with other fields as headers (name → field). Errors
   * remain JSON.
   */
  readonly plainText?: { readonly member: string; readonly headers: Readonly<Record<string, string>> };
}
