// A provider's answer at one time: a value or null, with warnings.
import type { ProviderFailureWord, ProviderName } from './provider-failure.ts';

/**
 * Why something is null. A failure word: nothing came. `field-missing`: a field that is always documented was absent or null.
 * `field-invalid`: of another type or out of range. `row-invalid`: an entry without a usable key was left out. `row-duplicate`: a second entry
 * of one key was left out. `validator-missing`: the answer does not name our validator.
 */
type WarningWord =
  | ProviderFailureWord
  | 'field-missing'
  | 'field-invalid'
  | 'row-invalid'
  | 'row-duplicate'
  | 'validator-missing';

/** One reason. */
export interface ProviderWarning {
  readonly provider: ProviderName;
  readonly word: WarningWord;
  /** The provider's own name of the field, where one is concerned. */
  readonly field?: string;
  /** How many entries of a list are concerned. */
  readonly count?: number;
}

/** An answer of a provider. */
export interface Snapshot<T> {
  /** Null when the provider gave nothing usable and nothing recent enough is cached. */
  readonly value: T | null;
  /** When the value was asked for, Unix ms; null with a null value. */
  readonly fetchedAtMs: number | null;
  /** True when the value is past its fresh lifetime and a new one is being fetched or failed to come. */
  readonly stale: boolean;
  readonly warnings: readonly ProviderWarning[];
}

/** What an adapter made of one answer. */
export interface Reading<T> {
  readonly value: T;
  readonly warnings: readonly ProviderWarning[];
}

const providerTitles: Readonly<Record<ProviderName, string>> = { stakewiz: 'StakeWiz', jito: 'Jito' };

const failureTexts: Readonly<Record<ProviderFailureWord, string>> = {
  unreachable: 'cannot be reached',
  timeout: 'did not answer in time',
  reset: 'broke off its answer',
  'http-error': 'answered with an error',
  'rate-limited': 'limits our requests for now',
  'not-found': 'does not know what was asked for',
  'too-large': 'answered with more than is read',
  garbage: 'answered with something else than documented',
  closed: 'is not asked any more: the service is stopping',
};

const entries = (count: number): string => (count === 1 ? '1 entry' : `${count} entries`);

/** The warning as a sentence for people; holds nothing that the provider sent and no URL. */
export const describeWarning = ({ provider, word, field, count }: ProviderWarning): string => {
  const title = providerTitles[provider];
  const where = count === undefined ? '' : ` in ${entries(count)}`;
  switch (word) {
    case 'field-missing':
      return `${title} does not say ${field ?? 'a field'}${where}.`;
    case 'field-invalid':
      return `${title} says something impossible as ${field ?? 'a field'}${where}; it is left out.`;
    case 'row-invalid':
      return `${title} sent ${entries(count ?? 1)} that cannot be read; left out.`;
    case 'row-duplicate':
      return `${title} sent ${entries(count ?? 1)} twice; the first counts.`;
    case 'validator-missing':
      return `${title} does not list this validator.`;
    default:
      return `${title} ${failureTexts[word]}; what it would say is missing or older.`;
  }
};
