// Holds the operator's current brand, rebuilt when the profile changes. An invalid profile leaves the brand
// unchanged.
import { type AccentColors, accentColors } from '../../../upstream/profile/accent-colors.ts';
import type {
  ProfileFile,
  ProfileOrMistakes,
  ReadProfile,
} from '../../../upstream/profile/operator-profile.ts';
import type { Picture } from '../../../upstream/profile/picture.ts';
import { type PageBrand, PLAIN_BRAND } from './page-brand.ts';

export interface Brand {
  readonly page: PageBrand;
  readonly description: string | null;
  /** Null for the page's default colors. */
  readonly accent: AccentColors | null;
  /** The operator's logo file; null if there is none or browsers load it from another site. */
  readonly logo: Picture | null;
  readonly preview: Picture | null;
}

/** Returns the current brand: the same object until it changes. */
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
    // Without a name set by the operator, the title is already "Holdfast", so "Powered by Holdfast" is omitted.
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
 * Creates the current brand, which never rejects. Calls `onChange` whenever the profile has changed since it
 * was last read; on the first read, only if the profile is invalid.
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
