// Groups sent alerts into one row per problem: its beginning, its end and its repetitions. Pure.
import { alertEnds } from '../../../../src/domain/alerts/alert-pairs.ts';
import { type ServiceAlarm, serviceAlarms } from '../../../../src/domain/alerts/service-alarm-table.ts';
import type { Alerts } from '../operator-api.ts';

export type SentAlert = Alerts['alerts'][number];

/** A problem from its beginning to its end, or a single report. */
export interface AlertOccurrence {
  readonly alert: string;
  readonly level: SentAlert['level'];
  readonly title: string;
  readonly message: string;
  readonly at: string;
  /**
   * End of the problem. Null while it continues, if its end was not reported, and for reports without an end.
   */
  readonly endedAt: string | null;
  readonly isOpen: boolean;
  /** Deliveries to every destination. */
  readonly deliveries: readonly SentAlert[];
}

/** Occurrences of one alert, newest first. */
export interface AlertGroup {
  readonly key: string;
  readonly occurrences: readonly [AlertOccurrence, ...AlertOccurrence[]];
}

const SEVERITY = { info: 0, warning: 1, critical: 2 } as const;

const begins = new Map(Object.entries(alertEnds).map(([begin, end]) => [end, begin]));

/** True for an alarm of the service, which has instructions. */
export const isAlarm = (alert: string): alert is ServiceAlarm =>
  (serviceAlarms as readonly string[]).includes(alert);

/** Merges the deliveries of one report to several destinations, and each end with its beginning. */
const occurrencesOf = (
  alerts: readonly SentAlert[],
  activeAlarms: readonly string[] | undefined,
): readonly AlertOccurrence[] => {
  const reports = Map.groupBy(alerts, ({ at, alert, message }) => [at, alert, message].join('\n'));
  const found: AlertOccurrence[] = [];
  const open = new Map<string, number>();
  for (const deliveries of [...reports.values()].reverse()) {
    const { alert, level, title, message, at, since, until } = deliveries[0]!;
    const report = { alert, level, title, message, at: since ?? at, endedAt: null, deliveries };
    const begin = begins.get(alert);
    const index = open.get(begin ?? alert);
    const before = index === undefined ? undefined : found[index];
    if (begin !== undefined) {
      const over = { ...report, alert: begin, endedAt: until ?? at, isOpen: false };
      if (before === undefined) found.push(over);
      else {
        const { at: beganAt, level: beganLevel, title: beganTitle } = before;
        found[index!] = {
          ...over,
          ...{ at: beganAt, level: beganLevel, title: beganTitle },
          deliveries: [...deliveries, ...before.deliveries],
        };
      }
      open.delete(begin);
    } else if (before === undefined || (since !== null && since !== before.at)) {
      const isOpen = alert in alertEnds;
      if (isOpen) open.set(alert, found.length);
      found.push({ ...report, isOpen });
    }
    // The same problem was reported again, for example because it became worse.
    else
      found[index!] = {
        ...report,
        at: before.at,
        isOpen: true,
        deliveries: [...deliveries, ...before.deliveries],
      };
  }
  const newest = new Set(open.values());
  return found
    .map((one, at) => ({
      ...one,
      isOpen:
        one.isOpen && newest.has(at) && (!isAlarm(one.alert) || activeAlarms?.includes(one.alert) !== false),
    }))
    .sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
};

/**
 * Returns the key of the group. Alerts about individual stakers are grouped as long as no other alert comes
 * between them.
 */
const keyOf = ({ alert, level, title, message }: AlertOccurrence, run: number): string => {
  if (alert in alertEnds) return alert;
  return level === 'info' && alert.startsWith('delegator_')
    ? `${alert} ${run}`
    : [alert, title, message].join('\n');
};

/**
 * Returns one group per problem, ongoing ones first, the most severe on top, then the ended ones, newest
 * first. `alerts` must be sorted newest first. `activeAlarms` are the alarms of the service; undefined while
 * unknown.
 */
export const groupAlerts = (
  alerts: readonly SentAlert[],
  activeAlarms: readonly string[] | undefined,
): readonly AlertGroup[] => {
  const occurrences = occurrencesOf(alerts, activeAlarms);
  let run = 0;
  const keys = occurrences.map((one, at) => {
    if (one.alert !== occurrences[at - 1]?.alert) run += 1;
    return keyOf(one, run);
  });
  const groups = [...Map.groupBy(occurrences.keys(), (at) => keys[at]!)].map(([key, places]) => ({
    key,
    occurrences: places.map((at) => occurrences[at]!) as [AlertOccurrence, ...AlertOccurrence[]],
  }));
  const rank = ({ occurrences: [newest] }: AlertGroup): number =>
    newest.isOpen ? 1 + SEVERITY[newest.level] : 0;
  return groups.sort((one, other) => rank(other) - rank(one));
};

const RANK = { delivered: 0, pending: 1, dead: 2 } as const;

/** Returns one delivery per destination: the worst one if the occurrence was reported several times. */
export const worstDeliveries = ({
  deliveries,
}: Pick<AlertOccurrence, 'deliveries'>): readonly SentAlert[] => [
  ...Map.groupBy(deliveries, ({ destination }) => destination)
    .values()
    .map((ones) => ones.reduce((one, other) => (RANK[other.state] > RANK[one.state] ? other : one))),
];
