// The operator's name and logo, linked to the first view.
import { brand } from '../state/document-brand.ts';
import { foreignText } from '../text/foreign-text.ts';
import { Icon } from '../ui/icon.tsx';
import { defineWords } from '../words/define-words.ts';
import { shellEnglish } from '../words/en/shell.ts';
import styles from './header.module.css';
import { Link } from './link.tsx';

const { say } = defineWords('shell', shellEnglish);

const name = foreignText(brand.name);

export const BrandLink = () => (
  <Link href="/" className={styles.brand} aria-label={say('home', { name })}>
    {brand.hasLogo ? (
      <img src="/icon" alt="" width={32} height={32} className={styles.picture} />
    ) : (
      <span className={styles.logo}>
        <Icon name="logo" size={20} />
      </span>
    )}
    <span className={styles.name}>{name}</span>
  </Link>
);
