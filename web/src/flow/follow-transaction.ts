// Follows a signed transaction to its end: submits it, and where the answer stays away asks until it landed, failed or can never land.
import { type HoldfastError, isHoldfastError } from '../../../client/holdfast-error.ts';
import type { TransactionRecord } from './transaction-record.ts';

/** How a transaction stands, as the service tells it. */
export interface ToldState {
  readonly state: 'pending' | 'confirmed' | 'finalized' | 'failed' | 'expired';
  readonly error: unknown;
  readonly explorerUrl: string;
}

/** What following needs from the page. */
export interface FollowDeps {
  /** Rejects with `HoldfastError`. */
  readonly submit: (
    signedTransaction: string,
    idempotencyKey: string,
  ) => Promise<{ readonly signature: string; readonly explorerUrl: string }>;
  readonly stateOf: (signature: string) => Promise<ToldState>;
  /** The cluster's block height. */
  readonly blockHeight: () => Promise<number>;
  readonly sleep: (ms: number) => Promise<void>;
  readonly now: () => number;
}

/** How it ended. */
export type FollowedEnd =
  | { readonly how: 'landed'; readonly signature: string; readonly explorerUrl: string }
  /** It can never land. */
  | { readonly how: 'expired'; readonly error: unknown }
  /** It landed and failed, or was refused before it was sent. */
  | { readonly how: 'failed'; readonly error: unknown };

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 10_000;
/** Whatever a service, or what stands before it, asks for: a timer that is set for much longer goes off at once. */
const LONGEST_TOLD_WAIT_MS = 120_000;

/** It landed, and the chain says that it had no effect but the fee. */
class LandedAndFailed extends Error {
  override readonly name = 'LandedAndFailed';
}

/** True where the failure leaves open what became of it. */
const leavesOpen = (error: unknown): boolean =>
  !isHoldfastError(error) ||
  // Another attempt may succeed, but not with these bytes.
  (error.retryable && error.errorCode !== 'STAKE_BALANCE_CHANGED') ||
  error.errorCode === 'ABORTED' ||
  error.errorCode === 'BAD_ANSWER';

const waitMs = (error: unknown, attempt: number): number => {
  const told = isHoldfastError(error) ? error.retryAfterSeconds : undefined;
  // Told to wait for nothing, it would be asked without a pause.
  return told === undefined || told === 0
    ? Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 1.5 ** attempt)
    : Math.min(LONGEST_TOLD_WAIT_MS, told * 1000);
};

const endOf = (signature: string, { state, error, explorerUrl }: ToldState): FollowedEnd | null => {
  switch (state) {
    case 'confirmed':
    case 'finalized':
      return { how: 'landed', signature, explorerUrl };
    case 'failed':
      return {
        how: 'failed',
        error: new LandedAndFailed(
          `The cluster ran the transaction and it failed: ${JSON.stringify(error)}.`,
        ),
      };
    case 'expired':
      return { how: 'expired', error: undefined };
    case 'pending':
      return null;
  }
};

/** Ends with the transaction, or when `wanted` says no (then with an unresolved `failed` that nobody reads). */
export const followTransaction = async (
  deps: FollowDeps,
  { signature, signedTransaction, idempotencyKey, lastValidBlockHeight }: TransactionRecord,
  wanted: () => boolean,
): Promise<FollowedEnd> => {
  /** As the service tells it; the failure where nobody knows it. */
  const told = async (): Promise<FollowedEnd | null | HoldfastError> => {
    try {
      return endOf(signature!, await deps.stateOf(signature!));
    } catch (error) {
      if (isHoldfastError(error, 'NOT_FOUND')) return error;
      throw error;
    }
  };
  const lookUp = async (): Promise<FollowedEnd | null> => {
    const first = await told();
    if (!isHoldfastError(first)) return first;
    // Nobody knows it: either it was never submitted, or the wallet sent it and no node has it yet.
    if (signedTransaction !== undefined) {
      const { signature: landed, explorerUrl } = await deps.submit(signedTransaction, idempotencyKey);
      return { how: 'landed', signature: landed, explorerUrl };
    }
    const isOver = lastValidBlockHeight !== undefined && (await deps.blockHeight()) > lastValidBlockHeight;
    if (!isOver) return null;
    // It may have landed between the two questions: only who is asked after its last block says that it never will.
    const last = await told();
    return isHoldfastError(last) ? { how: 'expired', error: last } : last;
  };
  for (let attempt = 0; wanted(); attempt += 1) {
    let last: unknown;
    try {
      const end =
        attempt === 0 && signedTransaction !== undefined
          ? await deps
              .submit(signedTransaction, idempotencyKey)
              .then((answer) => ({ how: 'landed', ...answer }) satisfies FollowedEnd)
          : await lookUp();
      if (end !== null) return end;
    } catch (error) {
      if (isHoldfastError(error, 'BLOCKHASH_EXPIRED')) return { how: 'expired', error };
      if (!leavesOpen(error)) return { how: 'failed', error };
      last = error;
    }
    await deps.sleep(waitMs(last, attempt));
  }
  return { how: 'failed', error: undefined };
};
