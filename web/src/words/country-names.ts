// Country names by their English name, from the browser's own data.

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** Returns the names in the language `locale`. */
export const countryNames = (locale: string): ReadonlyMap<string, string> => {
  const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const translated = new Intl.DisplayNames(locale, { type: 'region' });
  return new Map(
    LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).flatMap((code) => {
      const name = english.of(code);
      return name === undefined ? [] : [[name, translated.of(code)!]];
    }),
  );
};
