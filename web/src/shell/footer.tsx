// The foot of every view: what the service is, and where machines and doubters find the rest.
import { useCluster } from '../api/reads.ts';
import styles from './footer.module.css';

/** Stands once. */
export const Footer = () => {
  const cluster = useCluster();
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <p>
          Native stake, no derivative token. Your wallet keeps both authorities. This service never holds your
          keys.
        </p>
        <nav aria-label="More">
          <a href="/docs">API documentation</a>
          <a href="/openapi.json">OpenAPI</a>
          <a href="/ready">Status</a>
          {cluster !== undefined && <span>Cluster: {cluster}</span>}
        </nav>
      </div>
    </footer>
  );
};
