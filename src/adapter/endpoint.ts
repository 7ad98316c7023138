// Describes the endpoint in an answer's `_meta`: operation, REST path and related endpoints.
import type { OperationName } from '../kernel/guidance.ts';
import type { AnyOperation } from '../operations/operation.ts';

/** An operation's place on REST, as `_meta` names it. */
export interface Endpoint {
  readonly operation: AnyOperation;
  /** Path template, e.g. `/api/v1/wallet/balance/{walletAddress}`. */
  readonly path: string;
  /** Related operations by name, for `_meta.relatedEndpoints`. */
  readonly related?: Readonly<Record<string, OperationName>>;
  /** The answer is cached this long, and stale for as long again while it is refilled. Only where the operation takes no input. */
  readonly cacheTtlSeconds?: number;
}
