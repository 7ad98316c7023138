// The page: header, footer, and the view selected by the path.
import { lazy, type RefObject, Suspense, useEffect, useRef } from 'react';
import { nameWithoutStake } from '../../src/http/pages/brand/page-brand.ts';
import { useEpoch } from './api/shared-reads.ts';
import styles from './app.module.css';
import { useResumedFlow } from './flow/flow-shown.ts';
import { useFlow } from './flow/use-page-flow.ts';
import { ConnectionBanner } from './shell/connection-banner.tsx';
import { Footer } from './shell/footer.tsx';
import { Header } from './shell/header.tsx';
import { Link } from './shell/link.tsx';
import { MostUrgentAlert } from './shell/most-urgent-alert.tsx';
import { usePath } from './shell/page-router.ts';
import { ViewBoundary } from './shell/view-boundary.tsx';
import { views } from './shell/views.ts';
import { alertAbove } from './state/alert-above.ts';
import { cluster, isSandbox } from './state/cluster.ts';
import { useStore } from './state/create-store.ts';
import { brand } from './state/document-brand.ts';
import { ViewHeading } from './ui/card.tsx';
import { SkeletonText } from './ui/skeleton.tsx';
import { Toasts } from './ui/toasts.tsx';
import { chainOf } from './wallet/features.ts';
import { useWallet } from './wallet/use-wallet.ts';
import { startWallets } from './wallet/wallet-connection.ts';
import { defineWords } from './words/define-words.ts';
import { shellEnglish } from './words/en/shell.ts';

const { say } = defineWords('shell', shellEnglish);

// Loaded once a wallet is connected, because browsing does not need it. The review and the progress must be able to
// say that the service does not respond, so they are not loaded when they are shown.
const loadReview = async () => {
  const [{ ReviewDialog: Dialog }] = await Promise.all([
    import('./flow/review-dialog.tsx'),
    import('./flow/flow-card.tsx'),
  ]);
  return { default: Dialog };
};
const ReviewDialog = lazy(loadReview);
// Never loaded on a real cluster.
const SandboxBar = lazy(async () => ({ default: (await import('./sandbox/sandbox-bar.tsx')).SandboxBar }));

const NotFound = () => (
  <>
    <ViewHeading title={say('notFound')}>{say('notFoundText')}</ViewHeading>
    <Link href="/">{say('backToStake')}</Link>
  </>
);

/**
 * Moves focus to the heading of a new view, but not on the first load. Rendered after the view, so the view
 * already exists.
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

export const App = () => {
  const path = usePath();
  // Every view reads the epoch, because only its responses show whether the cluster is back after an outage.
  useEpoch();
  const main = useRef<HTMLElement>(null);
  const { step } = useFlow();
  const isConnected = useWallet().walletAddress !== null;
  useResumedFlow();
  useEffect(() => {
    // If it fails, it is loaded with the review.
    if (isConnected) loadReview().catch(() => undefined);
  }, [isConnected]);
  const view = views.find((candidate) => candidate.path === path);
  const isAlarmed = useStore(alertAbove).isCritical;
  useEffect(() => {
    const title =
      view?.path === '/'
        ? say('stakeWith', { name: nameWithoutStake(brand.name) })
        : `${say(view?.name ?? 'notFound')} · ${brand.name}`;
    // The title is visible on a background tab, too.
    document.title = isAlarmed ? `(!) ${title}` : title;
  }, [view, isAlarmed]);
  useEffect(() => {
    // Registered after the page has started, as extensions may do.
    if (isSandbox)
      import('./wallet/register-local-wallet.ts').then(
        ({ registerLocalWallet }) => registerLocalWallet(),
        () => undefined,
      );
    return startWallets(chainOf(cluster));
  }, []);
  const Shown = view?.component ?? NotFound;
  return (
    <>
      <a href="#main" className={styles.skip}>
        {say('skip')}
      </a>
      {isSandbox && (
        <ViewBoundary resetKey="sandbox">
          <Suspense fallback={<div className={styles.sandboxBar} />}>
            <SandboxBar />
          </Suspense>
        </ViewBoundary>
      )}
      <Header />
      <MostUrgentAlert path={path} />
      <ConnectionBanner />
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        <ViewBoundary resetKey={path}>
          <Suspense fallback={<SkeletonText lines={4} what={say('loadingView')} />}>
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
