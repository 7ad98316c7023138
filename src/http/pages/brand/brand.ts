// The operator's brand as the service serves it now: made from the profile, again when that changes; a profile that broke meanwhile changes nothing.
import { type AccentColors, accentColors } from '../../../upstream/profile/accent-colors.ts';
import type { ProfileFile, ReadProfile } from '../../../upstream/profile/operator-profile.ts';
import type { Picture } from '../../../upstream/profile/picture.ts';
import { type PageBrand, PLAIN_BRAND } from './page-brand.ts';

/** Everything that documents and pictures are made of. */
export interface Brand {
  readonly page: PageBrand;
  readonly description: string | null;
  /** Null: the page's own. */
  readonly accent: AccentColors | null;
  /** The operator's file; null: fetched from elsewhere, or none. */
  readonly logo: Picture | null;
  readonly preview: Picture | null;
}

/** The brand now; the same object while nothing changed. */
export type CurrentBrand = () => Promise<Brand>;

/** Where nobody says whose service it is. */
export const plainBrand: Brand = {
  page: PLAIN_BRAND,
  description: null,
  accent: null,
  logo: null,
  preview: null,
};

const brandOf = ({ profile, logo, preview }: ReadProfile): Brand => ({
  page: {
    name: profile.name ?? PLAIN_BRAND.name,
    hasLogo: profile.logo !== null || profile.icon !== null,
    hero: profile.hero,
    links: profile.links,
    terms: profile.terms,
    faq: profile.faq,
    // Where the page has no other name, it says so already.
    poweredBy: profile.poweredBy && profile.name !== null,
  },
  description: profile.description,
  accent: profile.accentColor === null ? null : accentColors(profile.accentColor),
  ...{ logo, preview },
});

/** Never rejects. `onProblems` is called when a file that was read before breaks, once for each way in which it is broken. */
export const createBrand = (
  profile: ProfileFile,
  onProblems: (problems: readonly string[]) => void = () => undefined,
): CurrentBrand => {
  let last: { readonly reading: ReadProfile; readonly brand: Brand } | undefined;
  let told = '';
  return async () => {
    const reading = await profile.read(AbortSignal.timeout(5_000)).catch(() => null);
    if (reading?.ok === true && reading !== last?.reading) last = { reading, brand: brandOf(reading) };
    const problems = reading?.ok === false ? reading.problems : [];
    if (problems.length > 0 && problems.join() !== told) onProblems(problems);
    if (reading !== null) told = problems.join();
    return last?.brand ?? plainBrand;
  };
};
