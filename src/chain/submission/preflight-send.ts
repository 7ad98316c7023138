// Sends with preflight and distinguishes accepted, possibly accepted and rejected by every node.
import { AppError } from '../../kernel/app-error.ts';
import type { Submission } from '../ports.ts';
import { sendTransactionCall, simulateTransactionCall } from '../rpc/rpc-calls.ts';
import { NodeFailure, RpcError, rpcErrorCodes } from '../rpc/rpc-error.ts';
import type { RpcLane } from '../rpc/rpc-node.ts';
import type { RpcPool } from '../rpc/rpc-pool.ts';

/** Why a node refused, as its preflight words it. */
interface Refusal {
  readonly error: unknown;
  readonly logs: readonly string[];
}

/** What one pass over the nodes led to. */
export type Offer =
  /** A node has it, or says that it was processed before. */
  | { readonly kind: 'taken' }
  /** No node took it and one says why. */
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** No node knows its blockhash (or nonce): they lag, or it expired. */
  | { readonly kind: 'blockhash-not-found' }
  /** No node was reached. */
  | { readonly kind: 'nobody' };

/** Longest wait for one node's preflight, ms: a blockhash lives about 32 s, and the next node may do better. */
const LONGEST_OFFER_MS = 3_000;

/** JSON-RPC errors after which the node certainly sent nothing. */
const nothingSent = new Set<number>([
  rpcErrorCodes.preflightFailure,
  rpcErrorCodes.nodeUnhealthy,
  rpcErrorCodes.minContextSlotNotReached,
  -32003,
  -32006,
  -32013,
  -32015,
  -32600,
  -32601,
  -32602,
]);

const errorWord = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'err' in error ? error.err : undefined;

const logsOf = (data: unknown): readonly string[] => {
  const logs = typeof data === 'object' && data !== null && 'logs' in data ? data.logs : undefined;
  return Array.isArray(logs) ? logs.filter((line): line is string => typeof line === 'string') : [];
};

/** What a refusal means. Some runtimes tell `AlreadyProcessed` in free text only. */
export const meaningOf = (
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

/** Where preflight and sending are two nodes: a simulation sends nothing, so its refusal is certain by itself. */
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

/** Throws what the node answers; a lost reply counts as sent unless it was only a simulation. */
const offerTo = async (
  pool: RpcPool,
  node: number,
  submission: Submission,
  signal: AbortSignal,
): Promise<void> => {
  const wireBase64 = Buffer.from(submission.wireBytes).toString('base64');
  const timeoutMs = Math.min(pool.timeoutMs, LONGEST_OFFER_MS);
  const { minContextSlot } = submission;
  if (pool.sendsApart) return simulate(pool, node, wireBase64, { signal, timeoutMs, minContextSlot });
  const call = sendTransactionCall(wireBase64, { skipPreflight: false, minContextSlot });
  const answer = await pool.ask(node, call, { signal, timeoutMs, lane: laneOf(submission) });
  if (answer !== submission.signature) throw new NodeFailure('garbage', { mayHaveArrived: true });
};

/**
 * Offers the bytes to one node after the other until one takes them or two refuse: a second opinion, because a node that lags
 * refuses what rests on newer state. `onMaybeSent` is called when a request was lost on its way to a node or back: from then on
 * nothing may be called refused.
 */
export const offerOnce = async (
  pool: RpcPool,
  submission: Submission,
  onMaybeSent: () => void,
  signal: AbortSignal,
): Promise<Offer> => {
  const refusals: Refusal[] = [];
  let blockhashNotFound = false;
  for (const node of pool.readNodes()) {
    try {
      await offerTo(pool, node, submission, signal);
      return { kind: 'taken' };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof NodeFailure) {
        if (error.mayHaveArrived && !pool.sendsApart) onMaybeSent();
        continue;
      }
      if (!(error instanceof RpcError)) throw error;
      const meaning = meaningOf(error);
      if (meaning === 'already-processed') return { kind: 'taken' };
      if (meaning === 'blockhash-not-found') blockhashNotFound = true;
      else if (typeof meaning === 'object') refusals.push(meaning);
      else if (!nothingSent.has(error.code) && !pool.sendsApart) onMaybeSent();
    }
    if (refusals.length === 2) break;
  }
  if (refusals[0] !== undefined) return { kind: 'refused', refusal: refusals[0] };
  return { kind: blockhashNotFound ? 'blockhash-not-found' : 'nobody' };
};

/** Sends the bytes to every sending node without preflight. True when any of them answered, whatever it said. */
export const broadcast = async (
  pool: RpcPool,
  submission: Submission,
  signal: AbortSignal,
): Promise<boolean> => {
  const call = sendTransactionCall(Buffer.from(submission.wireBytes).toString('base64'), {
    skipPreflight: true,
  });
  const answers = await Promise.allSettled(
    pool.sendNodes().map((node) => pool.ask(node, call, { signal, lane: laneOf(submission) })),
  );
  signal.throwIfAborted();
  return answers.some((a) => a.status === 'fulfilled' || a.reason instanceof RpcError);
};

/** What `submit` fails with when certainly nothing was sent. */
export const nothingWasSent = (): AppError =>
  new AppError('UPSTREAM_UNAVAILABLE', 'No Solana RPC could be reached; the transaction was not sent.', {
    suggestedAction: 'Try again in a few seconds.',
    retryAfterSeconds: 2,
  });
