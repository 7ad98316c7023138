// State of the page's flow: the client's staking flow for display, and the page's own states before and after
// it.

import { hasLaterTransactions, type TransactionRecord } from '../../../client/staking/pending-transaction.ts';
import type { Prepared } from '../../../client/staking/prepared-transaction.ts';
import { NotAsAsked, SignatureMissing } from '../../../client/staking/staking-errors.ts';
import { isAlreadyApproved, type StakingState } from '../../../client/staking/staking-states.ts';
import { WalletError } from '../wallet/wallet-error.ts';
import { defineWords } from '../words/define-words.ts';
import { walletEnglish } from '../words/en/wallet.ts';

const { say } = defineWords('wallet', walletEnglish);

/** The flow on the page. `paused`: started before a reload and not signed. */
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
  /** The last error. `step` tells whether the flow can continue. */
  readonly error: unknown;
  /** Time of the next request in Unix ms while the flow has to wait with it; otherwise null. */
  readonly busyUntilMs: number | null;
  /** True if it waits until rewards are paid out, and false if it waits for the rate limit. */
  readonly isPayingRewards: boolean;
  /** Number of builds of the transaction. */
  readonly builds: number;
  /** Number of signed transactions that expired. */
  readonly renewals: number;
  /** True if the transaction's effects differ from those approved before. */
  readonly isChanged: boolean;
  /** True once the service has the signed transaction, which then continues without this page. */
  readonly acknowledged: boolean;
  /** Instructions that the wallet added. */
  readonly added: StakingState['extraInstructions'];
}

export const IDLE: FlowState = {
  step: 'idle',
  record: null,
  built: null,
  error: undefined,
  busyUntilMs: null,
  isPayingRewards: false,
  builds: 0,
  renewals: 0,
  isChanged: false,
  acknowledged: false,
  added: [],
};

/** True while no other transaction can start. Buttons that start one must show this. */
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
      return isAlreadyApproved(state) ? 'signing' : 'review';
    case 'doubted':
      return 'review';
    case 'approved':
      return 'signing';
    case 'signed':
    case 'submitted':
      return 'submitting';
    case 'landed':
      // The client stays in this state until the wallet is asked to sign the next transaction of the plan.
      return hasLaterTransactions(record) ? 'submitting' : 'confirmed';
    case 'refused':
      // The review shows which problems the transaction has.
      return error instanceof NotAsAsked && error.from === 'service' && error.fields.length > 0
        ? 'review'
        : 'failed';
    case 'unresolved':
      return 'failed';
  }
};

/** Converts the signer's errors to the page's wallet errors. */
const walletErrorOf = (error: unknown): unknown => {
  if (error instanceof NotAsAsked)
    return new WalletError('changed', say('changed'), say('changedText'), error);
  if (error instanceof SignatureMissing)
    return new WalletError('failed', say('unsigned'), say('unsignedText'), error);
  return error;
};

/** Thrown if the service was restarted with another chain after this flow began. */
export class ServiceRestarted extends Error {
  readonly isSigned: boolean;

  constructor({ signature }: Pick<TransactionRecord, 'signature'>) {
    super('restarted');
    this.isSigned = signature !== undefined;
  }
}

const errorOf = (state: StakingState, step: FlowState['step']): unknown => {
  const { name, error, reason } = state;
  if (step === 'failed' || name === 'doubted') return error;
  if (step !== 'review' || name !== 'built') return undefined;
  // After a reload, the user has not seen the expired transaction, so its expiry is not explained.
  return reason.attended && reason.why !== 'changed' ? walletErrorOf(reason.error) : undefined;
};

/** Converts the client's flow to the display state. */
export const displayState = (state: StakingState): Omit<FlowState, 'busyUntilMs' | 'isPayingRewards'> => {
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
