// Shows the English country names of providers and operators in the page's language.
import { translatedCountry } from '../words/define-words.ts';

/** Returns the country's name in the page's language. Unknown names stay as they are. */
export const countryName = (english: string): string =>
  translatedCountry(english.replace(/^The /, '')) ?? english;

/** Translates the country at the end of a place, such as `Frankfurt, Germany`. */
export const placeName = (place: string): string =>
  place.replace(/[^,\s][^,]*$/, (last) => countryName(last));
