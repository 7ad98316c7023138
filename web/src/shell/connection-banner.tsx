// Reports that the service is unreachable or busy: since when, the next attempt, and the age of the data.
import { useEffect, useState } from 'react';
import { connection } from '../api/service-connection.ts';
import { retryNow } from '../api/use-resource.ts';
import { useStore } from '../state/create-store.ts';
import { useNow } from '../state/use-now.ts';
import { countdown, timeText } from '../text/format-figures.ts';
import { Button } from '../ui/controls/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { defineWords } from '../words/define-words.ts';
import { shellEnglish } from '../words/en/shell.ts';
import styles from './connection-banner.module.css';

const { say } = defineWords('shell', shellEnglish);

/**
 * Minimum duration of an outage before the banner is shown, in ms. A single lost packet causes a shorter one.
 */
const PATIENCE_MS = 400;

export const ConnectionBanner = () => {
  const { state, lastResponseMs, nextTryMs } = useStore(connection);
  const nowMs = useNow(state === 'ok' ? null : 500);
  const [patient, setPatient] = useState(true);
  useEffect(() => {
    setPatient(true);
    if (state === 'ok') return;
    const timer = setTimeout(() => setPatient(false), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const problem = state === 'ok' || patient ? null : say(state);
  const seconds = nextTryMs === null ? null : Math.max(0, (nextTryMs - nowMs) / 1000);
  return (
    <>
      {/* Announced once per state, because a countdown read aloud every second would be torture. */}
      <div role="status" className="visually-hidden">
        {problem === null ? '' : say('retrying', { problem })}
      </div>
      {problem !== null && (
        <div className={styles.banner} data-connection={state}>
          <div className={styles.inner}>
            <Icon name="warning" size={18} />
            <p>
              <strong>{problem}</strong>{' '}
              {lastResponseMs !== null &&
                say('dataFrom', { time: timeText(new Date(lastResponseMs).toISOString()) })}{' '}
              <span className={styles.wait}>
                {seconds === null || seconds <= 0
                  ? say('tryingAgain')
                  : say('tryingAgainIn', { time: countdown(seconds) })}
              </span>
            </p>
            {state !== 'limited' && (
              <Button size="s" onClick={retryNow}>
                {say('tryNow')}
              </Button>
            )}
          </div>
        </div>
      )}
    </>
  );
};
