// The operator console: the header, the menu, and the section that the path selects. It asks for the token
// first.
import { useEffect, useRef } from 'react';
import app from '../app.module.css';
import { BrandLink } from '../shell/brand-link.tsx';
import { ConnectionBanner } from '../shell/connection-banner.tsx';
import header from '../shell/header.module.css';
import { Link } from '../shell/link.tsx';
import { usePath } from '../shell/page-router.ts';
import { ThemeButton } from '../shell/theme-button.tsx';
import { ViewBoundary } from '../shell/view-boundary.tsx';
import { useStore } from '../state/create-store.ts';
import { brand } from '../state/document-brand.ts';
import { ViewHeading } from '../ui/card.tsx';
import { classNames } from '../ui/class-names.ts';
import { Button } from '../ui/controls/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Notice } from '../ui/notice.tsx';
import { criticalNotice, Notices } from '../ui/notice-list.tsx';
import { Toasts } from '../ui/toasts.tsx';
import styles from './console.module.css';
import { menuCounts, wasDelinquentText } from './health/health-words.ts';
import { useHealth } from './operator-reads.ts';
import { sections } from './sections.ts';
import { forgetToken, operatorToken } from './tab-token.ts';
import { TokenForm } from './token-form.tsx';

const Menu = () => {
  const path = usePath();
  const health = useHealth().data;
  const counts = health === undefined ? {} : menuCounts(health);
  return (
    <nav className={styles.rail} aria-label="Sections">
      <ul>
        {sections.map((section) => (
          <li key={section.path}>
            <Link
              href={section.path}
              className={classNames(styles.item, path === section.path && styles.here)}
              aria-current={path === section.path ? 'page' : undefined}
            >
              <Icon name={section.icon} size={20} />
              <span>{section.name}</span>
              {(counts[section.path] ?? 0) > 0 && (
                <span className={styles.faults}>
                  {counts[section.path]}
                  <span className="visually-hidden"> to look at</span>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
};

/**
 * Renders the critical notice that stakers see, above every section. While the chain cannot be read, says what
 * was last known.
 */
const CriticalNotice = () => {
  const health = useHealth().data;
  const critical = criticalNotice(health?.notices);
  const last = wasDelinquentText(health);
  return (
    (critical !== undefined || last !== null) && (
      <div className={styles.critical}>
        {critical !== undefined ? <Notices notices={[critical]} /> : <Notice tone="bad">{last}</Notice>}
      </div>
    )
  );
};

const NotFound = () => (
  <>
    <ViewHeading title="Page not found">This page does not exist.</ViewHeading>
    <Link href="/">Back to the overview</Link>
  </>
);

const Opened = () => {
  const path = usePath();
  const main = useRef<HTMLElement>(null);
  const before = useRef(path);
  const section = sections.find((candidate) => candidate.path === path);
  useEffect(() => {
    document.title = `${section?.name ?? 'Page not found'} · Operator console · ${brand.name}`;
    if (before.current !== path) main.current?.querySelector('h1')?.focus({ preventScroll: true });
    before.current = path;
  }, [path, section]);
  const Shown = section?.component ?? NotFound;
  return (
    <div className={styles.columns}>
      <Menu />
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        <CriticalNotice />
        <ViewBoundary resetKey={path}>
          <Shown />
        </ViewBoundary>
      </main>
    </div>
  );
};

export const Console = () => {
  const isOpen = useStore(operatorToken) !== null;
  return (
    <>
      <a href="#main" className={app.skip}>
        Skip to content
      </a>
      <header className={header.header}>
        <div className={classNames(header.inner, styles.wide)}>
          <BrandLink />
          <span className={styles.title}>Operator console</span>
          <div className={header.end}>
            <a href="/docs" className={styles.api}>
              API
            </a>
            <ThemeButton />
            {isOpen && (
              <Button kind="quiet" size="s" icon="key" onClick={() => forgetToken(false)}>
                Lock
              </Button>
            )}
          </div>
        </div>
      </header>
      <ConnectionBanner />
      {isOpen ? (
        <Opened />
      ) : (
        <main id="main" tabIndex={-1} className={styles.main}>
          <TokenForm />
        </main>
      )}
      <Toasts />
    </>
  );
};
