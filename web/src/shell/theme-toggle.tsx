// Switches between the system's choice, light and dark.
import { Button } from '../ui/button.tsx';
import { useStore } from '../ui/store.ts';
import { chooseTheme, type Theme, theme } from '../ui/theme.ts';

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const ICONS = { system: 'auto', light: 'sun', dark: 'moon' } as const;

/** One button; its label says what it is now. */
export const ThemeToggle = () => {
  const now = useStore(theme);
  return (
    <Button
      kind="quiet"
      icon={ICONS[now]}
      aria-label={`Theme: ${now}. Switch to ${NEXT[now]}`}
      title={`Theme: ${now}`}
      onClick={() => chooseTheme(NEXT[now])}
    />
  );
};
