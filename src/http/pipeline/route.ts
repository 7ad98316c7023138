// How an operation is bound to HTTP: method, path, cache and who may call it from a browser. Tables of these are the whole REST interface.
import type { Endpoint } from '../../adapter/endpoint.ts';
import type { PageOf } from '../../adapter/exchange.ts';

/** One line of the REST interface. Parameters of its path name members of the input. */
export interface Route extends Endpoint {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** How the OpenAPI document writes the path, where another route has the same path under other parameter names: a document tells paths apart by their form only. Default: `path`. */
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
    /** Served on the operator's own listener alone, to whoever has the operator's token. */
    | 'Operator';
  /** The body holds a wallet's secret key: HTTPS (or loopback where allowed) is demanded before the body is read, and the key's bytes are wiped before JSON parsing. */
  readonly carriesSecretKey?: boolean;
  /** Not counted by the rate limit (health and ready only). */
  readonly unlimited?: boolean;
  /** Members of the input that come from the query string; all others not in the path come from the body. Default: all for GET and DELETE, none for POST. */
  readonly query?: readonly string[];
  /** Member of the input that the token of an `Authorization: Bearer` header becomes, e.g. `secret`; nothing else fills it. */
  readonly bearer?: string;
  /** A client that accepts `type` and no JSON means the input's member `name` to be `value`, unless the query says otherwise. */
  readonly alternative?: { readonly type: string; readonly name: string; readonly value: string };
  /** Answers and failures as a page, for browsers that open the address. Default: JSON. */
  readonly page?: PageOf;
  /** A success is this text member of the output instead of JSON, with other members as headers (name → member). Failures stay JSON. */
  readonly plainText?: { readonly member: string; readonly headers: Readonly<Record<string, string>> };
}
