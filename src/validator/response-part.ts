// One part of a response: a value, or the reason why it is missing. A response only fails if all its parts
// do.

import { type Notice, notice } from '../domain/notice.ts';
import { AppError, isAppError } from '../kernel/app-error.ts';
import { describeWarning, type Snapshot } from '../upstream/provider-snapshot.ts';

export interface Part<T> {
  /** Null if the source returned nothing. */
  readonly value: T | null;
  readonly warnings: readonly Notice[];
}

/**
 * Wraps a read whose source may be unavailable. `otherwise` is the warning in that case. Other errors are
 * thrown.
 */
export const part = async <T>(work: Promise<T>, otherwise: Notice): Promise<Part<T>> => {
  try {
    return { value: await work, warnings: [] };
  } catch (error) {
    if (isAppError(error, 'UPSTREAM_UNAVAILABLE') || isAppError(error, 'STORE_UNAVAILABLE'))
      return { value: null, warnings: [otherwise] };
    throw error;
  }
};

/** Wraps the response of a statistics provider. `asked` is undefined if this cluster has no such provider. */
export const providerPart = async <T>(
  asked: Promise<Snapshot<T>> | undefined,
  notConfigured: Notice,
): Promise<Part<T>> => {
  if (asked === undefined) return { value: null, warnings: [notConfigured] };
  const { value, warnings } = await asked;
  return { value, warnings: warnings.map(describeWarning) };
};

export const EPOCH_UNAVAILABLE = notice(
  'EPOCH_UNAVAILABLE',
  'No RPC node is responding, so the epoch is unavailable.',
);
export const RANK_UNAVAILABLE = notice(
  'RANK_UNAVAILABLE',
  'No RPC node lists the validators, so the rank is unavailable.',
);

/** Notices about values that are null even though their source responded. */
export const NO_CREDITS_YET = notice(
  'NO_VOTE_CREDITS_YET',
  'This validator has not earned vote credits in the current epoch yet, so it has no credit rank.',
);
export const NO_SKIP_RATE_YET = notice(
  'NO_SKIP_RATE_YET',
  'Fewer than 8 leader slots of this validator have passed in the current epoch, too few for a skip rate.',
);
export const NO_VOTE_RATE_YET = notice(
  'NO_VOTE_RATE_YET',
  'The epoch has just begun, so there is no vote success rate yet.',
);

/** Creates a part that consists only of a warning. */
export const warningIf = (holds: boolean, warning: Notice): Part<never> => ({
  value: null,
  warnings: holds ? [warning] : [],
});

/** Throws `AppError('UPSTREAM_UNAVAILABLE')` if no part has a value. */
export const requireAny = (parts: readonly Part<unknown>[]): void => {
  if (parts.some(({ value }) => value !== null)) return;
  throw new AppError(
    'UPSTREAM_UNAVAILABLE',
    'Data about the validator is currently unavailable from the Solana RPC and from statistics providers.',
    { reason: 'VALIDATOR_DATA', suggestedAction: 'Try again in a minute.', retryAfterSeconds: 15 },
  );
};

/** Returns the warnings of all parts, without duplicates. */
export const warningsOf = (...parts: readonly Part<unknown>[]): Notice[] => [
  ...new Map(parts.flatMap(({ warnings }) => warnings.map((one) => [one.text, one]))).values(),
];
