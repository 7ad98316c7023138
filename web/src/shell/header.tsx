// The head of every view: name, menu, theme and wallet; on a phone the menu stands at the bottom, where thumbs are.
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/icon.tsx';
import { WalletButton } from '../wallet/wallet-button.tsx';
import styles from './header.module.css';
import { Link } from './link.tsx';
import { usePath } from './router.ts';
import { ThemeToggle } from './theme-toggle.tsx';
import { views } from './views.ts';

const Menu = () => {
  const path = usePath();
  return (
    <nav className={styles.menu} aria-label="Views">
      <ul>
        {views.map((view) => (
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

/** Stands once. */
export const Header = () => (
  <header className={styles.header}>
    <div className={styles.inner}>
      <Link href="/" className={styles.brand} aria-label="Holdfast, to the start">
        <span className={styles.logo}>
          <Icon name="logo" size={20} />
        </span>
        <span className={styles.name}>Holdfast</span>
      </Link>
      <Menu />
      <div className={styles.end}>
        <ThemeToggle />
        <WalletButton />
      </div>
    </div>
  </header>
);
