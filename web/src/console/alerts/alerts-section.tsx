// The alerts section: active alarms, destinations, a button to send a test, and the alerts with their
// deliveries.
import { useState } from 'react';
import { type AlertKind, alertCatalog } from '../../../../src/domain/alerts/alert-catalog.ts';
import { runbookPath } from '../../../../src/domain/alerts/service-alarm-table.ts';
import { describeError } from '../../api/describe-error.ts';
import { LoadError } from '../../api/load-error.tsx';
import { refresh } from '../../api/use-resource.ts';
import { showToast } from '../../state/toast-store.ts';
import { count, dateText, durationText } from '../../text/format-figures.ts';
import { Card, ViewHeading } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Empty } from '../../ui/empty-state.tsx';
import { Pill } from '../../ui/pill.tsx';
import { SkeletonText } from '../../ui/skeleton.tsx';
import { Row, Rows } from '../../ui/stat.tsx';
import { RecordsNotice } from '../as-of-notice.tsx';
import styles from '../console.module.css';
import { type ConsoleColumn, ConsoleTable } from '../console-table.tsx';
import { outcomeText } from '../deliveries/outcome-words.ts';
import { ActiveAlarms } from '../health/active-alarms.tsx';
import { ALERTS_OFF, DESTINATIONS } from '../health/health-words.ts';
import { type Alerts, operatorApi } from '../operator-api.ts';
import { ALERTS_KEY, refreshDeliveries, useAlerts, useHealth } from '../operator-reads.ts';
import {
  type AlertGroup,
  type AlertOccurrence,
  groupAlerts,
  isAlarm,
  type SentAlert,
  worstDeliveries,
} from './group-alerts.ts';

const LEVELS = { info: 'info', warning: 'warn', critical: 'bad' } as const;

const stateText = (alert: SentAlert): string =>
  alert.state === 'delivered'
    ? 'Delivered'
    : alert.state === 'dead'
      ? `Dead letter: ${outcomeText(alert)}`
      : alert.attempts === 0
        ? 'Waiting'
        : `Waiting: ${outcomeText(alert)}`;

/** Returns a text for each state of an occurrence's deliveries, with the destinations in that state. */
const deliveryTexts = (occurrence: AlertOccurrence): readonly { state: string; destinations: string }[] =>
  [...Map.groupBy(worstDeliveries(occurrence), stateText)].map(([state, ones]) => ({
    state,
    destinations: ones.map(({ destination }) => DESTINATIONS[destination]).join(', '),
  }));

/** Renders only the states of the newest occurrence, so the row shows whether the last alert arrived. */
const DeliveryStates = ({ occurrences: [newest] }: AlertGroup) =>
  deliveryTexts(newest).map(({ state, destinations }) => (
    <span key={state} className={styles.part}>
      {state}
      <span>{destinations}</span>
    </span>
  ));

/** Formats the duration of the problem. Returns null if it has no known end. */
const lastedText = ({ at, endedAt }: AlertOccurrence): string | null =>
  endedAt && `lasted ${durationText((Date.parse(endedAt) - Date.parse(at)) / 1_000)}`;

const OccurrenceTime = (occurrence: AlertOccurrence) => (
  <span className={styles.part}>
    {occurrence.isOpen ? <strong>Ongoing</strong> : dateText(occurrence.at)}
    <span>{occurrence.isOpen ? `since ${dateText(occurrence.at)}` : lastedText(occurrence)}</span>
  </span>
);

