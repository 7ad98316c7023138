// Decides whether a request may be signed again while an earlier signature for it may still land.
import { HoldfastError } from '../holdfast-error.ts';
import type { TransactionRecord } from './pending-transaction.ts';
import type { TransactionVerdict } from './verify-against-request.ts';

/** The reviewed parts of a transaction. */
interface Reviewed {
  readonly verdict: TransactionVerdict;
  /** The later transactions of its plan. */
  readonly following: readonly unknown[];
}

/** An earlier signature for the request that is not proven dead. */
export interface OpenSignature {
  readonly record: TransactionRecord;
  /** Undefined where it was made before this run. */
  readonly prepared: Reviewed | undefined;
}

/**
 * The account of the wallet's own that a transaction creates and leaves open: only one of two transactions that create it can land. Undefined
 * where it creates none, or where a later transaction of the plan closes it.
 */
export const lastingAccount = ({ verdict, following }: Reviewed): string | undefined => {
  if (following.length > 0) return undefined;
  const fields = verdict.message.instructions.map(({ data }) => data);
  const closed = closedAccounts(verdict);
  return fields
    .flatMap((data) => (data.type === 'stake.initialize' && data.stakeAccount ? [data.stakeAccount] : []))
    .find((account) => !closed.includes(account));
};

/** The accounts that a transaction merges into others or withdraws from. */
export const closedAccounts = ({ message }: TransactionVerdict): readonly string[] =>
  message.instructions.flatMap(({ data }) => {
    const closed =
      data.type === 'stake.merge' ? data.from : data.type === 'stake.withdraw' ? data.stakeAccount : null;
    return closed ?? [];
  });

/** True for a request that does the same to one account however often it lands. */
const isRepeatable = ({ kind, amountLamports }: TransactionRecord): boolean =>
  // A stake is held to its recorded address by the check.
  kind === 'stake' ||
  kind === 'unstake' ||
  kind === 'restake' ||
  (kind === 'withdraw' && amountLamports === undefined);

/** True where `next` cannot do more than the earlier signature approved, even if both were submitted. */
export const isHarmlessNextTo = ({ record, prepared }: OpenSignature, next: Reviewed): boolean => {
  if (isRepeatable(record)) return true;
  const account = prepared && lastingAccount(prepared);
  return account !== undefined && account === lastingAccount(next);
};

/** The refusal to sign again. */
export const stillPossible = ({ signature = '', idempotencyKey }: TransactionRecord): HoldfastError => {
  const errorCode = 'STILL_POSSIBLE';
  const message =
    'A transaction was signed for this request before. The service says that it cannot land any more. If that is wrong, both will land, so nothing else was signed.';
  const suggestedAction = `Look for the first transaction in an explorer: ${signature}. Then repeat the request with its idempotency key ${idempotencyKey}: name an RPC node that you trust with --rpc URL, which can prove the expiry, or decide yourself in a terminal without --yes and --json.`;
  return new HoldfastError({
    errorCode,
    operation: 'submitTransaction',
    message,
    suggestedAction,
    idempotencyKey,
    body: { error: 'Not signed again', errorCode, message, suggestedAction, signature, idempotencyKey },
  });
};
