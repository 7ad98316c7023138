// Determines which service alarms are active and which beginnings and ends must be reported. Pure: a poll
// without changes produces no events.
import type { OperatorAlert } from '../../domain/alerts/alert-table.ts';
import {
  beginAlert,
  endAlert,
  type ServiceAlarm,
  type ServiceFacts,
  serviceAlarms,
  serviceAlarmTable,
} from '../../domain/alerts/service-alarm-table.ts';

/** An alarm as seen by this process. */
export interface AlarmLevel {
  readonly isOn: boolean;
  /** Time at which the alarm turned on or off; 0 at startup. */
  readonly sinceMs: number;
  /**
   * Time since which the observations have contradicted `isOn` without having lasted long enough; null if they
   * agree.
   */
  readonly turning: { readonly sinceMs: number; readonly sinceSteadyMs: number } | null;
}

interface ReportedAlarm {
  /** Number of times the alarm has begun, which makes each report unique. */
  readonly number: number;
  readonly isOn: boolean;
  readonly sinceMs: number;
  /** Name of the process that reported the beginning without being elected; null if it was elected. */
  readonly by: string | null;
}

/** An ended alarm. */
export interface PastAlarm {
  readonly alarm: ServiceAlarm;
  readonly sinceMs: number;
  readonly endedMs: number;
}

/** Reported alarms, shared by all processes through the store. JSON-safe. */
export interface ReportedAlarms {
  readonly alarms: Partial<Readonly<Record<ServiceAlarm, ReportedAlarm>>>;
  /** Ended alarms, newest last. */
  readonly past: readonly PastAlarm[];
}

export const NOTHING_REPORTED: ReportedAlarms = { alarms: {}, past: [] };

export interface AlarmState {
  readonly levels: Readonly<Record<ServiceAlarm, AlarmLevel>>;
  readonly reported: ReportedAlarms;
}

/** The beginning or the end of an alarm, to be reported. */
export interface AlarmEvent {
  /** Identity of the report. The same beginning has the same identity in every process. */
  readonly fact: string;
  readonly alert: OperatorAlert;
}

/** Time of a poll, and the role and name of this process. */
export interface PassOptions {
  readonly nowMs: number;
  readonly steadyMs: number;
  /**
   * `elected`: this process reports. `silent`: another process reports. `alone`: no process can be elected, so
   * each reports for itself.
   */
  readonly role: 'elected' | 'silent' | 'alone';
  /** Name of this process. */
  readonly instance: string;
  /** Origin of the links in alerts. */
  readonly publicUrl: string;
}

/** Maximum number of ended alarms kept for the digest. */
const MAX_PAST = 50;

/** Returns the alarm levels that a process assumes after startup, which are those last reported. */
export const levelsOf = ({ alarms }: ReportedAlarms): AlarmState['levels'] =>
  perAlarm((alarm) => ({
    isOn: alarms[alarm]?.isOn ?? false,
    sinceMs: alarms[alarm]?.sinceMs ?? 0,
    turning: null,
  }));

const perAlarm = <T>(of: (alarm: ServiceAlarm) => T): Readonly<Record<ServiceAlarm, T>> =>
  Object.fromEntries(serviceAlarms.map((alarm) => [alarm, of(alarm)])) as Record<ServiceAlarm, T>;

const nextLevel = (
  alarm: ServiceAlarm,
  level: AlarmLevel,
  facts: ServiceFacts,
  { nowMs, steadyMs }: PassOptions,
): AlarmLevel => {
  const { isThere, sinceMs, beginAfterMs, endAfterMs } = serviceAlarmTable[alarm];
  const found = isThere(facts);
  if (found === null || found === level.isOn) return { ...level, turning: null };
  const changedMs = sinceMs?.(facts, nowMs) ?? null;
  // The dependency changed back and forth between two polls, so the wait starts again.
  const isNewer = level.turning !== null && changedMs !== null && changedMs > level.turning.sinceMs;
  const turning =
    level.turning === null || isNewer
      ? { sinceMs: changedMs ?? nowMs, sinceSteadyMs: steadyMs }
      : level.turning;
  if (steadyMs - turning.sinceSteadyMs < (found ? beginAfterMs : endAfterMs)) return { ...level, turning };
  return { isOn: found, sinceMs: turning.sinceMs, turning: null };
};

