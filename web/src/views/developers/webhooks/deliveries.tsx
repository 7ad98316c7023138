// The live delivery log of a webhook with attempts and replay.
import { useState } from 'react';
import type { WebhookAttempt, WebhookDelivery } from '../../../../../client/generated/webhooks-operations.ts';
import { isHoldfastError } from '../../../../../client/holdfast-error.ts';
import { api } from '../../../api/holdfast.ts';
import { LoadError } from '../../../api/load-error.tsx';
import { useNow } from '../../../state/use-now.ts';
import { durationText, timeText } from '../../../text/format-figures.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Pill } from '../../../ui/pill.tsx';
import { SkeletonText } from '../../../ui/skeleton.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { webhooksEnglish } from '../../../words/en/developers/webhooks.ts';
import styles from '../developers-view.module.css';
import { useAction } from '../use-button-action.ts';
import { isUnderWay, refreshDeliveries, useDeliveries } from './webhook-reads.ts';
import { dropSecret } from './webhook-secrets.ts';

const { say } = defineWords('webhooks', webhooksEnglish);

const TONES = { pending: 'info', delivered: 'good', dead: 'bad' } as const;
const WORDS = { pending: 'onItsWay', delivered: 'delivered', dead: 'failed' } as const;

/**
 * True for a wrong secret. An unknown webhook gets the same response, and a secret that no header can carry is
 * not sent.
 */
const isRefused = (error: unknown): boolean =>
  isHoldfastError(error, 'NOT_FOUND') || isHoldfastError(error, 'INVALID_INPUT');

const Attempt = ({ attempt }: { attempt: WebhookAttempt }) => (
  <li>
    <span>{say('attempt', { number: attempt.number })}</span>
    <span>{timeText(attempt.at)}</span>
    <span>
      {attempt.status === null
        ? attempt.outcome
        : say('attemptStatus', { status: attempt.status, outcome: attempt.outcome })}
    </span>
    <span>{say('milliseconds', { duration: attempt.durationMs })}</span>
  </li>
);

const Delivery = ({
  delivery,
  busy,
  onReplay,
}: {
  delivery: WebhookDelivery;
  busy: boolean;
  onReplay: () => void;
}) => {
  const { id, type, state, timestamp, attempts, nextAttemptAt, attemptLog } = delivery;
  const nowMs = useNow(nextAttemptAt === null ? null : 1_000);
  const left = nextAttemptAt === null ? 0 : (Date.parse(nextAttemptAt) - nowMs) / 1000;
  return (
    <li className={styles.delivery} data-delivery={id} data-state={state} data-attempts={attempts}>
      <div className={styles.deliveryHead}>
        <Pill tone={TONES[state]} dot pulse={state === 'pending'}>
          {say(WORDS[state])}
        </Pill>
        <code>{type}</code>
        <span className={styles.muted}>{timeText(timestamp)}</span>
        {state === 'pending' && (
          <span className={styles.muted}>
            {left > 1 ? say('nextAttempt', { duration: durationText(left) }) : say('beingAttempted')}
          </span>
        )}
        {state !== 'pending' && (
          <Button size="s" kind="quiet" icon="refresh" busy={busy} onClick={onReplay}>
            {say('replay')}
            <span className="visually-hidden"> {type}</span>
          </Button>
        )}
      </div>
      {attemptLog.length > 0 && (
        <ol className={styles.attempts} aria-label={say('attempts')}>
          {attemptLog.map((attempt) => (
            <Attempt key={`${attempt.number} ${attempt.at}`} attempt={attempt} />
          ))}
        </ol>
      )}
    </li>
  );
};

/** Renders the log, refreshed every 2 s while a delivery is in progress, otherwise every 15 s. */
export const Deliveries = ({ id, secret }: { id: string; secret: string }) => {
  const [isLively, setLively] = useState(true);
  const deliveries = useDeliveries(id, secret, isLively);
  const { busy, failure, run } = useAction();
  const { data } = deliveries;
  const underWay = data === undefined || isUnderWay(data);
  if (underWay !== isLively) setLively(underWay);
  const replay = (eventId: string) => async (): Promise<void> => {
    await api.replayDeliveries({ id, eventId }, { bearer: secret });
    setLively(true);
    refreshDeliveries(id);
  };
  return (
    <div className={styles.log}>
      <h3>{say('deliveries')}</h3>
      <LoadError resource={deliveries} what={say('theDeliveries')} />
      {isRefused(deliveries.error) && (
        <div>
          <Button size="s" icon="key" onClick={() => dropSecret(id)}>
            {say('anotherSecret')}
          </Button>
        </div>
      )}
      {deliveries.pending && <SkeletonText lines={2} what={say('loadingDeliveries')} />}
      {failure !== undefined && (
        <Notice tone="warn" title={failure.title}>
          {failure.detail}
        </Notice>
      )}
      {data?.deliveries.length === 0 && <p className={styles.muted}>{say('noDeliveries')}</p>}
      <ol className={styles.deliveries}>
        {data?.deliveries.map((delivery) => (
          <Delivery
            key={delivery.id}
            delivery={delivery}
            busy={busy === delivery.id}
            onReplay={() => run(delivery.id, replay(delivery.id))}
          />
        ))}
      </ol>
      {data !== undefined && data.nextCursor !== null && (
        <p className={styles.muted}>
          {say('olderDeliveries', { path: `/api/v1/webhooks/${id}/deliveries` })}
        </p>
      )}
    </div>
  );
};
