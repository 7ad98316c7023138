// Builds sentences of the catalog in the page's language.
import { createElement, Fragment, type ReactNode } from 'react';
import { compileMessage } from './compile-catalog-text.ts';
import { language } from './language.ts';
import type { MessageArguments } from './message-arguments.ts';

type Messages = Readonly<Record<string, string>>;

/** Texts in another language, with the same ids as the English ones. */
export type Translation<English extends Messages> = { readonly [Id in keyof English]: string };

type ValuesOf<Text extends string, Value> = [MessageArguments<Text>] extends [never]
  ? [values?: Record<string, never>]
  : [values: { readonly [Name in MessageArguments<Text>]: Value }];

/** Ids of sentences without values, for tables of them. */
export type SimpleId<English extends Messages> = {
  [Id in keyof English & string]: [MessageArguments<English[Id]>] extends [never] ? Id : never;
}[keyof English & string];

let translations: Readonly<Record<string, Messages>> = {};
let countries: ReadonlyMap<string, string> | undefined;

/**
 * Adds the texts of the page's language, by area, and its country names by their English name. English is the
 * fallback for every text.
 */
export const addTranslations = (
  areas: Readonly<Record<string, Messages>>,
  countryNames?: ReadonlyMap<string, string>,
): void => {
  translations = areas;
  countries = countryNames;
};

/** Returns the country's name in the page's language; undefined for English and for an unknown name. */
export const translatedCountry = (english: string): string | undefined => countries?.get(english);

/**
 * Translates the service's English texts to the page's language. Null if the catalog lacks a text, or needs
 * a value that the service does not send.
 */
export const translate = (
  area: string,
  id: string,
  values: Readonly<Record<string, string | number>>,
): string | null => {
  const translated = translations[area]?.[id];
  if (translated === undefined) return null;
  try {
    const parts = compileMessage(translated, language)(values).flat(2);
    return parts.includes(undefined) ? null : parts.join('');
  } catch {
    // A missing value throws outside the browser.
    return null;
  }
};

/**
 * Returns the functions that build the sentences of an area. `say` is for texts, `sayWith` for sentences with
 * elements as values. Neither may be called while a module loads, because translations arrive later.
 *
 * @example const { say } = defineWords('shell', shellEnglish); say('cluster', { name: 'devnet' }); //
 * Cluster: devnet
 */
export const defineWords = <const English extends Messages>(area: string, english: English) => {
  const partsOf = (id: keyof English & string, values: object = {}): readonly unknown[] => {
    const translated = translations[area]?.[id];
    const message =
      translated === undefined ? compileMessage(english[id]!, 'en') : compileMessage(translated, language);
    return message(values).flat(2);
  };
  return {
    say: <Id extends keyof English & string>(
      id: Id,
      ...[values]: ValuesOf<English[Id], string | number>
    ): string => partsOf(id, values).join(''),
    sayWith: <Id extends keyof English & string>(
      id: Id,
      ...[values]: ValuesOf<English[Id], ReactNode>
    ): ReactNode => createElement(Fragment, null, ...(partsOf(id, values) as ReactNode[])),
  };
};
