// Runs one submission from preflight to outcome. Resends the same transaction until the chain has decided.
// Never signs.
import type { Clock } from '../../kernel/clock.ts';
import type { SignatureStatus, Submission, SubmissionOutcome } from '../ports.ts';
import { blockHeightCall, signatureStatusesCall } from '../rpc/rpc-calls.ts';
import type { RpcPool } from '../rpc/rpc-pool.ts';
import { type ConfirmationPoller, outcomeOf } from './confirmation-poller.ts';
import { broadcast, notSentError, sendWithPreflight } from './preflight-send.ts';
import { checkExpiry } from './prove-never-landed.ts';

/** Interval between broadcasts of the same transaction, in ms. */
const REBROADCAST_MS = 2_000;
/** Interval between attempts while no node knows the blockhash or can be reached, in ms. */
const RETRY_MS = 400;
/**
 * Maximum interval between sends of a relayed transaction, in ms. Intervals double up to this value: about
 * five sends in the lifetime of a blockhash.
 */
const MAX_RELAY_PAUSE_MS = 30_000;
/**
 * Number of blocks for which a transaction with an unknown blockhash is sent again before the blockhash
 * counts as nonexistent. A node that lags further behind also refuses a blockhash that exists; nothing was sent
 * then, and the request can be repeated.
 */
const LAG_BLOCKS = 16n;
/** Minimum number of attempts on chains with short block times. */
const LAG_ATTEMPTS = 4;

interface SubmissionDeps {
  readonly pool: RpcPool;
  readonly poller: ConfirmationPoller;
  readonly clock: Clock;
}

/**
 * Returns the status from any node, including its history; null if the transaction has not been seen. Throws
 * if no node responds.
 */
const statusOf = async (
  pool: RpcPool,
  { signature }: Pick<Submission, 'signature'>,
  signal: AbortSignal,
): Promise<SignatureStatus | null> => {
  const { statuses } = await pool.call(signatureStatusesCall([signature], true), { signal });
  return statuses[0] ?? null;
};

const nextPause = (pauseMs: number, { relayed }: Submission): number =>
  relayed ? Math.min(2 * pauseMs, MAX_RELAY_PAUSE_MS) : pauseMs;

/**
 * Rebroadcasts an accepted transaction without preflight until `signal` is aborted: our own about every two
 * seconds, relayed ones at growing intervals.
 */
const keepSending = async (
  { pool, poller, clock }: SubmissionDeps,
  submission: Submission,
  signal: AbortSignal,
): Promise<never> => {
  if (pool.sendsApart) await broadcast(pool, submission, signal);
  for (let pauseMs = REBROADCAST_MS; ; pauseMs = nextPause(pauseMs, submission)) {
    await clock.sleep(pauseMs, signal);
    if (await broadcast(pool, submission, signal)) poller.noteResponse();
  }
};

/**
 * Sends the transaction with preflight until a node accepts it, then keeps sending it without. Returns an
 * outcome only while it is certain that no node has the transaction. After a lost response, only the chain
 * can show the outcome, and the transaction is still sent with preflight, because a refusal at an epoch
 * boundary may no longer apply after it. Returns `wait` if the transaction has landed. Refused transactions
 * are never forced, since they would land as failed and cost the fee.
 */
const sendUntilAccepted = async (
  deps: SubmissionDeps,
  submission: Submission,
  signal: AbortSignal,
): Promise<SubmissionOutcome | 'wait'> => {
  const { pool, poller, clock } = deps;
  const startedAtMs = clock.steadyNow();
  let maybeSent = submission.maybeSentBefore === true;
  let firstHeight: bigint | undefined;
  let attempts = 0;
  const noteMaybeSent = () => {
    maybeSent = true;
  };
  for (let pauseMs = RETRY_MS; ; pauseMs = nextPause(pauseMs, submission)) {
    attempts += 1;
    const sent = await sendWithPreflight(pool, submission, noteMaybeSent, signal);
    if (sent.kind !== 'no-response') poller.noteResponse();
    if (sent.kind === 'accepted') return keepSending(deps, submission, signal);
    if (maybeSent) {
      if (sent.kind === 'refused') pauseMs = Math.max(pauseMs, REBROADCAST_MS);
    } else if (sent.kind === 'no-response') {
      if (clock.steadyNow() - startedAtMs >= pool.timeoutMs) throw notSentError();
    } else {
      if ((await statusOf(pool, submission, signal)) !== null) return 'wait';
      if (sent.kind === 'refused') return { kind: 'refused', ...sent.refusal };
      const height = await pool.call(blockHeightCall('confirmed'), { signal });
      firstHeight ??= height;
      const tooLate = submission.nonce === undefined && height > submission.lastValidBlockHeight;
      if (tooLate || (attempts >= LAG_ATTEMPTS && height >= firstHeight + LAG_BLOCKS))
        return { kind: 'refused', error: 'BlockhashNotFound', logs: [] };
    }
    await clock.sleep(pauseMs, signal);
  }
};

/**
 * Runs a submission to completion. Throws `AppError('UPSTREAM_UNAVAILABLE')` only if it is certain that
 * nothing was sent.
 */
export const runSubmission = async (
  deps: SubmissionDeps,
  submission: Submission,
  signal: AbortSignal,
): Promise<SubmissionOutcome> => {
  if (submission.maybeSentBefore) {
    const seen = await statusOf(deps.pool, submission, signal).catch(() => null);
    const outcome = seen && outcomeOf(seen);
    if (outcome) return outcome;
  }
  signal.throwIfAborted();
  const ended = new AbortController();
  const stop = () => ended.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const watching = deps.poller.watch(submission, ended.signal);
    const sending = sendUntilAccepted(deps, submission, ended.signal);
    return await Promise.race([watching, sending.then((sent) => (sent === 'wait' ? watching : sent))]);
  } finally {
    signal.removeEventListener('abort', stop);
    ended.abort(new Error('submission ended'));
  }
};

/**
 * Reads the outcome from the chain without sending anything: null while the transaction can still land,
 * `unresolved` if no RPC responds.
 */
export const settleSubmission = async (
  pool: RpcPool,
  submission: Pick<Submission, 'signature' | 'lastValidBlockHeight' | 'nonce'>,
  signal: AbortSignal,
): Promise<SubmissionOutcome | null> => {
  try {
    const seen = await statusOf(pool, submission, signal);
    if (seen !== null) return outcomeOf(seen);
    const result = (await checkExpiry(pool, [submission], signal)).get(submission.signature);
    if (result === undefined) return null;
    return result === 'never-landed' ? { kind: 'expired' } : outcomeOf(result);
  } catch {
    signal.throwIfAborted();
    return { kind: 'unresolved' };
  }
};
