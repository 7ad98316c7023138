// The displayed steps, derived from the flow's state and the account on chain.

import { isHoldfastError } from '../../../client/holdfast-error.ts';
import { isAfterFirstTransaction } from '../../../client/staking/pending-transaction.ts';
import { shortAddress } from '../../../src/domain/short-address.ts';
import { connectionStateOfFailure } from '../api/service-connection.ts';
import { countdown, durationText } from '../text/format-figures.ts';
import type { Step } from '../ui/stepper.tsx';
import { isWalletError } from '../wallet/wallet-error.ts';
import { defineWords } from '../words/define-words.ts';
import { flowEnglish } from '../words/en/flow/flow.ts';
import type { FlowState } from './flow-state.ts';
import { type FollowedAccount, wordsOf } from './kind-words.ts';

const { say } = defineWords('flow', flowEnglish);

/** Data for the steps: the flow's state, the account, and the connection. */
export interface StepFacts {
  readonly flow: Pick<FlowState, 'step' | 'record'> &
    Partial<Pick<FlowState, 'built' | 'acknowledged' | 'error'>>;
  /** Seconds until the signed transaction can no longer land; undefined if unknown. */
  readonly secondsToExpiry?: number | undefined;
  /**
   * The account on chain. Null if it does not exist; undefined if it has not been read since the confirmation.
   */
  readonly account: FollowedAccount | undefined;
  /** True if `account` was read so late that it cannot be as it was before the confirmation. */
  readonly isSettled?: boolean;
  readonly secondsToEpochEnd: number | undefined;
  /**
   * True while the service does not respond, so it is unknown whether the service has the signed transaction.
   */
  readonly isAway?: boolean;
}

type Reached = 'prepared' | 'signing' | 'submitted' | 'confirmed' | 'turning' | 'turned';

const ORDER: readonly Reached[] = ['prepared', 'signing', 'submitted', 'confirmed', 'turning', 'turned'];

/** True if a later transaction has changed the account, so the last steps no longer describe it. */
export const isOvertaken = ({ flow: { step, record }, account, isSettled }: StepFacts): boolean =>
  step === 'confirmed' &&
  account !== undefined &&
  record !== null &&
  // A node that is behind has no account of a new stake, so an existing account is never an outdated one.
  (isSettled === true || (record.kind === 'stake' && account !== null)) &&
  wordsOf(record).last?.isOvertaken(account) === true;

/** Returns the current step. `ended` means that the last step is done. */
const reachedOf = (facts: StepFacts): Reached | 'ended' => {
  const {
    flow: { step, record, built, error },
    account,
  } = facts;
  if (step !== 'confirmed') {
    if (record?.signature !== undefined) return 'submitted';
    if (step === 'failed') return isWalletError(error) ? 'signing' : 'prepared';
    // If no transaction was built, the wallet was not asked.
    return step === 'signing' || (built ?? null) !== null ? 'signing' : 'prepared';
  }
  if (account === undefined) return 'turning';
  const last = record && wordsOf(record).last;
  return !last || last.isOver(account) || isOvertaken(facts) ? 'ended' : 'turning';
};

/** True if no further step follows. */
export const isEnded = (facts: StepFacts): boolean =>
  facts.flow.step === 'confirmed' && reachedOf(facts) === 'ended';

const soon = (seconds: number | undefined): string =>
  seconds === undefined || seconds < 1 ? say('soon') : say('soonIn', { time: durationText(seconds) });

const lastSteps = (facts: StepFacts): readonly Omit<Step, 'state'>[] => {
  const {
    flow: { record },
    secondsToEpochEnd,
  } = facts;
  const last = record && wordsOf(record).last;
  return last
    ? [
        { key: 'turning', ...last.turning(soon(secondsToEpochEnd)) },
        {
          key: 'turned',
          ...(isOvertaken(facts)
            ? { title: say('changedSince'), result: say('changedSinceText') }
            : last.turned()),
        },
      ]
    : [];
};

/** Says whether the transaction continues without this page. */
const deliveryWords = ({ flow: { record, acknowledged }, secondsToExpiry, isAway }: StepFacts): string => {
  if (acknowledged === true)
    return secondsToExpiry !== undefined && secondsToExpiry > 0
      ? say('resendsFor', { time: countdown(secondsToExpiry) })
      : say('resends');
  if (record?.signedTransaction === undefined) return say('sentByWallet');
  if (isAway === true) return say('mayBeSent');
  if (secondsToExpiry === undefined) return say('notDelivered');
  return secondsToExpiry > 0
    ? say('notDeliveredFor', { time: countdown(secondsToExpiry) })
    : say('notDeliveredExpiring');
};

export const flowSteps = (facts: StepFacts): readonly Step[] => {
  const { step, record } = facts.flow;
  const reached = reachedOf(facts);
  const failed = step === 'failed';
  const account = record?.stakeAccountAddress;
  const steps: readonly Omit<Step, 'state'>[] = [
    { key: 'prepared', title: say('prepared') },
    { key: 'signing', title: say('signed') },
    { key: 'submitted', title: say('submitted'), ...(failed ? {} : { detail: deliveryWords(facts) }) },
    {
      key: 'confirmed',
      title: say('confirmed'),
      result:
        (record && wordsOf(record).confirmed) ??
        (account === undefined ? say('onChain') : say('accountOnChain', { account: shortAddress(account) })),
    },
    ...lastSteps(facts),
  ];
  const at = reached === 'ended' ? ORDER.length : ORDER.indexOf(reached);
  return steps.map((each) => {
    const index = ORDER.indexOf(each.key as Reached);
    return { ...each, state: index < at ? 'done' : index > at ? 'todo' : failed ? 'failed' : 'current' };
  });
};

/**
 * Says whether a transaction that the service failed or refused was sent; null if the failure itself says it, or if
 * an earlier transaction of the request was sent.
 */
export const whatWasSent = ({
  record,
  error,
  renewals,
}: Pick<FlowState, 'record' | 'error' | 'renewals'>): 'nothingSent' | 'mayBeSent' | null => {
  if (!isHoldfastError(error)) return null;
  if (record?.signature !== undefined) return connectionStateOfFailure(error) === null ? null : 'mayBeSent';
  return renewals > 0 || (record !== null && isAfterFirstTransaction(record)) ? null : 'nothingSent';
};
