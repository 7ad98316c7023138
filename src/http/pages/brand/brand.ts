// The operator's brand as the service serves it now: made from the profile, again when that changes; a profile that broke meanwhile changes nothing.
import { type AccentColors, accentColors } from '../../../upstream/profile/accent-colors.ts';
import type { ProfileFile, ProfileReading, ReadProfile } from '../../../upstream/profile/operator-profile.ts';
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

const sameAs = (one: ProfileReading, other: ProfileReading): boolean =>
  one === other || (!one.ok && !other.ok && one.problems.join() === other.problems.join());

/** Never rejects. `onChange` is called with each reading that differs from the one before, and with a first one only where it is broken. */
export const createBrand = (
  profile: ProfileFile,
  onChange: (reading: ProfileReading) => void = () => undefined,
): CurrentBrand => {
  let last: { readonly reading: ReadProfile; readonly brand: Brand } | undefined;
  let seen: ProfileReading | undefined;
  return async () => {
    const reading = await profile.read(AbortSignal.timeout(5_000)).catch(() => null);
    if (reading === null) return last?.brand ?? plainBrand;
    if (reading.ok && reading !== last?.reading) last = { reading, brand: brandOf(reading) };
    const isTold = seen === undefined ? !reading.ok : !sameAs(seen, reading);
    seen = reading;
    if (isTold) onChange(reading);
    return last?.brand ?? plainBrand;
  };
};
