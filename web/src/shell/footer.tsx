// The footer of every view: a description of the service, and links for developers and reviewers.
import { ShareButton } from '../share/share-button.tsx';
import { cluster } from '../state/cluster.ts';
import { brand } from '../state/document-brand.ts';
import { foreignText } from '../text/foreign-text.ts';
import { Button } from '../ui/controls/button.tsx';
import { defineWords } from '../words/define-words.ts';
import { shellEnglish } from '../words/en/shell.ts';
import { chooseLanguage, language, languageNames } from '../words/language.ts';
import styles from './footer.module.css';

const { say } = defineWords('shell', shellEnglish);

/** Each language is named in its own words, for readers who do not understand the current one. */
const LanguageButton = () => {
  const other = language === 'en' ? 'de' : 'en';
  return (
    <Button size="s" kind="quiet" lang={other} onClick={() => chooseLanguage(other)}>
      {languageNames[other]}
    </Button>
  );
};

export const Footer = () => {
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <p>{say('footerPromise')}</p>
        <nav aria-label={say('footerLinks')}>
          {brand.links.map(({ label, url }) => (
            <a key={label} href={url}>
              {foreignText(label)}
            </a>
          ))}
          {brand.terms !== null && <a href={brand.terms}>{say('terms')}</a>}
          <a href="/docs/guides/risks">{say('risks')}</a>
          <a href="/docs">{say('documentation')}</a>
          <a href="/docs/reference">{say('apiReference')}</a>
          <a href="/ready">{say('status')}</a>
          <span>{say('cluster', { name: cluster })}</span>
          <LanguageButton />
        </nav>
        <ShareButton />
        {brand.poweredBy && <p className={styles.powered}>{say('poweredBy')}</p>}
      </div>
    </footer>
  );
};
