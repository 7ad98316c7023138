// The state of the page's flow: the client's staking flow as people see it, and what the page adds before it begins and after it ended.
import type { Prepared } from '../../../client/staking/check-built.ts';
import { isHalfway, type TransactionRecord } from '../../../client/staking/pending-transaction.ts';
import { NotAsAsked, SignatureMissing } from '../../../client/staking/staking-errors.ts';
import { isCovered, type StakingState } from '../../../client/staking/staking-states.ts';
import { WalletError } from '../wallet/wallet-error.ts';

/** The flow on the page. `paused`: begun before a reload and not signed. */
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
  /** When the service is asked again, in Unix milliseconds, because it is busy with other requests. Null otherwise. */
  readonly busyUntilMs: number | null;
  /** How often it was built since it began. */
  readonly builds: number;
  /** How many signed transactions expired. */
  readonly renewals: number;
  /** It does something else than what was approved before. */
  readonly isChanged: boolean;
  /** The service has the signed transaction: it goes on without this page. */
  readonly acknowledged: boolean;
  /** What the wallet added to the transaction. */
  readonly added: StakingState['extraInstructions'];
}

/** Nothing is under way. */
export const IDLE: FlowState = {
  step: 'idle',
  record: null,
  built: null,
  error: undefined,
  busyUntilMs: null,
  builds: 0,
  renewals: 0,
  isChanged: false,
  acknowledged: false,
  added: [],
};

/** True while no other transaction can begin. Buttons that begin one must show that. */
export const isUnderWay = (step: FlowState['step']): boolean =>
  step === 'preparing' || step === 'signing' || step === 'submitting';

const stepOf = (state: StakingState): FlowState['step'] => {
  const { name, record, error } = state;
  switch (name) {
    case 'requested':
    case 'expired':
    case 'replanned':
      return 'preparing';
    case 'built':
      return isCovered(state) ? 'signing' : 'review';
    case 'doubted':
      return 'review';
    case 'approved':
      return 'signing';
    case 'signed':
    case 'submitted':
      return 'submitting';
    case 'landed':
      // Until the wallet is asked for the next one of the plan, this one stays on show.
      return isHalfway(record) ? 'submitting' : 'confirmed';
    case 'refused':
      // The review says what is wrong with the bytes.
      return error instanceof NotAsAsked && error.from === 'service' && error.fields.length > 0
        ? 'review'
        : 'failed';
    case 'unresolved':
      return 'failed';
  }
};

/** The signer's mistakes in the words of the page. */
const walletErrorOf = (error: unknown): unknown => {
  if (error instanceof NotAsAsked)
    return new WalletError(
      'changed',
      'Your wallet changed the transaction',
      'It signed something other than what you reviewed, so nothing was sent. Turn off transaction-changing features in the wallet, or use another one.',
      error,
    );
  if (error instanceof SignatureMissing)
    return new WalletError(
      'failed',
      'The wallet did not sign',
      'It returned the transaction unsigned. Nothing was sent.',
      error,
    );
  return error;
};

const errorOf = (state: StakingState, step: FlowState['step']): unknown => {
  const { name, error, reason } = state;
  if (step === 'failed' || name === 'doubted') return error;
  if (step !== 'review' || name !== 'built') return undefined;
  // After a reload nobody saw what expired.
  return reason.attended && reason.why !== 'changed' ? walletErrorOf(reason.error) : undefined;
};

/** What the page shows of the client's flow. */
export const shownState = (state: StakingState): Omit<FlowState, 'busyUntilMs'> => {
  const { name, record, prepared = null, builds, renewals, reason, extraInstructions } = state;
  const step = stepOf(state);
  return {
    step,
    record,
    built: prepared,
    error: errorOf(state, step),
    builds,
    renewals,
    isChanged: reason.why === 'changed',
    acknowledged: name === 'submitted',
    added: extraInstructions,
  };
};
