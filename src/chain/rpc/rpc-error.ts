// Failures of one RPC node, classified by their consequences for the caller. Messages never contain a URL.

/** The Agave JSON-RPC error codes that we handle. */
export const rpcErrorCodes = {
  /** Preflight refused the transaction; `data.err` has the reason. */
  preflightFailure: -32002,
  /** The node reports that it is behind the cluster. */
  nodeUnhealthy: -32005,
  /** The node does not offer the method. */
  methodNotFound: -32601,
  /** The node has not reached `minContextSlot` yet. */
  minContextSlotNotReached: -32016,
} as const;

/** Codes of requests that are wrong for every node, so querying another one is pointless. */
const finalCodes = new Set<number>([
  rpcErrorCodes.preflightFailure,
  -32003,
  -32006,
  -32013,
  -32015,
  -32600,
  -32602,
]);

/** Codes of requests that this node does not support. Another node may. */
const lastingCodes = new Set<number>([rpcErrorCodes.methodNotFound, -32010, -32011]);

/** A JSON-RPC error response: the node understood the request and refused it. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data: unknown) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }

  /** True if another node, or the same one later, may serve the same request. */
  get worthAnotherNode(): boolean {
    return !finalCodes.has(this.code);
  }

  /**
   * True if repeating the request to the same node is pointless, for example for a method that it does not
   * have.
   */
  get lasting(): boolean {
    return lastingCodes.has(this.code);
  }
}

/** One-word reason for a node failure, shown in `/ready`. */
export type NodeFailureWord =
  | 'unreachable'
  | 'timeout'
  | 'reset'
  | 'rate-limited'
  | 'http-error'
  | 'garbage'
  | 'behind'
  /** The node's slot went far backwards, so the node may have restarted from genesis. */
  | 'restarted'
  | 'rpc-error'
  | 'other-cluster'
  | 'unverified';

/** Thrown if a node returned no usable response. */
export class NodeFailure extends Error {
  readonly word: NodeFailureWord;
  /** False only if it is certain that the request never reached the node. */
  readonly mayHaveArrived: boolean;
  /** Delay from a `Retry-After` header, in ms. */
  readonly retryAfterMs: number | undefined;

  constructor(
    word: NodeFailureWord,
    options: { mayHaveArrived: boolean; retryAfterMs?: number; cause?: unknown },
  ) {
    super(`RPC node failed: ${word}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'NodeFailure';
    this.word = word;
    this.mayHaveArrived = options.mayHaveArrived;
    this.retryAfterMs = options.retryAfterMs;
  }
}
