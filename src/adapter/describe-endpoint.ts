// Describes the endpoint in a response's `_meta`: operation, REST path and related endpoints.
import type { OperationName } from '../kernel/guidance.ts';
import type { AnyOperation } from '../operations/operation.ts';

/** The REST endpoint of an operation, as described in `_meta`. */
export interface Endpoint {
  readonly operation: AnyOperation;
  /** Path template, e.g. `/api/v1/wallet/balance/{walletAddress}`. */
  readonly path: string;
  /** Related operations by name, for `_meta.relatedEndpoints`. */
  readonly related?: Readonly<Record<string, OperationName>>;
  /**
   * Cache lifetime of the response, in seconds. During a refill, the stale response may be served for up to
   * one more lifetime. Only for operations without input.
   */
  readonly cacheTtlSeconds?: number;
}
