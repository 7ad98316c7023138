// Translates the English texts of the service to the page's language by their codes if the catalog has
// them.

import { parseSol } from '../../../src/domain/lamports.ts';
import { shortAddress } from '../../../src/domain/short-address.ts';
import { translate } from '../words/define-words.ts';
import { locale } from '../words/language.ts';
import { dateText, solText } from './format-figures.ts';

const ADDRESS = /\b[1-9A-HJ-NP-Za-km-z]{32,44}\b/g;
const TIME = /^\d{4}-\d\d-\d\dT/;

/** Formats an amount of the service, a number or a decimal, like the page's amounts. */
export const amountText = (sol: unknown): string => {
  const lamports = parseSol(String(sol));
  return typeof lamports === 'bigint' ? solText(lamports) : String(sol);
};

/** Formats a figure of the service. Whole numbers stay numbers, for plurals. */
const shown = (name: string, value: string | number): string | number => {
  if (/Sol$/.test(name)) return amountText(value);
  if (typeof value === 'number') return Number.isInteger(value) ? value : value.toLocaleString(locale);
  return TIME.test(value) ? dateText(value) : value.replaceAll(ADDRESS, shortAddress);
};

/** Returns the first of the texts `ids` that the catalog has; otherwise the service's own `english`, with short addresses. */
export const serviceText = (
  area:
    | 'serviceTitles'
    | 'serviceErrors'
    | 'serviceIssues'
    | 'serviceNotices'
    | 'servicePatterns'
    | 'serviceStates',
  ids: readonly string[],
  params: Readonly<Record<string, string | number>>,
  english: string,
): string => {
  const values = Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, shown(name, value)]),
  );
  for (const id of ids) {
    const text = translate(area, id, values);
    if (text !== null) return text;
  }
  return english.replaceAll(ADDRESS, shortAddress);
};

/** Returns the text of an error or a refusal; `english` is the service's own. */
export const errorText = (
  {
    errorCode,
    reason,
    params = {},
  }: {
    readonly errorCode: string;
    readonly reason?: string | undefined;
    readonly params?: Readonly<Record<string, string | number>> | undefined;
  },
  english: string,
): string =>
  serviceText(
    'serviceErrors',
    reason === undefined ? [errorCode] : [`${errorCode} ${reason}`, errorCode],
    params,
    english,
  );
