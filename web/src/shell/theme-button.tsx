// Switches between the system's theme, light and dark.
import { useStore } from '../state/create-store.ts';
import { chooseTheme, type Theme, theme } from '../state/theme.ts';
import { Button } from '../ui/controls/button.tsx';
import { defineWords } from '../words/define-words.ts';
import { shellEnglish } from '../words/en/shell.ts';

const { say } = defineWords('shell', shellEnglish);

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const ICONS = { system: 'auto', light: 'sun', dark: 'moon' } as const;

export const ThemeButton = () => {
  const now = useStore(theme);
  return (
    <Button
      kind="quiet"
      icon={ICONS[now]}
      aria-label={say('themeSwitch', { now: say(now), next: say(NEXT[now]) })}
      title={say('theme', { now: say(now) })}
      onClick={() => chooseTheme(NEXT[now])}
    />
  );
};
