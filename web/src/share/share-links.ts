// Builds what can be shared: a link with an amount, and three lines of HTML for other websites.
import { parseSol } from '../../../src/domain/lamports.ts';
import { stakeButtonText } from '../../../src/http/pages/brand/page-brand.ts';
import { solField } from '../text/format-figures.ts';

const PLAIN_AMOUNT = /^\d{1,9}(?:\.\d{1,9})?$/;

/** Parses the amount in a link as text for the field; null unless it is a plain positive decimal number. */
export const amountOfQuery = (query: string): string | null => {
  const text = new URLSearchParams(query).get('amount') ?? '';
  const lamports = PLAIN_AMOUNT.test(text) ? parseSol(text) : 'not_a_number';
  return typeof lamports === 'bigint' && lamports > 0n ? solField(lamports) : null;
};

/** Builds a link. A null `amount` is omitted. */
export const stakeLink = (origin: string, amount: string | null): string =>
  `${origin}/${amount === null ? '' : `?amount=${amount}`}`;

const inAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Builds HTML for a link with a picture of a button, without script or frame, so the other website cannot
 * access the page. There are no spaces inside the link, because they would be underlined.
 */
export const buttonSnippet = (name: string, origin: string, link: string): string =>
  [
    `<a href="${inAttribute(link)}" rel="noopener"><img`,
    `  src="${inAttribute(origin)}/button.svg" height="44"`,
    `  alt="${inAttribute(stakeButtonText(name))}"></a>`,
  ].join('\n');