const report = (
  reported: ReportedAlarms,
  alarm: ServiceAlarm,
  level: AlarmLevel,
  facts: ServiceFacts,
  { role, instance, publicUrl, nowMs }: PassOptions,
): { readonly reported: ReportedAlarms; readonly event: AlarmEvent } | null => {
  const before = reported.alarms[alarm] ?? { number: 0, isOn: false, sinceMs: 0, by: null };
  if (role === 'silent' || level.isOn === before.isOn) return null;
  // Another process may have reported a beginning or end that this process has not observed for long enough.
  if (serviceAlarmTable[alarm].isThere(facts) !== level.isOn) return null;
  const by = role === 'alone' ? instance : null;
  if (level.isOn) {
    const begun = { number: before.number + 1, isOn: true, sinceMs: level.sinceMs, by };
    return {
      reported: { ...reported, alarms: { ...reported.alarms, [alarm]: begun } },
      event: {
        fact: `alarm ${alarm} begin ${begun.number}`,
        alert: beginAlert(alarm, level.sinceMs, facts, { instance: by, publicUrl }),
      },
    };
  }
  // Processes that observe different problems must not alternately begin and end each other's alarms. But an
  // elected process may have lost its role since, so any process that saw the problem end reports that.
  const sawEnd = before.by === null && level.sinceMs > before.sinceMs;
  if (role === 'alone' && before.by !== instance && !sawEnd) return null;
  const endedMs = level.sinceMs > before.sinceMs ? level.sinceMs : nowMs;
  const past: PastAlarm = { alarm, sinceMs: before.sinceMs, endedMs };
  return {
    reported: {
      alarms: { ...reported.alarms, [alarm]: { ...before, isOn: false } },
      past: [...reported.past, past].slice(-MAX_PAST),
    },
    event: {
      fact: `alarm ${alarm} end ${before.number}`,
      alert: endAlert(alarm, past.sinceMs, past.endedMs, by),
    },
  };
};

/**
 * Evaluates one poll. An alarm is reported once when it begins and once when it ends, despite flapping and
 * restarts.
 */
export const passAlarms = (
  previous: AlarmState,
  facts: ServiceFacts,
  options: PassOptions,
): { readonly next: AlarmState; readonly events: readonly AlarmEvent[] } => {
  const levels = perAlarm((alarm) => nextLevel(alarm, previous.levels[alarm], facts, options));
  const events: AlarmEvent[] = [];
  let { reported } = previous;
  for (const alarm of serviceAlarms) {
    const found = report(reported, alarm, levels[alarm], facts, options);
    if (found === null) continue;
    reported = found.reported;
    events.push(found.event);
  }
  return { next: { levels, reported }, events };
};

/**
 * Merges the alarms stored by another process with those reported here during a store outage. Per alarm, the
 * later beginning counts, and it has ended if either process reported its end.
 */
export const mergeReported = (stored: ReportedAlarms, own: ReportedAlarms): ReportedAlarms => {
  const later = (alarm: ServiceAlarm): ReportedAlarm | undefined => {
    const [one, other] = [stored.alarms[alarm], own.alarms[alarm]];
    if (one === undefined || other === undefined) return one ?? other;
    if (one.number !== other.number) return one.number > other.number ? one : other;
    return one.isOn ? other : one;
  };
  const past = new Map(
    [...stored.past, ...own.past].map((one) => [`${one.alarm} ${one.sinceMs}`, one] as const),
  );
  return {
    alarms: Object.fromEntries(
      serviceAlarms.flatMap((alarm) => {
        const found = later(alarm);
        return found === undefined ? [] : [[alarm, found]];
      }),
    ),
    past: [...past.values()].sort((a, b) => a.endedMs - b.endedMs).slice(-MAX_PAST),
  };
};
