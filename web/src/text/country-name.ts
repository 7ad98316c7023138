// Translates the English country names of providers and operators.
import { language } from '../words/language.ts';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** The region codes by English name. */
const codesByName = (): ReadonlyMap<string, string> => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return new Map(
    LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).flatMap((code) => {
      const name = names.of(code);
      return name === undefined ? [] : [[name, code]];
    }),
  );
};

let codes: ReadonlyMap<string, string> | undefined;

/** Returns the country's name in the page's language; other names unchanged. */
export const countryName = (name: string, locale: string = language): string => {
  if (locale === 'en') return name;
  codes ??= codesByName();
  const code = codes.get(name.replace(/^The /, ''));
  return (code && new Intl.DisplayNames(locale, { type: 'region' }).of(code)) ?? name;
};

/** Translates the country at the end of a place, such as `Frankfurt, Germany`. */
export const placeName = (place: string, locale?: string): string =>
  place.replace(/[^,]*$/, (last) => last.replace(last.trim(), countryName(last.trim(), locale)));
