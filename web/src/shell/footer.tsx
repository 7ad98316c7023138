// The footer of every view: what the service is, and links for developers and reviewers.
import { ShareButton } from '../share/share-button.tsx';
import { brand } from '../state/brand.ts';
import { cluster } from '../state/cluster.ts';
import { foreignText } from '../text/foreign-text.ts';
import styles from './footer.module.css';

/** Rendered once. */
export const Footer = () => {
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <p>
          Native stake, no derivative token. Your wallet keeps both authorities. This service never holds your
          keys.
        </p>
        <nav aria-label="More">
          {brand.links.map(({ label, url }) => (
            <a key={label} href={url}>
              {foreignText(label)}
            </a>
          ))}
          {brand.terms !== null && <a href={brand.terms}>Terms</a>}
          <a href="/docs">Documentation</a>
          <a href="/docs/reference">API reference</a>
          <a href="/ready">Status</a>
          <span>Cluster: {cluster}</span>
        </nav>
        <ShareButton />
        {brand.poweredBy && <p className={styles.powered}>Powered by Holdfast</p>}
      </div>
    </footer>
  );
};
