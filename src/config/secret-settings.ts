// Wraps secret settings so that inspection, JSON, string building and copying cannot reveal them.
import { inspect } from 'node:util';
import type { SecretBytes } from '../kernel/secret-bytes.ts';

const HIDDEN = '(secret)';

/** Holds a value that only `reveal` gives back. Logging, serialising, spreading or interpolating it shows `(secret)` or nothing. */
export class Secret<T> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
    Object.freeze(this);
  }

  /** The value itself. Call it where it is used, and keep the result no longer than that. */
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

/** One RPC node: both URLs may hold an API key in user, path or query. */
export interface RpcEndpoint {
  readonly httpUrl: string;
  readonly wsUrl: string;
}

/** The secret settings, separate from `Config` so that `Config` can be printed. */
export interface Secrets {
  /** RPC nodes of a real cluster, best first; absent in sandbox mode, where the sandbox says where it is. */
  readonly rpcEndpoints: Secret<readonly RpcEndpoint[]> | undefined;
  /** One more node for sending only. */
  readonly sendRpcUrl: Secret<string> | undefined;
  /** The PostgreSQL store; absent: the embedded one. */
  readonly databaseUrl: Secret<string> | undefined;
  /** Where replicas share their limits; absent: each process counts alone. */
  readonly redisUrl: Secret<string> | undefined;
  /** Statistics providers; absent: the public ones on mainnet-beta, the sandbox's in the sandbox, else none. */
  readonly stakewizUrl: Secret<string> | undefined;
  readonly jitoUrl: Secret<string> | undefined;
  /** Where alerts for the operator go. */
  readonly operatorWebhookUrl: Secret<string> | undefined;
  readonly operatorNotifyUrl: Secret<string> | undefined;
  /** `HOLDFAST_SERVER_SECRET` where given; else the file in the data folder decides (`loadServerSecret`). */
  readonly serverSecret: SecretBytes | undefined;
}
