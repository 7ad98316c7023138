// Sends with preflight and distinguishes transactions that are accepted, possibly accepted, and rejected by
// every node.
import { AppError } from '../../kernel/app-error.ts';
import type { Submission } from '../ports.ts';
import { sendTransactionCall, simulateTransactionCall } from '../rpc/rpc-calls.ts';
import { NodeFailure, RpcError, rpcErrorCodes } from '../rpc/rpc-error.ts';
import type { RpcLane } from '../rpc/rpc-node.ts';
import type { RpcPool } from '../rpc/rpc-pool.ts';
import { VERSION_1 } from '../transactions/split-wire-transaction.ts';

/** A node's reason for refusing a transaction, from its preflight. */
interface Refusal {
  readonly error: unknown;
  readonly logs: readonly string[];
}

/** Result of sending a transaction with preflight. */
export type SendResult =
  /** A node accepted the transaction, or reports that it was already processed. */
  | { readonly kind: 'accepted' }
  /** No node accepted the transaction, and one gave a reason. */
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /**
   * No node knows the transaction's blockhash or nonce: the nodes lag behind, or the blockhash or nonce has
   * expired.
   */
  | { readonly kind: 'blockhash-not-found' }
  /** No node returned a usable response. */
  | { readonly kind: 'no-response' };

/**
 * Maximum wait for one node's preflight, in ms. A blockhash is valid for about 32 s, and the next node may be
 * faster.
 */
const MAX_PREFLIGHT_MS = 3_000;

/** Errors proving that the node sent nothing. After one of these, another node is tried. */
const nothingSent = new Set<number>([
  rpcErrorCodes.nodeUnhealthy,
  rpcErrorCodes.minContextSlotNotReached,
  rpcErrorCodes.methodNotFound,
]);

const errorWord = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'err' in error ? error.err : undefined;

const logsOf = (data: unknown): readonly string[] => {
  const logs = typeof data === 'object' && data !== null && 'logs' in data ? data.logs : undefined;
  return Array.isArray(logs) ? logs.filter((line): line is string => typeof line === 'string') : [];
};

/** Classifies a refusal. Some runtimes report `AlreadyProcessed` only as free text. */
export const classifyRefusal = (
  error: RpcError,
): 'already-processed' | 'blockhash-not-found' | 'other-node' | Refusal => {
  const word = errorWord(error.data);
  if (word === 'AlreadyProcessed' || /already been processed/i.test(error.message))
    return 'already-processed';
  if (word === 'BlockhashNotFound' || (word === undefined && /blockhash not found/i.test(error.message))) {
    return 'blockhash-not-found';
  }
  if (error.worthAnotherNode) return 'other-node';
  if (error.code === -32003) return { error: 'SignatureFailure', logs: [] };
  return { error: word ?? error.message, logs: logsOf(error.data) };
};

/** Runs preflight without sending. A refusal is certain, because a simulation sends nothing. */
const simulate = async (
  pool: RpcPool,
  node: number,
  wireBase64: string,
  {
    minContextSlot,
    ...options
  }: { signal: AbortSignal; timeoutMs: number; minContextSlot: bigint | undefined },
): Promise<void> => {
  const { value } = await pool.ask(
    node,
    simulateTransactionCall(wireBase64, { replaceRecentBlockhash: false, minContextSlot }),
    options,
  );
  if (value.err === null) return;
  const data = { err: value.err, logs: value.logs ?? [] };
  throw new RpcError(rpcErrorCodes.preflightFailure, 'Transaction simulation failed', data);
};

const laneOf = ({ relayed }: Submission): RpcLane => (relayed ? 'relay' : 'send');

/**
 * Sends the transaction to one node. Throws the node's error. A lost response counts as sent, unless it was
 * only a simulation.
 */
const sendTo = async (
  pool: RpcPool,
  node: number,
  submission: Submission,
  signal: AbortSignal,
): Promise<void> => {
  const wireBase64 = Buffer.from(submission.wireBytes).toString('base64');
  const timeoutMs = Math.min(pool.timeoutMs, MAX_PREFLIGHT_MS);
  const { minContextSlot } = submission;
  // Agave 4.1.2 executes version 1, but its preflight omits the version byte when it checks signatures and
  // therefore refuses every version 1 transaction (npm run test:cluster -- fees). A simulation replaces it; the
  // signatures have already been checked.
  const skipPreflight = submission.wireBytes[0] === VERSION_1;
  if (pool.sendsApart || skipPreflight)
    await simulate(pool, node, wireBase64, { signal, timeoutMs, minContextSlot });
  if (pool.sendsApart) return;
  const call = sendTransactionCall(wireBase64, { skipPreflight, minContextSlot });
  const response = await pool.ask(node, call, { signal, timeoutMs, lane: laneOf(submission) });
  if (response !== submission.signature) throw new NodeFailure('garbage', { mayHaveArrived: true });
};

/**
 * Sends the transaction with preflight to one node after another until one accepts it or two refuse. The
 * second opinion is needed because a lagging node refuses transactions that depend on newer state. Calls
 * `onMaybeSent` if a request or response was lost; from then on the transaction must not be reported as
 * refused.
 */
export const sendWithPreflight = async (
  pool: RpcPool,
  submission: Submission,
  onMaybeSent: () => void,
  signal: AbortSignal,
): Promise<SendResult> => {
  const refusals: Refusal[] = [];
  let blockhashNotFound = false;
  for (const node of pool.readNodes()) {
    try {
      await sendTo(pool, node, submission, signal);
      return { kind: 'accepted' };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof NodeFailure) {
        if (error.mayHaveArrived && !pool.sendsApart) onMaybeSent();
        continue;
      }
      if (!(error instanceof RpcError)) throw error;
      const meaning = classifyRefusal(error);
      if (meaning === 'already-processed') return { kind: 'accepted' };
      if (meaning === 'blockhash-not-found') blockhashNotFound = true;
      else if (typeof meaning === 'object') refusals.push(meaning);
      else if (!nothingSent.has(error.code) && !pool.sendsApart) onMaybeSent();
    }
    if (refusals.length === 2) break;
  }
  if (refusals[0] !== undefined) return { kind: 'refused', refusal: refusals[0] };
  return { kind: blockhashNotFound ? 'blockhash-not-found' : 'no-response' };
};

/**
 * Sends the transaction to every sending node without preflight. Returns true if any of them responded at
 * all.
 */
export const broadcast = async (
  pool: RpcPool,
  submission: Submission,
  signal: AbortSignal,
): Promise<boolean> => {
  const call = sendTransactionCall(Buffer.from(submission.wireBytes).toString('base64'), {
    skipPreflight: true,
  });
  const responses = await Promise.allSettled(
    pool.sendNodes().map((node) => pool.ask(node, call, { signal, lane: laneOf(submission) })),
  );
  signal.throwIfAborted();
  return responses.some((a) => a.status === 'fulfilled' || a.reason instanceof RpcError);
};

/** Creates the error that `submit` throws if it is certain that nothing was sent. */
export const notSentError = (): AppError =>
  new AppError('UPSTREAM_UNAVAILABLE', 'No Solana RPC could be reached; the transaction was not sent.', {
    reason: 'NOT_SENT',
    suggestedAction: 'Try again in a few seconds.',
    retryAfterSeconds: 2,
  });
