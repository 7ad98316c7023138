// The page: header, footer, and the view selected by the path.
import { lazy, type RefObject, Suspense, useEffect, useRef } from 'react';
import { stakeWith } from '../../src/http/pages/brand/page-brand.ts';
import { useEpoch } from './api/shared-reads.ts';
import styles from './app.module.css';
import { useResumedFlow } from './flow/flow-shown.ts';
import { useFlow } from './flow/use-page-flow.ts';
import { ConnectionBanner } from './shell/connection-banner.tsx';
import { FirstAlert } from './shell/first-alert.tsx';
import { Footer } from './shell/footer.tsx';
import { Header } from './shell/header.tsx';
import { Link } from './shell/link.tsx';
import { usePath } from './shell/router.ts';
import { ViewBoundary } from './shell/view-boundary.tsx';
import { views } from './shell/views.ts';
import { brand } from './state/brand.ts';
import { cluster, isSandbox } from './state/cluster.ts';
import { ViewHeading } from './ui/card.tsx';
import { SkeletonText } from './ui/skeleton.tsx';
import { Toasts } from './ui/toasts.tsx';
import { chainOf } from './wallet/features.ts';
import { registerLocalWallet } from './wallet/register-local-wallet.ts';
import { startWallets } from './wallet/wallet-connection.ts';

// Loaded with the first transaction; not needed for browsing.
const ReviewDialog = lazy(async () => ({
  default: (await import('./flow/review-dialog.tsx')).ReviewDialog,
}));
// Never loaded on a real cluster.
const SandboxBar = lazy(async () => ({ default: (await import('./sandbox/sandbox-bar.tsx')).SandboxBar }));

const NotFound = () => (
  <>
    <ViewHeading title="Page not found">This page does not exist.</ViewHeading>
    <Link href="/">Back to Stake</Link>
  </>
);

/**
 * Moves focus to the heading of a new view, but not on the first load. Rendered next to the view, so that the
 * view exists by then.
 */
const Arrival = ({ path, main }: { path: string; main: RefObject<HTMLElement | null> }) => {
  useEffect(() => {
    if (arrivedAt === path) return;
    const first = arrivedAt === undefined;
    arrivedAt = path;
    if (!first) (main.current?.querySelector('h1') ?? main.current)?.focus({ preventScroll: true });
  }, [path, main]);
  return null;
};

let arrivedAt: string | undefined;

/** The whole page. */
export const App = () => {
  const path = usePath();
  // In every view: its answers alone tell whether the cluster is back after an outage.
  useEpoch();
  const main = useRef<HTMLElement>(null);
  const { step } = useFlow();
  useResumedFlow();
  const view = views.find((candidate) => candidate.path === path);
  useEffect(() => {
    document.title =
      view?.path === '/' ? stakeWith(brand.name) : `${view?.name ?? 'Page not found'} · ${brand.name}`;
  }, [view]);
  useEffect(() => {
    if (isSandbox) registerLocalWallet();
    return startWallets(chainOf(cluster));
  }, []);
  const Shown = view?.component ?? NotFound;
  return (
    <>
      <a href="#main" className={styles.skip}>
        Skip to content
      </a>
      {isSandbox && (
        <ViewBoundary resetKey="sandbox">
          <Suspense fallback={<div className={styles.sandboxBar} />}>
            <SandboxBar />
          </Suspense>
        </ViewBoundary>
      )}
      <Header />
      <FirstAlert path={path} />
      <ConnectionBanner />
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        <ViewBoundary resetKey={path}>
          <Suspense fallback={<SkeletonText lines={4} what="Loading the view" />}>
            <Shown />
            <Arrival path={path} main={main} />
          </Suspense>
        </ViewBoundary>
      </main>
      <Footer />
      {step !== 'idle' && (
        <ViewBoundary resetKey={step}>
          <Suspense>
            <ReviewDialog />
          </Suspense>
        </ViewBoundary>
      )}
      <Toasts />
    </>
  );
};
