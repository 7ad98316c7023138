// The operator's current brand, rebuilt when the profile changes. A profile that becomes invalid leaves the brand unchanged.
import { type AccentColors, accentColors } from '../../../upstream/profile/accent-colors.ts';
import type {
  ProfileFile,
  ProfileOrMistakes,
  ReadProfile,
} from '../../../upstream/profile/operator-profile.ts';
import type { Picture } from '../../../upstream/profile/picture.ts';
import { type PageBrand, PLAIN_BRAND } from './page-brand.ts';

/** Data for documents and pictures. */
export interface Brand {
  readonly page: PageBrand;
  readonly description: string | null;
  /** Null for the page's default. */
  readonly accent: AccentColors | null;
  /** The operator's file; null if fetched from elsewhere or absent. */
  readonly logo: Picture | null;
  readonly preview: Picture | null;
}

/** The current brand; the same object until it changes. */
export type CurrentBrand = () => Promise<Brand>;

/** The brand of a service without a profile. */
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
    // Without a different name, the title already contains it.
    poweredBy: profile.poweredBy && profile.name !== null,
  },
  description: profile.description,
  accent: profile.accentColor === null ? null : accentColors(profile.accentColor),
  logo,
  preview,
});

const sameAs = (one: ProfileOrMistakes, other: ProfileOrMistakes): boolean =>
  one === other || (!one.ok && !other.ok && one.problems.join() === other.problems.join());

/**
 * Never rejects. Calls `onChange` whenever the result differs from the previous one. For the first read,
 * calls it only if the profile is invalid.
 */
export const createBrand = (
  profile: ProfileFile,
  onChange: (reading: ProfileOrMistakes) => void = () => undefined,
): CurrentBrand => {
  let last: { readonly reading: ReadProfile; readonly brand: Brand } | undefined;
  let seen: ProfileOrMistakes | undefined;
  return async () => {
    const reading = await profile.read(AbortSignal.timeout(5_000)).catch(() => null);
    if (reading === null) return last?.brand ?? plainBrand;
    if (reading.ok && reading !== last?.reading) last = { reading, brand: brandOf(reading) };
    const isReportable = seen === undefined ? !reading.ok : !sameAs(seen, reading);
    seen = reading;
    if (isReportable) onChange(reading);
    return last?.brand ?? plainBrand;
  };
};
