// The transactions of a request after they were built and checked, as shown for approval.
import type { EffectsCheck } from '../../src/domain/transaction/effects/check-effects.ts';
import type { TransactionRecord } from './pending-transaction.ts';
import type { BuiltTransaction } from './staking-request.ts';
import type { TransactionVerdict } from './verify-against-request.ts';

/** A later transaction of a plan, checked against the request in its record. */
export interface FollowingTransaction {
  readonly record: TransactionRecord;
  readonly built: BuiltTransaction;
  readonly verdict: TransactionVerdict;
}

/** A built and checked transaction, ready for approval. */
export interface Prepared extends FollowingTransaction {
  /** Later transactions of the plan, checked like the first. One approval covers all of them. */
  readonly following: readonly FollowingTransaction[];
  /** The combined effects, compared with the request. If some are unknown, only a person may approve. */
  readonly effects: EffectsCheck;
  /** The only validator allowed as a delegation target. */
  readonly voteAccount: string;
  /**
   * Estimated expiry by this machine's clock: the time of the check plus the lifetime stated by the service.
   */
  readonly expiresAtMs: number;
}