const AlertText = ({ occurrences: [newest, ...earlier] }: AlertGroup) => {
  const { title, message, level, endedAt } = newest;
  return (
    <div className={styles.alert}>
      <Pill tone={endedAt === null ? LEVELS[level] : 'neutral'} dot>
        {title}
      </Pill>
      <span>
        {message}
        {newest.isOpen && isAlarm(newest.alert) && (
          <>
            {' '}
            <a href={runbookPath(newest.alert)}>What to do</a>
          </>
        )}
      </span>
      {earlier.length > 0 && (
        <details>
          <summary>{count(earlier.length)} earlier</summary>
          <ul className={styles.earlier}>
            {earlier.map((one) => (
              <li key={one.deliveries[0]!.id}>
                {[
                  dateText(one.at),
                  lastedText(one),
                  one.message === message ? null : one.message,
                  ...deliveryTexts(one).map(({ state }) => (state === 'Delivered' ? null : state)),
                ]
                  .filter((text) => text !== null)
                  .join(' · ')}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
};

const columns: readonly ConsoleColumn<AlertGroup>[] = [
  { key: 'alert', title: 'Alert', cell: AlertText, place: 'subject' },
  { key: 'at', title: 'When', cell: ({ occurrences: [newest] }) => OccurrenceTime(newest) },
  { key: 'state', title: 'Delivery', cell: DeliveryStates },
];

/**
 * Time between two reads of a test's outcome, and the time after which the outcome appears only in the list.
 */
const OUTCOME_EVERY_MS = 1_000;
const OUTCOME_WITHIN_MS = 20_000;

/** Waits until each of these alerts has been attempted. Returns null if that takes too long. */
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
    // A delivered test also triggers all deliveries that were waiting for the destination.
    refreshDeliveries();
  };
  return (
    <Button size="s" kind={enables ? 'primary' : 'secondary'} busy={busy} onClick={() => void send()}>
      {enables ? 'Enable and send a test' : 'Send a test'}
    </Button>
  );
};

const DISABLED = {
  gone: 'The receiver responded with 410 Gone.',
  failing: 'Every delivery attempt failed for five days.',
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
          {ALERTS_OFF}
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

const AUDIENCES = {
  operator: 'You',
  stakers: 'Webhooks of all stakers',
  wallet: 'Webhooks of the wallet',
} as const;

const catalogColumns: readonly ConsoleColumn<AlertKind>[] = [
  { key: 'alert', title: 'Alert', cell: ({ alert }) => <code>{alert}</code>, place: 'subject' },
  {
    key: 'level',
    title: 'Level',
    cell: ({ level }) =>
      level === null ? (
        'By the change'
      ) : (
        <Pill tone={LEVELS[level]}>{level.charAt(0).toUpperCase() + level.slice(1)}</Pill>
      ),
    place: 'figure',
  },
  { key: 'audience', title: 'Sent to', cell: ({ audience }) => AUDIENCES[audience] },
  {
    key: 'when',
    title: 'When',
    cell: ({ when, setting }) => (
      <div className={styles.alert}>
        {when}
        {setting !== null && (
          <span className={styles.why}>
            Changed by <code>{setting}</code>
          </span>
        )}
      </div>
    ),
  },
];

/** `/alerts` */
export const AlertsSection = () => {
  const alerts = useAlerts();
  const { data } = alerts;
  const activeAlarms = useHealth().data?.alarms.map(({ alarm }) => alarm);
  return (
    <div className={styles.stack}>
      <ViewHeading title="Alerts" />
      <ActiveAlarms />
      <LoadError resource={alerts} what="The alerts" />
      <RecordsNotice asOf={data?.recordsAsOf} />
      {alerts.pending && <SkeletonText what="Loading the alerts" />}
      {data !== undefined && <Destinations states={data.destinationStates} />}
      {data !== undefined && (data.destinations.length > 0 || data.alerts.length > 0) && (
        <Card title="Alerts" note="Kept for 30 days" flush>
          {data.alerts.length === 0 ? (
            <Empty icon="check" title="No alerts yet">
              Stakers who join or leave, a validator that stops voting and other changes appear here.
            </Empty>
          ) : (
            <ConsoleTable
              caption="Alerts"
              columns={columns}
              rows={groupAlerts(data.alerts, activeAlarms)}
              rowKey={({ key }) => key}
            />
          )}
        </Card>
      )}
      <Card
        title="Every alert"
        note="What is sent, to whom, and from which threshold on. A threshold without a setting is fixed."
        flush
      >
        <ConsoleTable
          caption="Every alert"
          columns={catalogColumns}
          rows={alertCatalog}
          rowKey={({ alert, audience }) => `${alert} ${audience}`}
        />
      </Card>
    </div>
  );
};
