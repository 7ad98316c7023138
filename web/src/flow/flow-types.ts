// What the flow of a transaction is made of: its states, what it needs from the page, and what views may do with it.
import type { Store } from '../ui/store.ts';
import type { Signed } from '../wallet/sign.ts';
import type { Checked } from './check-transaction.ts';
import type { FollowDeps } from './follow-transaction.ts';
import type { RecordKeeper, TransactionRecord, Wish } from './transaction-record.ts';

/** A built transaction that passed or failed the check. */
export interface Built {
  /** Base64. */
  readonly transaction: string;
  readonly expiresAtMs: number;
  readonly lastValidBlockHeight: number;
  readonly stakeAccountAddress: string | undefined;
  readonly warnings: readonly string[];
  readonly checked: Checked;
}

/** What the flow needs from the page. */
export interface FlowDeps extends FollowDeps {
  /** Which cluster and validator this service serves. */
  readonly home: () => Promise<{ readonly cluster: string; readonly voteAccount: string }>;
  /** Builds and checks; rejects with `HoldfastError`. */
  readonly build: (wish: Wish, idempotencyKey: string) => Promise<Built>;
  /** Checks what the wallet gave back. */
  readonly recheck: (wish: Wish, signed: Uint8Array) => Promise<Checked>;
  /** Rejects with `WalletError`. */
  readonly sign: (transaction: Uint8Array, wish: Wish) => Promise<Signed>;
  readonly newKey: () => string;
  readonly keeper: RecordKeeper;
  /** Called when something landed. */
  readonly landed: (record: TransactionRecord) => void;
}

/** Where the flow stands. `paused`: begun before a reload and not signed. */
export interface FlowState {
  readonly step:
    | 'idle'
    | 'preparing'
    | 'paused'
    | 'review'
    | 'signing'
    | 'submitting'
    | 'confirmed'
    | 'failed';
  readonly record: TransactionRecord | null;
  readonly built: Built | null;
  /** What went wrong last; the step says whether it can go on. */
  readonly error: unknown;
  /** How often it was built anew because it expired. */
  readonly renewals: number;
}

/** True while no other transaction can be begun: whatever would begin one must show that. */
export const isUnderWay = (step: FlowState['step']): boolean =>
  step === 'preparing' || step === 'signing' || step === 'submitting';

/** The flow, as views use it. */
export interface TransactionFlow {
  readonly state: Store<FlowState>;
  /** Builds and checks; ends in `review` or `failed`. Not while another one is under way. */
  readonly begin: (wish: Wish) => Promise<void>;
  /** Asks the wallet, submits, follows. */
  readonly approve: () => Promise<void>;
  /** Builds anew under the same key: after an expiry, or what failed before it was signed. */
  readonly renew: () => Promise<void>;
  /** Leaves it: nothing was signed, or its end was seen. */
  readonly dismiss: () => void;
  /** Takes up what a reload interrupted. */
  readonly resume: () => Promise<void>;
}
