// Describes the outcome of dead letters that were sent again. Pure.
import { dateText } from '../../text/format-figures.ts';
import type { DeliveryState } from '../operator-api.ts';
import { outcomeText } from './outcome-words.ts';

/** A message about an outcome, in the form of a toast. */
interface OutcomeMessage {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly title: string;
  readonly detail?: string;
}

/** True once the receiver has responded, or an attempt has failed. */
export const isAttempted = ({ state, attempts }: DeliveryState): boolean =>
  state !== 'pending' || attempts > 0;

const nextText = ({ state, nextAttemptAt }: DeliveryState): string =>
  state === 'dead'
    ? ', a dead letter again'
    : nextAttemptAt === null
      ? ''
      : `, next attempt ${dateText(nextAttemptAt)}`;

/**
 * Describes the states of `total` dead letters. Those without a state could not be sent again, because they
 * expired or an attempt is in progress.
 */
export const replayOutcome = (states: readonly DeliveryState[], total: number): OutcomeMessage => {
  const delivered = states.filter(({ state }) => state === 'delivered').length;
  const refused = states.filter((one) => one.state !== 'delivered' && isAttempted(one));
  const waiting = states.length - delivered - refused.length;
  const unsent = total - states.length;
  if (delivered === total) return { tone: 'good', title: total === 1 ? 'Delivered' : `${total} delivered` };
  const reasons = new Set(refused.map((one) => `${outcomeText(one)}${nextText(one)}`));
  return {
    tone: refused.length > 0 ? 'bad' : 'warn',
    title:
      total === 1
        ? waiting > 0
          ? 'Not delivered yet'
          : 'Not delivered'
        : `${delivered} of ${total} delivered`,
    detail: [
      ...reasons,
      ...(waiting > 0 ? ['The receiver has not responded yet. The result appears under Receivers'] : []),
      ...(unsent > 0 ? [`${total === 1 ? 'It' : unsent} expired or is already being sent`] : []),
    ]
      .map((text) => `${text}.`)
      .join(' '),
  };
};
