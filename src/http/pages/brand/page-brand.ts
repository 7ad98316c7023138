// Brand data embedded in each document, so the page makes no extra request and does not change once it is
// visible.

/** Name of the `meta` element whose content is the brand as JSON. */
export const BRAND_META = 'holdfast-brand';

/** Name of the `meta` element whose content is the name of the cluster. */
export const CLUSTER_META = 'holdfast-cluster';

/** Brand data of the page. All texts are untrusted. */
export interface PageBrand {
  readonly name: string;
  /** True if `/icon` is the operator's picture rather than a generated pattern. */
  readonly hasLogo: boolean;
  readonly hero: string | null;
  readonly links: readonly { readonly label: string; readonly url: string }[];
  readonly terms: string | null;
  readonly faq: readonly { readonly question: string; readonly answer: string }[];
  readonly poweredBy: boolean;
}

/** Returns `Aurora` for "Aurora Stake" and "Aurora Staking", for sentences that already contain the word. */
export const nameWithoutStake = (name: string): string =>
  /^(.*\S)\s+stak(?:e|ing)$/iu.exec(name.trim())?.[1] ?? name;

/** Returns `Stake with Aurora`, also for "Aurora Staking". */
export const stakeButtonText = (name: string): string => `Stake with ${nameWithoutStake(name)}`;

/** Title of the page if the operator is unknown. */
export const PLAIN_BRAND: PageBrand = {
  name: 'Holdfast',
  hasLogo: false,
  hero: null,
  links: [],
  terms: null,
  faq: [],
  poweredBy: false,
};
