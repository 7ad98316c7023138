// Says in words what went wrong and what to do about it, for every failure that a call or a wallet can have.
import { type HoldfastError, isHoldfastError } from '../../../client/holdfast-error.ts';
import { StoppedHalfway } from '../../../client/staking/staking-errors.ts';
import { TitledError } from '../text/titled-error.ts';

/** A failure for people. */
export interface DescribedError {
  readonly title: string;
  readonly detail: string;
  /** Seconds after which trying again makes sense, where that is known. */
  readonly retryAfterSeconds?: number | undefined;
}

const TITLES: Readonly<Record<string, string>> = {
  NETWORK: 'The service does not answer',
  TIMEOUT: 'The service took too long',
  BAD_ANSWER: 'The answer could not be read',
  RATE_LIMITED: 'Busy right now',
  NOT_CONFIGURED: 'Not configured by the operator',
  UPSTREAM_UNAVAILABLE: 'The cluster cannot be reached',
  EPOCH_REWARDS_ACTIVE: 'Rewards are being paid out',
  INSUFFICIENT_BALANCE: 'Not enough SOL',
  BELOW_MINIMUM_STAKE: 'Below the minimum stake',
  WALLET_CANNOT_PAY: 'This wallet cannot pay fees',
  BLOCKHASH_EXPIRED: 'The transaction expired',
  STILL_POSSIBLE: 'The first transaction may still land',
  SUBMISSION_FAILED: 'The cluster rejected it',
  SUBMISSION_UNRESOLVED: 'Outcome not known yet',
  STALE_NONCE: 'This wallet has already signed a newer version',
  STORE_UNAVAILABLE: 'The service cannot save it',
  SHUTTING_DOWN: 'The service is restarting',
};

/** Reads that a statistics provider answers alone: the cluster has no part in their failure. */
const PROVIDER_READS: readonly string[] = ['peerDensity'];

const FALLBACKS: Readonly<Record<string, string>> = {
  NETWORK: 'Check your connection. Nothing was sent without your confirmation.',
  TIMEOUT: 'Check your connection, then try again.',
  STILL_POSSIBLE:
    'The service says that the first transaction expired. If that is wrong, both will land. Look for it in an explorer before you sign again.',
};

const sentence = (code: string): string => {
  const text = code.replaceAll('_', ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** A code is whatever was answered: one that names a member of every object is in no table. */
const wordsFor = (table: Readonly<Record<string, string>>, code: string): string | undefined =>
  Object.hasOwn(table, code) ? table[code] : undefined;

const titleOf = ({ errorCode, operation }: HoldfastError): string =>
  errorCode === 'UPSTREAM_UNAVAILABLE' && PROVIDER_READS.includes(operation)
    ? 'The statistics provider does not answer'
    : (wordsFor(TITLES, errorCode) ?? sentence(errorCode));

/** The limit counts everyone behind one address: it is nobody's fault, and passes. */
const limitWords = ({ errorCode, retryAfterSeconds }: HoldfastError): string | undefined =>
  errorCode !== 'RATE_LIMITED'
    ? undefined
    : `Many requests came from your network. Try again in ${retryAfterSeconds === undefined ? 'a minute' : `${retryAfterSeconds} s`}.`;

/** Describes anything thrown. */
export const describeError = (error: unknown): DescribedError => {
  if (error instanceof TitledError) return { title: error.title, detail: error.message };
  if (error instanceof StoppedHalfway) {
    const { count, cause } = error;
    const why = cause === undefined ? '' : ` ${describeError(cause).detail}`;
    return {
      title: 'Part of it is done',
      detail: `${count} transaction${count === 1 ? ' of the plan is' : 's of the plan are'} on chain, and no other was sent.${why} Your accounts show what is left to do.`,
    };
  }
  if (isHoldfastError(error)) {
    const { errorCode, message, suggestedAction, retryAfterSeconds } = error;
    return {
      title: titleOf(error),
      detail:
        limitWords(error) ??
        wordsFor(FALLBACKS, errorCode) ??
        [message, suggestedAction].filter(Boolean).join(' '),
      retryAfterSeconds,
    };
  }
  return {
    title: 'Something went wrong',
    detail: error instanceof Error ? error.message : 'No reason was given.',
  };
};
