// The header of every view: name, menu, theme and wallet. On phones the menu is at the bottom, within reach
// of the thumbs.

import { brand } from '../state/brand.ts';
import { useStore } from '../state/create-store.ts';
import { chooseTheme, type Theme, theme } from '../state/theme.ts';
import { foreignText } from '../text/foreign-text.ts';
import { classNames } from '../ui/class-names.ts';
import { Button } from '../ui/controls/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { WalletButton } from '../wallet/wallet-button.tsx';
import styles from './header.module.css';
import { Link } from './link.tsx';
import { usePath } from './router.ts';
import { views } from './views.ts';

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const ICONS = { system: 'auto', light: 'sun', dark: 'moon' } as const;

/** One button whose label shows the current theme. */
const ThemeToggle = () => {
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

const Menu = () => {
  const path = usePath();
  return (
    <nav className={styles.menu} aria-label="Views">
      <ul>
        {views
          .filter(({ inMenu = true }) => inMenu)
          .map((view) => (
            <li key={view.path}>
              <Link
                href={view.path}
                className={classNames(styles.item, path === view.path && styles.here)}
                aria-current={path === view.path ? 'page' : undefined}
              >
                <Icon name={view.icon} size={20} />
                <span>{view.name}</span>
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  );
};

const name = foreignText(brand.name);

/** Rendered once. */
export const Header = () => (
  <header className={styles.header}>
    <div className={styles.inner}>
      <Link href="/" className={styles.brand} aria-label={`${name} home`}>
        {brand.hasLogo ? (
          <img src="/icon" alt="" width={32} height={32} className={styles.picture} />
        ) : (
          <span className={styles.logo}>
            <Icon name="logo" size={20} />
          </span>
        )}
        <span className={styles.name}>{name}</span>
      </Link>
      <Menu />
      <div className={styles.end}>
        <ThemeToggle />
        <WalletButton />
      </div>
    </div>
  </header>
);
