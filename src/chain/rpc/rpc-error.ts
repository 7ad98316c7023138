// Failures of one RPC node, classified by what a caller may conclude from them. Their texts never contain a URL.

/** The error codes of Agave's JSON-RPC that change what we do. */
export const rpcErrorCodes = {
  /** Preflight refused the transaction; `data.err` says why. */
  preflightFailure: -32002,
  /** The node is behind the cluster by its own judgement. */
  nodeUnhealthy: -32005,
  /** The node does not offer the method. */
  methodNotFound: -32601,
  /** The node has not reached `minContextSlot` yet. */
  minContextSlotNotReached: -32016,
} as const;

/** Codes that mean "the request is wrong for every node": asking another one is pointless. */
const finalCodes = new Set<number>([
  rpcErrorCodes.preflightFailure,
  -32003,
  -32006,
  -32013,
  -32015,
  -32600,
  -32602,
]);

/** Codes by which a node says what it is not made for: it will say so again, another one may be. */
const lastingCodes = new Set<number>([rpcErrorCodes.methodNotFound, -32010, -32011]);

/** A JSON-RPC error answer: the node understood, and said no. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data: unknown) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }

  /** True when another node, or the same one later, may answer the same request. */
  get worthAnotherNode(): boolean {
    return !finalCodes.has(this.code);
  }

  /** True when asking the same node again is pointless, for instance for a method that it does not have. */
  get lasting(): boolean {
    return lastingCodes.has(this.code);
  }
}

/** Why a node did not answer usefully, in one word; these words appear in `/ready`. */
export type NodeFailureWord =
  | 'unreachable'
  | 'timeout'
  | 'reset'
  | 'rate-limited'
  | 'http-error'
  | 'garbage'
  | 'behind'
  /** Its slots fell far back: it may have begun anew from genesis. */
  | 'restarted'
  | 'rpc-error'
  | 'other-cluster'
  | 'unverified';

/** A node that gave no usable answer. */
export class NodeFailure extends Error {
  readonly word: NodeFailureWord;
  /** False only when the request certainly never reached the node. */
  readonly mayHaveArrived: boolean;
  /** What a `Retry-After` header asked for, ms. */
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
