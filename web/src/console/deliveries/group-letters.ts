// Groups dead letters by receiver and reason, so one failing receiver is one row. Pure.
import type { DeadLetters } from '../operator-api.ts';
import { outcomeText } from './outcome-words.ts';

export type DeadLetter = DeadLetters['deadLetters'][number];

/** Dead letters that failed at the same receiver for the same reason, newest first. */
export interface LetterGroup {
  readonly key: string;
  readonly letters: readonly [DeadLetter, ...DeadLetter[]];
}

/** True for an alert to the operator. */
export const isOwnAlert = ({ type }: DeadLetter): boolean => type === 'operator_alert';

/** Returns the groups in the order of their newest letter. `letters` must be sorted newest first. */
export const groupLetters = (letters: readonly DeadLetter[]): readonly LetterGroup[] =>
  [
    ...Map.groupBy(letters, (letter) =>
      [isOwnAlert(letter) ? 'alerts' : letter.callbackHost, outcomeText(letter), letter.webhookDisabled].join(
        ' ',
      ),
    ),
  ].map(([key, group]) => ({ key, letters: group as [DeadLetter, ...DeadLetter[]] }));
