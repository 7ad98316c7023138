// The sandbox bar: epoch countdown, free SOL, a button to end the epoch, and the resulting changes.
import { useState } from 'react';
import { describeError } from '../api/describe-error.ts';
import { api } from '../api/holdfast.ts';
import { CLUSTER_KEY } from '../api/service-connection.ts';
import { useEpoch } from '../api/shared-reads.ts';
import { refresh } from '../api/use-resource.ts';
import { showToast } from '../state/toast-store.ts';
import { useNow } from '../state/use-now.ts';
import { durationText } from '../text/format-figures.ts';
import { Button } from '../ui/controls/button.tsx';
import { Meter } from '../ui/meter.tsx';
import { Pill } from '../ui/pill.tsx';
import { useWallet } from '../wallet/use-wallet.ts';
import { defineWords } from '../words/define-words.ts';
import { sandboxEnglish } from '../words/en/sandbox.ts';
import type { EpochNews } from './epoch-news.ts';
import { FaucetButton } from './faucet-button.tsx';
import styles from './sandbox-bar.module.css';
import { useEpochNews } from './use-epoch-changes.ts';

const { say, sayWith } = defineWords('sandbox', sandboxEnglish);

/** Maximum countdown to show. Sandboxes with longer epochs end them on demand. */
const MAX_COUNTDOWN_SECONDS = 3_600;

const EpochTime = ({ data }: { data: ReturnType<typeof useEpoch>['data'] & object }) => {
  const nowMs = useNow(1_000);
  const left = (Date.parse(data.estimatedEpochEnd) - nowMs) / 1000;
  const onDemand = left > MAX_COUNTDOWN_SECONDS;
  const text = onDemand
    ? say('onDemand')
    : left <= 0
      ? say('ending')
      : say('endsIn', { time: durationText(left) });
  const whole = data.estimatedSecondsRemaining / Math.max(0.0001, 1 - data.progressPct / 100);
  return (
    <>
      <span>
        {sayWith('epoch', {
          epoch: <strong data-epoch={data.currentEpoch}>{data.currentEpoch}</strong>,
        })}{' '}
        <span className={styles.left}>{text}</span>
      </span>
      {!onDemand && <Meter label={say('progress')} share={1 - left / whole} text={text} />}
    </>
  );
};

/** Reserves its space before the first response. */
const EpochClock = () => {
  const { data } = useEpoch();
  return <div className={styles.clock}>{data !== undefined && <EpochTime data={data} />}</div>;
};

/**
 * Number of epochs: about two months of mainnet-beta, and the initial number of bars in the rewards chart.
 */
const SKIPPED_EPOCHS = 30;

/** Runs only one action at a time, so the effect of each is clear. */
const EpochButtons = () => {
  const [busy, setBusy] = useState<number | null>(null);
  const end = async (count: number): Promise<void> => {
    setBusy(count);
    try {
      await api.sandboxEndEpochs({ count });
      // When the epoch changes, everything else is refreshed.
      refresh(CLUSTER_KEY);
    } catch (error) {
      const { title, detail } = describeError(error);
      showToast({ tone: 'bad', title, detail });
    } finally {
      setBusy(null);
    }
  };
  return (
    <>
      <Button
        size="s"
        icon="skip"
        busy={busy === 1}
        disabled={busy === SKIPPED_EPOCHS}
        onClick={() => void end(1)}
      >
        {say('endEpoch')}
      </Button>
      <Button
        size="s"
        icon="skip"
        busy={busy === SKIPPED_EPOCHS}
        disabled={busy === 1}
        onClick={() => void end(SKIPPED_EPOCHS)}
      >
        {say('skipEpochs', { count: SKIPPED_EPOCHS })}
      </Button>
    </>
  );
};

const wordsOf = ({ restarted, changes, isComplete }: EpochNews, hasWallet: boolean): string => {
  if (restarted) return say('restartedText');
  if (changes.length > 0) return changes.map(({ text }) => `${text}.`).join(' ');
  if (!hasWallet) return say('connectToSee');
  return say(isComplete ? 'nothingChanged' : 'changesPending');
};

/**
 * Shows the changes in the bar's own row. If the bar grew after a click, it would move the page under the next
 * click.
 */
const News = ({ news, hasWallet, onClose }: { news: EpochNews; hasWallet: boolean; onClose: () => void }) => {
  const words = wordsOf(news, hasWallet);
  return (
    <span className={styles.news} data-news-epoch={news.epoch}>
      <span title={words}>
        <strong>{news.restarted ? say('restarted') : say('epochBegan', { epoch: news.epoch })}</strong>.{' '}
        {words}
      </span>
      <Button kind="quiet" size="s" icon="close" aria-label={say('dismissChanges')} onClick={onClose} />
    </span>
  );
};

/** The bar, rendered once at the top if the service runs its own sandbox. */
export const SandboxBar = () => {
  const { walletAddress } = useWallet();
  const { news, dismiss } = useEpochNews(walletAddress);
  return (
    <section className={styles.bar} aria-label={say('sandbox')}>
      <div className={styles.inner}>
        <span className={styles.what}>
          <Pill tone="accent">{say('sandbox')}</Pill>
          <span className={styles.said} aria-live="polite">
            {news === null ? (
              <span className={styles.why}>{say('what')}</span>
            ) : (
              <News news={news} hasWallet={walletAddress !== null} onClose={dismiss} />
            )}
          </span>
        </span>
        <EpochClock />
        <div className={styles.actions}>
          {walletAddress !== null && <FaucetButton walletAddress={walletAddress} />}
          <EpochButtons />
        </div>
      </div>
    </section>
  );
};
