// Describes every failure of a call or a wallet for people: what went wrong and what to do.
import { type HoldfastError, isHoldfastError } from '../../../client/holdfast-error.ts';
import { StoppedHalfway } from '../../../client/staking/staking-errors.ts';
import { TitledError } from '../text/titled-error.ts';

/** A failure described for people. */
export interface DescribedError {
  readonly title: string;
  readonly detail: string;
  /** Seconds after which a retry makes sense, if known. */
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

/** Reads that depend only on a statistics provider, not on the cluster. */
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

/** Own members only: an unknown code may be named like a member of every object. */
const wordsFor = (table: Readonly<Record<string, string>>, code: string): string | undefined =>
  Object.hasOwn(table, code) ? table[code] : undefined;

const titleOf = ({ errorCode, operation }: HoldfastError): string =>
  errorCode === 'UPSTREAM_UNAVAILABLE' && PROVIDER_READS.includes(operation)
    ? 'The statistics provider does not answer'
    : (wordsFor(TITLES, errorCode) ?? sentence(errorCode));

/** The limit is shared by everyone behind one address and resets soon. */
const limitWords = ({ errorCode, retryAfterSeconds }: HoldfastError): string | undefined =>
  errorCode !== 'RATE_LIMITED'
    ? undefined
    : `Many requests came from your network. Try again in ${retryAfterSeconds === undefined ? 'a minute' : `${retryAfterSeconds} s`}.`;

/** Describes any thrown value. */
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
