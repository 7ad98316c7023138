// Binds an operation to HTTP: method, path, cache and browser access. Tables of routes form the whole REST
// interface.
import type { Endpoint } from '../../adapter/describe-endpoint.ts';
import type { PageOf } from '../../adapter/exchange.ts';

/** One row of the REST interface. The parameters in its path are names of input fields. */
export interface Route extends Endpoint {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /**
   * Path in the OpenAPI document, for a route whose path differs from another route's only in its parameter
   * names, which OpenAPI cannot distinguish. Default: `path`.
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
    /** Served only on the operator's own listener and only with the operator's token. */
    | 'Operator';
  /**
   * True if the body contains a wallet's secret key. HTTPS (or loopback where allowed) is required before the
   * body is read, and the key's bytes are wiped before the JSON is parsed.
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
   * Field that receives the token of an `Authorization: Bearer` header, e.g. `secret`. It cannot be sent in
   * any other way.
   */
  readonly bearer?: string;
  /**
   * Sets the input field `name` to `value` if a client accepts `type` but not JSON, unless the query contains
   * the field.
   */
  readonly alternative?: { readonly type: string; readonly name: string; readonly value: string };
  /** Renders responses and errors as pages for browsers. Default: JSON. */
  readonly page?: PageOf;
  /**
   * Sends this text field of the output instead of JSON, and other fields as headers (header name → field).
   * Errors remain JSON.
   */
  readonly plainText?: { readonly member: string; readonly headers: Readonly<Record<string, string>> };
}
