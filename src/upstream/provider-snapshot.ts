// A provider's response at one point in time: a value or null, with warnings.

import { type Notice, notice } from '../domain/notice.ts';
import type { ProviderFailureWord, ProviderName } from './provider-failure.ts';

/**
 * Reason why a value is null or incomplete. Any failure word means that there was no usable response.
 * `field-missing`: a documented field was absent or null. `field-invalid`: wrong type or out of range.
 * `row-invalid`: an entry without a usable key was dropped. `row-duplicate`: a second entry with the same key
 * was dropped. `validator-missing`: the response does not contain our validator.
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
  /** The provider's name for the field, if the warning is about a field. */
  readonly field?: string;
  /** Number of affected entries in a list. */
  readonly count?: number;
}

/** A provider's response. */
export interface Snapshot<T> {
  /** Null if the provider returned nothing usable and nothing recent enough is cached. */
  readonly value: T | null;
  /** Time of the request in Unix milliseconds; null if the value is null. */
  readonly fetchedAtMs: number | null;
  /** True if the value is no longer fresh. A new value is being fetched, or could not be fetched. */
  readonly stale: boolean;
  readonly warnings: readonly ProviderWarning[];
}

export interface ParsedResponse<T> {
  readonly value: T;
  readonly warnings: readonly ProviderWarning[];
}

const providerTitles: Readonly<Record<ProviderName, string>> = { stakewiz: 'StakeWiz', jito: 'Jito' };

const failureTexts: Readonly<Record<ProviderFailureWord, string>> = {
  unreachable: 'cannot be reached',
  timeout: 'did not respond in time',
  reset: 'closed the connection too early',
  'http-error': 'responded with an error',
  'rate-limited': 'is rate-limiting this service',
  'not-found': 'does not have the requested data',
  'too-large': 'sent a response above the size limit',
  garbage: 'sent a response that does not match its documentation',
  closed: 'is no longer queried because the service is stopping',
};

const entriesFigure = (count: number) => ({
  shown: count === 1 ? '1 entry' : `${count} entries`,
  value: count,
});

/** Describes the warning in one sentence, without the provider's content or URL. */
export const describeWarning = ({ provider, word, field, count }: ProviderWarning): Notice => {
  const figures = {
    provider: { shown: providerTitles[provider], value: provider },
    ...(count !== undefined && { entries: entriesFigure(count) }),
    field: field ?? 'a field',
  };
  const where = count === undefined ? '' : ' in {entries}';
  switch (word) {
    case 'field-missing':
      return notice('PROVIDER_FIELD_MISSING', `{provider} does not report {field}${where}.`, figures);
    case 'field-invalid':
      return notice(
        'PROVIDER_FIELD_INVALID',
        `{provider} reports an impossible value for {field}${where}. Impossible values are ignored.`,
        figures,
      );
    case 'row-invalid':
      return notice(
        'PROVIDER_ENTRIES_INVALID',
        '{provider} sent {entries} that cannot be read. Unreadable entries are ignored.',
        { ...figures, entries: entriesFigure(count ?? 1) },
      );
    case 'row-duplicate':
      return notice(
        'PROVIDER_ENTRIES_TWICE',
        '{provider} sent {entries} twice. Only the first of each is used.',
        {
          ...figures,
          entries: entriesFigure(count ?? 1),
        },
      );
    case 'validator-missing':
      return notice('PROVIDER_LACKS_VALIDATOR', '{provider} does not list this validator.', figures);
    default:
      return notice('PROVIDER_FAILED', '{provider} {failure}; its data is missing or outdated.', {
        provider: figures.provider,
        failure: { shown: failureTexts[word], value: word },
      });
  }
};
