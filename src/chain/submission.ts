// One submission from the first offer to its end: the same bytes again and again until the chain says how it ended. Never signs.
import type { Clock } from '../kernel/clock.ts';
import { judgeExpiry } from './confirmation-expiry.ts';
import { type ConfirmationPoller, outcomeOf } from './confirmation-poller.ts';
import type { SignatureStatus, Submission, SubmissionOutcome } from './ports.ts';
import { blockHeightCall, signatureStatusesCall } from './rpc-calls.ts';
import type { RpcPool } from './rpc-pool.ts';
import { broadcast, nothingWasSent, offerOnce } from './submission-offer.ts';

/** Between two broadcasts of the same bytes, ms. */
const REBROADCAST_MS = 2_000;
/** Between two offers while no node knows the blockhash or none is reached, ms. */
const OFFER_AGAIN_MS = 400;
/**
 * A blockhash that nodes do not know is looked for over this many blocks before it is believed not to exist: a node that lags
 * further behind is put aside by the pool anyway.
 */
const LAG_BLOCKS = 16n;

/** What a submission runs with. */
export interface SubmissionDeps {
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

/** How the offering went: `watch` means that it may land from now on, `sendAgain` whether sending more often helps. */
type Offered =
  | { readonly next: 'watch'; readonly sendAgain: boolean }
  | { readonly next: 'done'; readonly outcome: SubmissionOutcome };

/**
 * Offers until a node takes the bytes, one refuses them, or nothing more can come of it. Refusals count only while certainly no
 * node has the bytes; after a lost reply the chain alone decides.
 */
const offer = async (deps: SubmissionDeps, submission: Submission, signal: AbortSignal): Promise<Offered> => {
  const { pool, clock, poller } = deps;
  const startedAtMs = clock.now();
  let maybeSent = submission.maybeSentBefore === true;
  let firstHeight: bigint | undefined;
  for (;;) {
    const offered = await offerOnce(
      pool,
      submission,
      () => {
        maybeSent = true;
      },
      signal,
    );
    if (offered.kind !== 'nobody') poller.noteAnswer();
    if (offered.kind === 'taken') return { next: 'watch', sendAgain: true };
    if (offered.kind === 'nobody') {
      if (maybeSent) return { next: 'watch', sendAgain: true };
      if (clock.now() - startedAtMs >= pool.timeoutMs) throw nothingWasSent();
    } else if (maybeSent) {
      // Forcing what a preflight refuses would only land a failure and its fee; an unknown blockhash may just be a lagging node.
      return { next: 'watch', sendAgain: offered.kind === 'blockhash-not-found' };
    } else {
      if ((await statusOf(pool, submission, signal)) !== null) return { next: 'watch', sendAgain: true };
      if (offered.kind === 'refused')
        return { next: 'done', outcome: { kind: 'refused', ...offered.refusal } };
      const height = await pool.call(blockHeightCall('confirmed'), { signal });
      firstHeight ??= height;
      const tooLate = submission.nonce === undefined && height > submission.lastValidBlockHeight;
      if (tooLate || height >= firstHeight + LAG_BLOCKS) {
        return { next: 'done', outcome: { kind: 'refused', error: 'BlockhashNotFound', logs: [] } };
      }
    }
    await clock.sleep(OFFER_AGAIN_MS, signal);
  }
};

/** Sends the bytes about every two seconds until `signal` aborts. */
const sendAgainAndAgain = async (
  deps: SubmissionDeps,
  submission: Submission,
  signal: AbortSignal,
): Promise<void> => {
  if (deps.pool.sendsApart) await broadcast(deps.pool, submission, signal);
  for (;;) {
    await deps.clock.sleep(REBROADCAST_MS, signal);
    if (await broadcast(deps.pool, submission, signal)) deps.poller.noteAnswer();
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
  const watching = deps.poller.watch(submission, AbortSignal.any([signal, ended.signal]));
  watching.catch(() => undefined);
  try {
    const offered = await offer(deps, submission, signal);
    if (offered.next === 'done') return offered.outcome;
    if (offered.sendAgain)
      sendAgainAndAgain(deps, submission, AbortSignal.any([signal, ended.signal])).catch(() => undefined);
    return await watching;
  } finally {
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
    const verdict = (await judgeExpiry(pool, [submission], signal)).get(submission.signature);
    if (verdict === undefined) return null;
    return verdict === 'never-landed' ? { kind: 'expired' } : outcomeOf(verdict);
  } catch {
    signal.throwIfAborted();
    return { kind: 'unresolved' };
  }
};
