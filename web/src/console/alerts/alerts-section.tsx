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
import { ALERTS_KEY, useAlerts, useHealth } from '../operator-reads.ts';

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

const TestButton = () => {
  const [busy, setBusy] = useState(false);
  const send = async (): Promise<void> => {
    setBusy(true);
    try {
      await operatorApi.sendTestAlert();
      showToast({ tone: 'good', title: 'Test alert sent', detail: 'The result appears in the list.' });
    } catch (error) {
      const { title, detail } = describeError(error);
      showToast({ tone: 'bad', title, detail });
    }
    setBusy(false);
    refresh(ALERTS_KEY);
  };
  return (
    <Button size="s" busy={busy} onClick={() => void send()}>
      Send a test
    </Button>
  );
};

const Destinations = ({ destinations }: { destinations: Alerts['destinations'] }) => {
  const secret = useHealth().data?.webhookSecret ?? null;
  if (destinations.length === 0)
    return (
      <Card>
        <Empty icon="warning" title="Alerts are off">
          Set HOLDFAST_OPERATOR_NOTIFY_URL (text, for example ntfy) or HOLDFAST_OPERATOR_WEBHOOK_URL (signed),
          and restart the service.
        </Empty>
      </Card>
    );
  return (
    <Card title="Destinations" actions={<TestButton />}>
      <Rows>
        {destinations.map((destination) => (
          <Row key={destination} label={DESTINATIONS[destination]}>
            On
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
      {data !== undefined && <Destinations destinations={data.destinations} />}
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
