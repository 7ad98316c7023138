// A provider's answer at one time: a value or null, with warnings.
import type { ProviderFailureWord, ProviderName } from './provider-failure.ts';

/**
 * Why a value is null or incomplete. Any failure word means that there is no usable answer. `field-missing`:
 * a documented field was absent or null. `field-invalid`: wrong type or out of range. `row-invalid`: an entry
 * without a usable key was dropped. `row-duplicate`: a second entry with the same key was dropped.
 * `validator-missing`: the answer does not contain our validator.
 */
type WarningWord =
  | ProviderFailureWord
  | 'field-missing'
  | 'field-invalid'
  | 'row-invalid'
  | 'row-duplicate'
  | 'validator-missing';

/** One warning. */
export interface ProviderWarning {
  readonly provider: ProviderName;
  readonly word: WarningWord;
  /** The provider's name of the field, if the warning is about one. */
  readonly field?: string;
  /** Number of affected entries in a list. */
  readonly count?: number;
}

/** An answer of a provider. */
export interface Snapshot<T> {
  /** Null if the provider gave nothing usable and nothing recent enough is cached. */
  readonly value: T | null;
  /** Time of the request in Unix ms; null if the value is null. */
  readonly fetchedAtMs: number | null;
  /**
   * True if the value is older than its fresh lifetime. A new one is being fetched, or could not be fetched.
   */
  readonly stale: boolean;
  readonly warnings: readonly ProviderWarning[];
}

/** Parsed content of one answer. */
export interface Reading<T> {
  readonly value: T;
  readonly warnings: readonly ProviderWarning[];
}

const providerTitles: Readonly<Record<ProviderName, string>> = { stakewiz: 'StakeWiz', jito: 'Jito' };

const failureTexts: Readonly<Record<ProviderFailureWord, string>> = {
  unreachable: 'cannot be reached',
  timeout: 'did not answer in time',
  reset: 'ended its answer too early',
  'http-error': 'answered with an error',
  'rate-limited': 'rate-limits us at the moment',
  'not-found': 'does not have the requested data',
  'too-large': 'sent an answer above the size limit',
  garbage: 'sent an answer that does not match its documentation',
  closed: 'is no longer used: the service is stopping',
};

const entries = (count: number): string => (count === 1 ? '1 entry' : `${count} entries`);

/** Describes the warning for people, without provider content and without URL. */
export const describeWarning = ({ provider, word, field, count }: ProviderWarning): string => {
  const title = providerTitles[provider];
  const where = count === undefined ? '' : ` in ${entries(count)}`;
  switch (word) {
    case 'field-missing':
      return `${title} lacks ${field ?? 'a field'}${where}.`;
    case 'field-invalid':
      return `${title} has an impossible value for ${field ?? 'a field'}${where}, which is ignored.`;
    case 'row-invalid':
      return `${title} sent ${entries(count ?? 1)} that cannot be read and are ignored.`;
    case 'row-duplicate':
      return `${title} sent ${entries(count ?? 1)} twice; the first counts.`;
    case 'validator-missing':
      return `${title} does not list this validator.`;
    default:
      return `${title} ${failureTexts[word]}; its data is missing or outdated.`;
  }
};
