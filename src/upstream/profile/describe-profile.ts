// Describes a profile in one line, for the banner, the log and the operator's health view.
import { accentColors } from './accent-colors.ts';
import { isUrl, type OperatorProfile } from './operator-profile-schema.ts';

const accentText = (accent: NonNullable<OperatorProfile['accentColor']>): string => {
  const colors = accentColors(accent);
  const given = typeof accent === 'string' ? [accent] : [accent.light, accent.dark];
  const each = (['light', 'dark'] as const).map(
    (theme) =>
      `${colors[theme]} on ${theme}${given.includes(colors[theme]) ? '' : ' (derived: its nearest readable shade)'}`,
  );
  return `accent ${each.join(', ')}`;
};

const logoText = (place: string | null): string =>
  place === null ? 'no logo' : `logo ${isUrl(place) ? `from ${new URL(place).origin}` : place}`;

/** Formats `Aurora, logo logo.svg, accent #5b3dc4 on light, #9d8be0 on dark (derived: …), hero, 2 links`. */
export const describeProfile = (profile: OperatorProfile): string => {
  const counted = ({ length }: readonly unknown[], one: string, more: string) =>
    length === 0 ? [] : [`${length} ${length === 1 ? one : more}`];
  return [
    profile.name ?? 'no name',
    logoText(profile.logo ?? profile.icon),
    profile.accentColor === null ? 'no accent' : accentText(profile.accentColor),
    ...(profile.hero === null ? [] : ['hero']),
    ...counted(profile.links, 'link', 'links'),
    ...(profile.terms === null ? [] : ['terms']),
    ...counted(profile.faq, 'question', 'questions'),
    ...(profile.preview === null ? [] : ['preview']),
  ].join(', ');
};
