// Wraps secret settings so that inspection, JSON, string conversion and copying cannot reveal them.
import { inspect } from 'node:util';
import type { SecretBytes } from '../kernel/secret-bytes.ts';

const HIDDEN = '(secret)';

/**
 * Holds a value that only `reveal` returns. Logging, serialization, spreading and interpolation produce
 * `(secret)` or nothing.
 */
export class Secret<T> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
    Object.freeze(this);
  }

  /** Returns the value. Call this where the value is used, and do not keep the result. */
  reveal(): T {
    return this.#value;
  }

  toString(): string {
    return HIDDEN;
  }

  toJSON(): string {
    return HIDDEN;
  }

  [Symbol.toPrimitive](): string {
    return HIDDEN;
  }

  [inspect.custom](): string {
    return HIDDEN;
  }
}

/** An RPC node. Both URLs may contain an API key as user name, in the path or in the query. */
export interface RpcEndpoint {
  readonly httpUrl: string;
  readonly wsUrl: string;
}

/** The secret settings, separate from `Config` so that `Config` can be printed. */
export interface Secrets {
  /** RPC nodes of a real cluster, best first. Absent in sandbox mode. */
  readonly rpcEndpoints: Secret<readonly RpcEndpoint[]> | undefined;
  /** An additional node, used only for sending. */
  readonly sendRpcUrl: Secret<string> | undefined;
  /** PostgreSQL URL; if absent, the embedded store is used. */
  readonly databaseUrl: Secret<string> | undefined;
  /** Redis URL for limits shared by replicas; if absent, each process counts on its own. */
  readonly redisUrl: Secret<string> | undefined;
  /**
   * Statistics providers. Defaults: the public providers on mainnet-beta, the sandbox's own in the sandbox,
   * none elsewhere.
   */
  readonly stakewizUrl: Secret<string> | undefined;
  readonly jitoUrl: Secret<string> | undefined;
  /** Destinations of operator alerts. */
  readonly operatorWebhookUrl: Secret<string> | undefined;
  readonly operatorNotifyUrl: Secret<string> | undefined;
  /**
   * `HOLDFAST_SERVER_SECRET` if set; otherwise the secret comes from the file in the data folder
   * (`loadServerSecret`).
   */
  readonly serverSecret: SecretBytes | undefined;
}
