// Chooses the completed epochs that a request for rewards includes.
import { type ValidationIssue, validationError } from '../../kernel/app-error.ts';

/** Maximum number of epochs per call. */
export const MAX_EPOCHS = 200;
/** Number of epochs by default. */
export const DEFAULT_EPOCHS = 30;

/** The requested epochs. By default, the period ends with the last completed epoch. */
export interface RequestedPeriod {
  readonly epochs?: number | undefined;
  readonly fromEpoch?: number | undefined;
  readonly toEpoch?: number | undefined;
}

const refuse = (path: keyof RequestedPeriod, code: ValidationIssue['code'], message: string): never => {
  throw validationError([{ path, code, message }]);
};

/**
 * Returns the epochs, newest first. Throws `AppError('VALIDATION_ERROR')` if they contradict each other, have not
 * ended or are too many.
 */
export const rewardEpochs = (
  { epochs, fromEpoch, toEpoch }: RequestedPeriod,
  currentEpoch: bigint,
): readonly bigint[] => {
  const completed = Number(currentEpoch) - 1;
  if (epochs !== undefined && fromEpoch !== undefined)
    refuse('epochs', 'contradicts', 'must be omitted, because fromEpoch is given');
  for (const [path, epoch] of [
    ['fromEpoch', fromEpoch],
    ['toEpoch', toEpoch],
  ] as const)
    if (epoch !== undefined && epoch > completed)
      refuse(path, 'not_completed', `must be at most ${completed}, the last completed epoch`);
  const to = toEpoch ?? completed;
  const from = fromEpoch ?? Math.max(0, to - (epochs ?? DEFAULT_EPOCHS) + 1);
  if (from > to && fromEpoch !== undefined) refuse('fromEpoch', 'reversed', `must be at most toEpoch, ${to}`);
  if (to - from >= MAX_EPOCHS)
    refuse(
      'fromEpoch',
      'too_many',
      `must be at least ${to - MAX_EPOCHS + 1}, for at most ${MAX_EPOCHS} epochs`,
    );
  return Array.from({ length: to - from + 1 }, (_, i) => BigInt(to - i));
};
