// Describes every failure of a call or a wallet to users: what went wrong and what to do.
import { type HoldfastError, isHoldfastError } from '../../../client/holdfast-error.ts';
import { errorText, serviceText } from '../text/service-text.ts';
import { TitledError } from '../text/titled-error.ts';
import { defineWords } from '../words/define-words.ts';
import { errorsEnglish } from '../words/en/errors.ts';
import { language } from '../words/language.ts';

const { say } = defineWords('errors', errorsEnglish);

/** A failure described for users. */
export interface DescribedError {
  readonly title: string;
  readonly detail: string;
  /** Seconds after which a retry makes sense, if known. */
  readonly retryAfterSeconds?: number | undefined;
}

/** Reads that depend only on a statistics provider, not on the cluster. */
const PROVIDER_READS: readonly string[] = ['peerDensity'];

const FALLBACKS: Readonly<
  Record<string, 'networkText' | 'upstreamText' | 'storeText' | 'stillPossibleText'>
> = {
  NETWORK: 'networkText',
  TIMEOUT: 'upstreamText',
  UPSTREAM_UNAVAILABLE: 'upstreamText',
  STORE_UNAVAILABLE: 'storeText',
  STILL_POSSIBLE: 'stillPossibleText',
};

const sentence = (code: string): string => {
  const text = code.replaceAll('_', ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
};

type TitleId = Extract<keyof typeof errorsEnglish, Uppercase<string>>;

/** Checks own properties only, because an unknown code may have the name of an inherited property. */
const isTitle = (code: string): code is TitleId =>
  /^[A-Z_]+$/.test(code) && Object.hasOwn(errorsEnglish, code);

const titleOf = ({ errorCode, operation }: HoldfastError): string =>
  errorCode === 'UPSTREAM_UNAVAILABLE' && PROVIDER_READS.includes(operation)
    ? say('provider')
    : isTitle(errorCode)
      ? say(errorCode)
      : serviceText('serviceTitles', [errorCode], {}, sentence(errorCode));

/** Says "your network", because all users behind one address share the limit. */
const limitWords = (seconds: number | undefined): string =>
  seconds === undefined ? say('rateLimitedMinute') : say('rateLimited', { seconds });

/** Lists the issues of a refused input, each after the name of its field. */
const issuesText = (issues: HoldfastError['details'] = []): string =>
  issues
    .map(({ path, code, message, params = {} }) =>
      [path, serviceText('serviceIssues', [code], params, message)].filter(Boolean).join(': '),
    )
    .join('; ');

const detailOf = (error: HoldfastError): string => {
  const { errorCode, message, operation, suggestedAction, retryAfterSeconds, details } = error;
  if (errorCode === 'RATE_LIMITED') return limitWords(retryAfterSeconds);
  if (Object.hasOwn(FALLBACKS, errorCode) && !PROVIDER_READS.includes(operation))
    return say(FALLBACKS[errorCode]!);
  const text = errorText(error, [message, suggestedAction].filter(Boolean).join(' '));
  // The English text already contains the issues.
  return language === 'en' || details === undefined ? text : `${text} ${issuesText(details)}.`;
};

/** Describes any thrown value. */
export const describeError = (error: unknown): DescribedError => {
  if (error instanceof TitledError) return { title: error.title, detail: error.message };
  if (isHoldfastError(error))
    return {
      title: titleOf(error),
      detail: detailOf(error),
      retryAfterSeconds: error.retryAfterSeconds,
    };
  return {
    title: say('unknown'),
    detail: error instanceof Error ? error.message : say('noReason'),
  };
};
