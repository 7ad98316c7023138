// How an operation is bound to HTTP: method, path, cache and who may call it from a browser. Tables of these are the whole REST interface.
import type { AnyOperation } from '../operations/operation.ts';

/** One line of the REST interface. */
export interface Route {
  readonly operation: AnyOperation;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path with parameters in braces as OpenAPI writes them, e.g. `/api/v1/wallet/balance/{walletAddress}`. Parameters name members of the input. */
  readonly path: string;
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
    | 'Sandbox'
    | 'Service';
  /** The body holds a wallet's secret key: HTTPS (or loopback where allowed) is demanded before the body is read, and the key's bytes are wiped before JSON parsing. */
  readonly carriesSecretKey?: boolean;
  /** Not counted by the rate limit (health and ready only). */
  readonly unlimited?: boolean;
  /** Related endpoints shown in `_meta.relatedEndpoints`. */
  readonly related?: Readonly<Record<string, string>>;
  /** Members of the input that come from the query string; all others not in the path come from the body. Default: all for GET and DELETE, none for POST. */
  readonly query?: readonly string[];
  /** The answer is kept this long, and stale for as long again while it is refilled. Only for GET routes without input. */
  readonly cacheTtlSeconds?: number;
  /** A client that accepts `type` and no JSON means the input's member `name` to be `value`, unless the query says otherwise. */
  readonly alternative?: { readonly type: string; readonly name: string; readonly value: string };
  /** A success is this text member of the output instead of JSON, with other members as headers (name → member). Failures stay JSON. */
  readonly plainText?: { readonly member: string; readonly headers: Readonly<Record<string, string>> };
}
