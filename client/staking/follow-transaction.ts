// Follows a signed transaction to its outcome: submits it and, if there is no response, polls until it has
// landed, has failed or can never land.
import { type HoldfastError, isHoldfastError } from '../holdfast-error.ts';
import type { TransactionRecord } from './pending-transaction.ts';
import type { StakingService, SubmitAnswer } from './staking-request.ts';

interface FollowPorts {
  readonly service: Pick<StakingService, 'submit' | 'stateOf' | 'blockHeight'>;
  /** Time in milliseconds. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly signal: AbortSignal;
  /** Maximum number of attempts, including the submission. Default: unlimited. */
  readonly mostAttempts?: number | undefined;
  /**
   * Called once the service has accepted the transaction. From then on, the service keeps sending it even if
   * this program ends.
   */
  readonly onAcknowledged?: (() => void) | undefined;
}

/** Outcome of a followed transaction. */
export type TransactionEnd =
  | { readonly how: 'landed'; readonly response: SubmitAnswer }
  /** The transaction can never land. */
  | { readonly how: 'expired'; readonly error: unknown }
  /** The transaction landed and failed, or was refused before it was sent. */
  | { readonly how: 'failed'; readonly error: unknown }
  /** Unknown: the attempts are used up, or the signal was aborted. */
  | { readonly how: 'open'; readonly error: unknown };

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 10_000;
/** Maximum `Retry-After` that is respected, because timers set for several weeks fire immediately. */
const MAX_STATED_WAIT_MS = 120_000;

/** Creates the error for a transaction that landed and failed. Its only effect is the fee. */
class LandedAndFailed extends Error {
  override readonly name = 'LandedAndFailed';
}

/**
 * Errors that the service returns only after it has found the record of this signature. They hold for every
 * attempt, because this transaction can no longer succeed.
 */
const FINAL: ReadonlySet<string> = new Set(['SUBMISSION_FAILED', 'STAKE_BALANCE_CHANGED']);

/**
 * True if the outcome is still unknown after this failure of the last attempt. An earlier attempt whose
 * response was lost may have succeeded before the service restarted, limited requests or lost its store.
 */
const leavesOpen = (error: unknown): boolean => {
  if (!isHoldfastError(error)) return true;
  const { errorCode, retryable, status = 0 } = error;
  if (FINAL.has(errorCode)) return false;
  return retryable || status >= 500 || errorCode === 'ABORTED' || errorCode === 'BAD_ANSWER';
};

const waitMs = (error: unknown, attempt: number): number => {
  const stated = isHoldfastError(error) ? error.retryAfterSeconds : undefined;
  // A wait of zero would poll without pauses.
  return stated === undefined || stated === 0
    ? Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 1.5 ** attempt)
    : Math.min(MAX_STATED_WAIT_MS, stated * 1000);
};

const endOf = (
  signature: string,
  { state, error, explorerUrl }: Awaited<ReturnType<StakingService['stateOf']>>,
): TransactionEnd | null => {
  switch (state) {
    case 'confirmed':
    case 'finalized':
      return { how: 'landed', response: { signature, explorerUrl } };
    case 'failed':
      return {
        how: 'failed',
        error: new LandedAndFailed(`The transaction was executed but failed: ${JSON.stringify(error)}.`),
      };
    case 'expired':
      return { how: 'expired', error: undefined };
    case 'pending':
      return null;
  }
};

/** Follows the transaction until the outcome is known, the attempts are used up, or the signal is aborted. Never rejects. */
export const followTransaction = async (
  { service, sleep, signal, mostAttempts = Number.POSITIVE_INFINITY, onAcknowledged }: FollowPorts,
  { signature, signedTransaction, idempotencyKey, lastValidBlockHeight }: TransactionRecord,
): Promise<TransactionEnd> => {
  const acknowledged = (): void => onAcknowledged?.();
  const submit = async (signed: string): Promise<TransactionEnd> => ({
    how: 'landed',
    response: await service.submit(signed, idempotencyKey, signal, acknowledged),
  });
  /** Reads the outcome from the service; null while pending. Returns the failure if the service does not know the signature. */
  const read = async (): Promise<TransactionEnd | null | HoldfastError> => {
    try {
      // Only signed transactions are followed, so the record has a signature.
      const state = await service.stateOf(signature!, signal);
      acknowledged();
      return endOf(signature!, state);
    } catch (error) {
      if (isHoldfastError(error, 'NOT_FOUND')) return error;
      throw error;
    }
  };
  const poll = async (): Promise<TransactionEnd | null> => {
    const first = await read();
    if (!isHoldfastError(first)) return first;
    // The service does not know the signature: the transaction was never submitted, or the wallet sent it and
    // no node has seen it yet.
    if (signedTransaction !== undefined) return submit(signedTransaction);
    const isOver =
      lastValidBlockHeight !== undefined && (await service.blockHeight(signal)) > lastValidBlockHeight;
    if (!isOver) return null;
    // The transaction may have landed between the two requests. Only a status read after its last valid block
    // proves that it never will.
    const last = await read();
    return isHoldfastError(last) ? { how: 'expired', error: last } : last;
  };
  let last: unknown;
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    if (attempt > 0) await sleep(waitMs(last, attempt - 1));
    if (signal.aborted) break;
    last = undefined;
    try {
      const end =
        attempt === 0 && signedTransaction !== undefined ? await submit(signedTransaction) : await poll();
      if (end !== null) return end;
    } catch (error) {
      if (isHoldfastError(error, 'BLOCKHASH_EXPIRED')) return { how: 'expired', error };
      if (!leavesOpen(error)) return { how: 'failed', error };
      last = error;
    }
  }
  // EPOCH_REWARDS_ACTIVE means that nothing was sent, so this transaction has failed. A new one can be
  // requested once the rewards are distributed.
  return { how: isHoldfastError(last, 'EPOCH_REWARDS_ACTIVE') ? 'failed' : 'open', error: last };
};
