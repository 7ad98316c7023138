// What the page is told of the operator's brand: a member of each document, so that nothing is asked for and nothing changes while one looks.

/** Name of the `meta` element whose content is the brand as JSON. */
export const BRAND_META = 'holdfast-brand';

/** The brand as the page shows it. All texts are other people's. */
export interface PageBrand {
  readonly name: string;
  /** `/icon` is the operator's picture, not a pattern. */
  readonly hasLogo: boolean;
  readonly hero: string | null;
  readonly links: readonly { readonly label: string; readonly url: string }[];
  readonly terms: string | null;
  readonly faq: readonly { readonly question: string; readonly answer: string }[];
  readonly poweredBy: boolean;
}

/** `Stake with Aurora`, also where the name is "Aurora Stake" or "Aurora Staking": the word is not said twice. */
export const stakeWith = (name: string): string =>
  `Stake with ${/^(.*\S)\s+stak(?:e|ing)$/iu.exec(name.trim())?.[1] ?? name}`;

/** Whose service it is where nobody says. */
export const PLAIN_BRAND: PageBrand = {
  name: 'Holdfast',
  hasLogo: false,
  hero: null,
  links: [],
  terms: null,
  faq: [],
  poweredBy: false,
};
