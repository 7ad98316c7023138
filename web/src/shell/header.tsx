// The header of every view: name, menu, theme and wallet. On phones the menu is at the bottom, where thumbs can
// reach it.
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/icon.tsx';
import { WalletButton } from '../wallet/wallet-button.tsx';
import { defineWords } from '../words/define-words.ts';
import { shellEnglish } from '../words/en/shell.ts';
import { BrandLink } from './brand-link.tsx';
import styles from './header.module.css';
import { Link } from './link.tsx';
import { usePath } from './page-router.ts';
import { ThemeButton } from './theme-button.tsx';
import { views } from './views.ts';

const { say } = defineWords('shell', shellEnglish);

const Menu = () => {
  const path = usePath();
  return (
    <nav className={styles.menu} aria-label={say('views')}>
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
                <span>{say(view.name)}</span>
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  );
};

export const Header = () => (
  <header className={styles.header}>
    <div className={styles.inner}>
      <BrandLink />
      <Menu />
      <div className={styles.end}>
        <ThemeButton />
        <WalletButton />
      </div>
    </div>
  </header>
);
