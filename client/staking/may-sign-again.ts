// Decides whether a request may be signed again while an earlier signature for it may still land.
import { HoldfastError } from '../holdfast-error.ts';
import type { TransactionRecord } from './pending-transaction.ts';
import type { TransactionVerdict } from './verify-against-request.ts';

/** The parts of a reviewed transaction that are compared. */
interface Reviewed {
  readonly verdict: TransactionVerdict;
  /** Later transactions of its plan. */
  readonly following: readonly unknown[];
}

/** An earlier signature for the request that has not been proven expired. */
export interface OpenSignature {
  readonly record: TransactionRecord;
  /** Undefined if the transaction was signed before this run. */
  readonly prepared: Reviewed | undefined;
}

/**
 * Returns the wallet's account that a transaction creates and leaves open. Of two transactions that create
 * the same account, only one can land. Returns undefined if the transaction creates none, or if later
 * transactions of the plan may close it.
 */
export const lastingAccount = ({ verdict, following }: Reviewed): string | undefined => {
  if (following.length > 0) return undefined;
  const fields = verdict.message.instructions.map(({ data }) => data);
  const closed = closedAccounts(verdict);
  return fields
    .flatMap((data) => (data.type === 'stake.initialize' && data.stakeAccount ? [data.stakeAccount] : []))
    .find((account) => !closed.includes(account));
};

/** Lists accounts that a transaction merges into others or withdraws from. */
export const closedAccounts = ({ message }: TransactionVerdict): readonly string[] =>
  message.instructions.flatMap(({ data }) => {
    const closed =
      data.type === 'stake.merge' ? data.from : data.type === 'stake.withdraw' ? data.stakeAccount : null;
    return closed ?? [];
  });

/** True if landing twice has no further effect. */
const isRepeatable = ({ kind, amountLamports }: TransactionRecord): boolean =>
  // A rebuilt stake keeps its recorded address, which the check of the bytes enforces.
  kind === 'stake' ||
  kind === 'unstake' ||
  kind === 'restake' ||
  (kind === 'withdraw' && amountLamports === undefined);

/** True if `next` adds no effects to the earlier signature, even if both are submitted. */
export const isSafeAlongside = ({ record, prepared }: OpenSignature, next: Reviewed): boolean => {
  if (isRepeatable(record)) return true;
  const account = prepared && lastingAccount(prepared);
  return account !== undefined && account === lastingAccount(next);
};

/** Creates the error for a request that must not be signed again. */
export const mayStillLandError = ({ signature = '', idempotencyKey }: TransactionRecord): HoldfastError => {
  const errorCode = 'STILL_POSSIBLE';
  const message =
    'A transaction was already signed for this request. The service says it can no longer land. If that is wrong, both will land, so nothing else was signed.';
  const suggestedAction = `Look up the first transaction in an explorer: ${signature}. Then repeat the request with its idempotency key ${idempotencyKey}. Either specify an RPC node that you trust with --rpc URL, so that it can prove the expiry, or decide yourself in a terminal, without --yes.`;
  return new HoldfastError({
    errorCode,
    operation: 'submitTransaction',
    message,
    suggestedAction,
    idempotencyKey,
    body: { error: 'Not signed again', errorCode, message, suggestedAction, signature, idempotencyKey },
  });
};
