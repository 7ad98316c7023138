// What the flow of a transaction on the page is made of: its states, what it needs from the page, and what views may do with it.

import type { RecordSlot, TransactionRecord } from '../../../client/staking/pending-transaction.ts';
import type { Prepared, Signed, StakingPorts } from '../../../client/staking/staking-flow.ts';
import type { StakingRequest, StakingService } from '../../../client/staking/staking-request.ts';
import type { ServiceBinding, TransactionVerdict } from '../../../client/staking/verify-against-request.ts';
import type { Store } from '../state/create-store.ts';

/** What the flow needs from the page. */
export interface FlowDeps {
  /** Which cluster and validator this service serves, and its memo. */
  readonly home: () => Promise<ServiceBinding & { readonly cluster: string }>;
  readonly service: StakingService;
  readonly verify: StakingPorts['verify'];
  readonly verifyEffects: StakingPorts['verifyEffects'];
  /** Rejects with `WalletError`. */
  readonly sign: (transaction: Uint8Array, record: TransactionRecord) => Promise<Signed>;
  readonly newKey: () => string;
  readonly slot: RecordSlot;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
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
  readonly built: Prepared | null;
  /** What went wrong last; the step says whether it can go on. */
  readonly error: unknown;
  /** The service is busy with other requests: it is asked again then, Unix milliseconds. Null while nothing is waited for. */
  readonly busyUntilMs: number | null;
  /** How often it was built anew because it expired. */
  readonly renewals: number;
  /** The service has what was signed: it goes on without this page. */
  readonly acknowledged: boolean;
  /** What the wallet added to the transaction. */
  readonly added: TransactionVerdict['recognised']['extraInstructions'];
}

/** True while no other transaction can be begun: whatever would begin one must show that. */
export const isUnderWay = (step: FlowState['step']): boolean =>
  step === 'preparing' || step === 'signing' || step === 'submitting';

/** The flow, as views use it. */
export interface TransactionFlow {
  readonly state: Store<FlowState>;
  /** Builds and checks; ends in `review` or `failed`. Not while another one is under way. */
  readonly begin: (request: StakingRequest) => Promise<void>;
  /** Asks the wallet, submits, follows. */
  readonly approve: () => Promise<void>;
  /** Builds anew under the same key: after an expiry, or what failed before it was signed. */
  readonly renew: () => Promise<void>;
  /** Leaves it: nothing was signed, or its end was seen. */
  readonly dismiss: () => void;
  /** Takes up what a reload interrupted. */
  readonly resume: () => Promise<void>;
}
