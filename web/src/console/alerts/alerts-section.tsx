// The alerts section: active alarms, destinations, a test, and the alerts that were sent.
import { useState } from 'react';
import { describeError } from '../../api/describe-error.ts';
import { LoadError } from '../../api/load-error.tsx';
import { refresh } from '../../api/use-resource.ts';
import { showToast } from '../../state/toast-store.ts';
import { dateText } from '../../text/format-figures.ts';
import { Card, ViewHeading } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Pill } from '../../ui/pill.tsx';
import { SkeletonText } from '../../ui/skeleton.tsx';
import { Row, Rows } from '../../ui/stat.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import styles from '../console.module.css';
import { outcomeText } from '../deliveries/outcome-words.ts';
import { ActiveAlarms } from '../health/active-alarms.tsx';
import { type Alerts, operatorApi } from '../operator-api.ts';
import { ALERTS_KEY, HEALTH_KEY, useAlerts, useHealth } from '../operator-reads.ts';

type SentAlert = Alerts['alerts'][number];

const DESTINATIONS = { webhook: 'Signed webhook', notify: 'Text notification' } as const;
const LEVELS = { info: 'info', warning: 'warn', critical: 'bad' } as const;

const stateText = (alert: SentAlert): string =>
  alert.state === 'delivered'
    ? 'Delivered'
    : alert.state === 'dead'
      ? `Failed: ${outcomeText(alert)}`
      : alert.attempts === 0
        ? 'Being sent'
        : `Trying again: ${outcomeText(alert)}`;

const columns: readonly Column<SentAlert>[] = [
  {
    key: 'alert',
    title: 'Alert',
    cell: ({ title, message, level }) => (
      <span className={styles.alert}>
        <Pill tone={LEVELS[level]} dot>
          {title}
        </Pill>
        <span>{message}</span>
      </span>
    ),
  },
  { key: 'at', title: 'When', cell: ({ at }) => dateText(at) },
  { key: 'destination', title: 'Sent to', cell: ({ destination }) => DESTINATIONS[destination] },
  { key: 'state', title: 'State', cell: stateText },
];

/** Time between two reads of a test's outcome, and the time after which it is only shown in the list. */
const OUTCOME_EVERY_MS = 1_000;
const OUTCOME_WITHIN_MS = 20_000;

/** Waits until each of these alerts was attempted. Returns null if that takes too long. */
const outcomesOf = async (ids: readonly string[]): Promise<readonly SentAlert[] | null> => {
  const signal = AbortSignal.timeout(OUTCOME_WITHIN_MS);
  while (!signal.aborted) {
    const { alerts } = await operatorApi.alerts(signal);
    const tested = alerts.filter(
      ({ id, state, attempts }) => ids.includes(id) && (state !== 'pending' || attempts > 0),
    );
    if (tested.length === ids.length) return tested;
    await new Promise((resolve) => setTimeout(resolve, OUTCOME_EVERY_MS));
  }
  return null;
};

const sendTest = async (): Promise<void> => {
  const { ids } = await operatorApi.sendTestAlert();
  refresh(ALERTS_KEY);
  const tested = await outcomesOf(ids).catch(() => null);
  const refused = tested?.filter(({ state }) => state !== 'delivered');
  if (refused === undefined)
    showToast({
      tone: 'warn',
      title: 'Test alert not delivered yet',
      detail: 'The result appears in the list.',
    });
  else if (refused.length === 0) showToast({ tone: 'good', title: 'Test alert delivered' });
  else
    showToast({
      tone: 'bad',
      title: 'Test alert not delivered',
      detail: refused.map((alert) => `${DESTINATIONS[alert.destination]}: ${outcomeText(alert)}`).join(', '),
    });
};

const TestButton = ({ enables }: { enables: boolean }) => {
  const [busy, setBusy] = useState(false);
  const send = async (): Promise<void> => {
    setBusy(true);
    try {
      await sendTest();
    } catch (error) {
      const { title, detail } = describeError(error);
      showToast({ tone: 'bad', title, detail });
    }
    setBusy(false);
    refresh(ALERTS_KEY);
    refresh(HEALTH_KEY);
  };
  return (
    <Button size="s" kind={enables ? 'primary' : 'secondary'} busy={busy} onClick={() => void send()}>
      {enables ? 'Enable and send a test' : 'Send a test'}
    </Button>
  );
};

const DISABLED = {
  gone: 'The receiver answered 410 Gone.',
  failing: 'Every attempt failed for days.',
} as const;

type DestinationState = Alerts['destinationStates'][number];

const DestinationWords = ({ state: { disabledReason, failingSince } }: { state: DestinationState }) => {
  const why =
    disabledReason !== null
      ? DISABLED[disabledReason]
      : failingSince !== null && `Since ${dateText(failingSince)}.`;
  return (
    <>
      <Pill tone={why === false ? 'good' : 'bad'} dot>
        {disabledReason !== null ? 'Disabled' : failingSince !== null ? 'Failing' : 'On'}
      </Pill>
      {why !== false && <span className={styles.why}>{why}</span>}
    </>
  );
};

const Destinations = ({ states }: { states: readonly DestinationState[] }) => {
  const secret = useHealth().data?.webhookSecret ?? null;
  if (states.length === 0)
    return (
      <Card>
        <Empty icon="warning" title="Alerts are off">
          Set HOLDFAST_OPERATOR_NOTIFY_URL (text, for example ntfy) or HOLDFAST_OPERATOR_WEBHOOK_URL (signed),
          and restart the service.
        </Empty>
      </Card>
    );
  return (
    <Card
      title="Destinations"
      actions={<TestButton enables={states.some(({ disabledReason }) => disabledReason !== null)} />}
    >
      <Rows>
        {states.map((state) => (
          <Row key={state.destination} label={DESTINATIONS[state.destination]}>
            <DestinationWords state={state} />
          </Row>
        ))}
        {secret !== null && (
          <Row label="Webhook signing secret">
            <CopyButton text={secret} what="secret" label="Copy" />
          </Row>
        )}
      </Rows>
    </Card>
  );
};

/** `/alerts` */
export const AlertsSection = () => {
  const alerts = useAlerts();
  const { data } = alerts;
  return (
    <div className={styles.stack}>
      <ViewHeading title="Alerts" />
      <ActiveAlarms />
      <LoadError resource={alerts} what="The alerts" />
      {alerts.pending && <SkeletonText what="Loading the alerts" />}
      {data !== undefined && <Destinations states={data.destinationStates} />}
      {data !== undefined && (data.destinations.length > 0 || data.alerts.length > 0) && (
        <Card title="Sent alerts" note="Kept for 30 days" flush>
          {data.alerts.length === 0 ? (
            <Empty icon="check" title="No alerts yet">
              Stakers who join or leave, a validator that stops voting and other changes appear here.
            </Empty>
          ) : (
            <Table caption="Sent alerts" columns={columns} rows={data.alerts} rowKey={({ id }) => id} />
          )}
        </Card>
      )}
    </div>
  );
};
