// The language of the page: the visitor's choice, or else the browser's first language that the document
// offers.
import { recall, remember } from '../state/browser-storage.ts';

/** The languages of the catalog, each named in its own language. */
export const languageNames = { en: 'English', de: 'Deutsch' } as const;

/** A language of the catalog. */
export type Language = keyof typeof languageNames;

const KEY = 'holdfast.language';

/** Defined in a browser, but not in Node, where tests read figures of the page. */
const browser = globalThis as unknown as {
  readonly document?: {
    readonly documentElement: { lang: string; readonly dataset?: { languages?: string } };
  };
  readonly location: { readonly reload: () => void };
};
const root = browser.document?.documentElement;

/** True in the operator console, which is English and has 24 hours and UTC, like the alerts and the logs. */
export const isConsole = root !== undefined && root.dataset?.languages === undefined;

/** A document lists its languages in `data-languages`. */
const readLanguage = (): Language => {
  const offered = root?.dataset?.languages?.split(' ') ?? [];
  const wanted = [recall(KEY), ...navigator.languages.map((tag) => tag.split('-')[0])];
  return wanted.find((code): code is Language => offered.includes(code ?? '')) ?? 'en';
};

/** Never changes while the page is open. */
export const language: Language = root === undefined ? 'en' : readLanguage();

/** Locale for typed numbers. */
export const locale = { en: 'en-US', de: 'de-DE' }[language];

/** Locale for dates: the reader's own variant of the language, such as en-GB with its 24 hours. */
export const dateLocale =
  root === undefined
    ? locale
    : isConsole
      ? 'en-GB'
      : (navigator.languages.find((tag) => tag.startsWith(language)) ?? locale);

if (root !== undefined) root.lang = language;

/** Stores the choice and reloads the page in this language. */
export const chooseLanguage = (next: Language): void => {
  remember(KEY, next);
  browser.location.reload();
};
