// Runs one submission from the preflight send to its outcome: resends the same bytes until the chain has decided. Never signs.
import type { Clock } from '../../kernel/clock.ts';
import type { SignatureStatus, Submission, SubmissionOutcome } from '../ports.ts';
import { blockHeightCall, signatureStatusesCall } from '../rpc/rpc-calls.ts';
import type { RpcPool } from '../rpc/rpc-pool.ts';
import { checkExpiry } from './blockhash-expiry.ts';
import { type ConfirmationPoller, outcomeOf } from './confirmation-poller.ts';
import { broadcast, nothingWasSent, offerOnce } from './preflight-send.ts';

/** Between two broadcasts of the same bytes, ms. */
const REBROADCAST_MS = 2_000;
/** Between two offers while no node knows the blockhash or none is reached, ms. */
const OFFER_AGAIN_MS = 400;
/** What is only relayed is sent at pauses that double up to this, ms: about five times in the life of a blockhash. */
const LONGEST_RELAY_PAUSE_MS = 30_000;
/**
 * A blockhash that nodes do not know is looked for over this many blocks before it is believed not to exist: a node that lags
 * further behind is put aside by the pool anyway.
 */
const LAG_BLOCKS = 16n;
/** And at least this often, where blocks are quick. */
const LAG_OFFERS = 4;

/** What a submission runs with. */
interface SubmissionDeps {
  readonly pool: RpcPool;
  readonly poller: ConfirmationPoller;
  readonly clock: Clock;
}

/** Where any node has seen it, history included; null when unseen. Throws when no node answers. */
const statusOf = async (
  pool: RpcPool,
  { signature }: Pick<Submission, 'signature'>,
  signal: AbortSignal,
): Promise<SignatureStatus | null> => {
  const { statuses } = await pool.call(signatureStatusesCall([signature], true), { signal });
  return statuses[0] ?? null;
};

const nextPause = (pauseMs: number, { relayed }: Submission): number =>
  relayed ? Math.min(2 * pauseMs, LONGEST_RELAY_PAUSE_MS) : pauseMs;

/** Sends what a node has accepted about every two seconds, relayed bytes ever more rarely, without preflight, until `signal` aborts. */
const sendAgainAndAgain = async (
  { pool, poller, clock }: SubmissionDeps,
  submission: Submission,
  signal: AbortSignal,
): Promise<never> => {
  if (pool.sendsApart) await broadcast(pool, submission, signal);
  for (let pauseMs = REBROADCAST_MS; ; pauseMs = nextPause(pauseMs, submission)) {
    await clock.sleep(pauseMs, signal);
    if (await broadcast(pool, submission, signal)) poller.noteAnswer();
  }
};

/**
 * Offers the bytes with preflight until a node takes them, then goes on sending. Resolves with an ending only while certainly no
 * node has them; after a lost reply the chain alone decides, and they are offered on: what is refused at an epoch boundary is taken
 * after it. `wait` says that they have landed. What preflight refuses is never forced: that would land a failure and cost its fee.
 */
const sendUntilTaken = async (
  deps: SubmissionDeps,
  submission: Submission,
  signal: AbortSignal,
): Promise<SubmissionOutcome | 'wait'> => {
  const { pool, poller, clock } = deps;
  const startedAtMs = clock.steadyNow();
  let maybeSent = submission.maybeSentBefore === true;
  let firstHeight: bigint | undefined;
  let offers = 0;
  const noteMaybeSent = () => {
    maybeSent = true;
  };
  for (let pauseMs = OFFER_AGAIN_MS; ; pauseMs = nextPause(pauseMs, submission)) {
    offers += 1;
    const offered = await offerOnce(pool, submission, noteMaybeSent, signal);
    if (offered.kind !== 'nobody') poller.noteAnswer();
    if (offered.kind === 'taken') return sendAgainAndAgain(deps, submission, signal);
    if (maybeSent) {
      if (offered.kind === 'refused') pauseMs = Math.max(pauseMs, REBROADCAST_MS);
    } else if (offered.kind === 'nobody') {
      if (clock.steadyNow() - startedAtMs >= pool.timeoutMs) throw nothingWasSent();
    } else {
      if ((await statusOf(pool, submission, signal)) !== null) return 'wait';
      if (offered.kind === 'refused') return { kind: 'refused', ...offered.refusal };
      const height = await pool.call(blockHeightCall('confirmed'), { signal });
      firstHeight ??= height;
      const tooLate = submission.nonce === undefined && height > submission.lastValidBlockHeight;
      if (tooLate || (offers >= LAG_OFFERS && height >= firstHeight + LAG_BLOCKS))
        return { kind: 'refused', error: 'BlockhashNotFound', logs: [] };
    }
    await clock.sleep(pauseMs, signal);
  }
};

/** Runs a submission to its end. Throws `AppError('UPSTREAM_UNAVAILABLE')` only when certainly nothing was sent. */
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
    const sending = sendUntilTaken(deps, submission, ended.signal);
    return await Promise.race([watching, sending.then((sent) => (sent === 'wait' ? watching : sent))]);
  } finally {
    signal.removeEventListener('abort', stop);
    ended.abort(new Error('submission ended'));
  }
};

/** Asks the chain how it ended, without sending: null while it can still land, `unresolved` when no RPC answers. */
export const settleSubmission = async (
  pool: RpcPool,
  submission: Pick<Submission, 'signature' | 'lastValidBlockHeight' | 'nonce'>,
  signal: AbortSignal,
): Promise<SubmissionOutcome | null> => {
  try {
    const seen = await statusOf(pool, submission, signal);
    if (seen !== null) return outcomeOf(seen);
    const verdict = (await checkExpiry(pool, [submission], signal)).get(submission.signature);
    if (verdict === undefined) return null;
    return verdict === 'never-landed' ? { kind: 'expired' } : outcomeOf(verdict);
  } catch {
    signal.throwIfAborted();
    return { kind: 'unresolved' };
  }
};
