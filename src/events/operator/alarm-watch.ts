// Monitors this process's own health for alarms and reports their beginning and end to the operator, through
// the outbox or, while the store cannot be written, directly.
import type { AlertLevel } from '../../domain/alerts/alert-table.ts';
import {
  type ServiceAlarm,
  type ServiceFacts,
  serviceAlarms,
  serviceAlarmTable,
} from '../../domain/alerts/service-alarm-table.ts';
import { isAppError } from '../../kernel/app-error.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log/logger.ts';
import type { NewEvent, Outbox } from '../../store/outbox/outbox.ts';
import {
  type AlarmState,
  levelsOf,
  mergeReported,
  NOTHING_REPORTED,
  type PassOptions,
  passAlarms,
  type ReportedAlarms,
} from './detect-service-alarms.ts';
import { operatorEvents } from './operator-sinks.ts';

/** Reports that are not in the store yet. */
export interface RememberedAlarms {
  readonly reported: ReportedAlarms;
  /** Events that no sink has accepted yet. */
  readonly unsent: readonly NewEvent[];
}

/** Storage for reports that survives restarts while the store cannot be written. */
export interface AlarmMemory {
  /** Reports that an earlier process left behind; null if the store has everything. */
  readonly remembered: RememberedAlarms | null;
  /** Writes the reports; null if the store has everything. Returns false if they could not be written. */
  readonly write: (value: RememberedAlarms | null) => boolean;
}

export interface ActiveAlarm {
  readonly alarm: ServiceAlarm;
  readonly level: AlertLevel;
  readonly title: string;
  readonly sinceMs: number;
}

interface AlarmWatchOptions {
  /** Determines the current health. Writes to the store to check whether it is writable. */
  readonly observe: (signal: AbortSignal) => Promise<ServiceFacts>;
  readonly role: (facts: ServiceFacts) => PassOptions['role'];
  readonly outbox: Pick<Outbox, 'record' | 'checkpoint'>;
  readonly memory: AlarmMemory;
  /** Ids of the operator's registrations. Without any, alarms are only displayed. */
  readonly registrations: readonly string[];
  readonly genesisHash: string;
  /** Name of this process. */
  readonly instance: string;
  /** Returns the origin of the links in alerts. */
  readonly publicUrl: () => string;
  /** Registers the operator's destinations in the store. Has no effect after it has succeeded once. */
  readonly register: () => Promise<void>;
  /** Sends one event without the outbox. Returns true if the receiver accepted it. */
  readonly sendNow: (event: NewEvent, signal: AbortSignal) => Promise<boolean>;
  readonly onRecorded: () => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Time between two polls, in ms. */
export const ALARM_POLL_MS = 15_000;

const CHECKPOINT = 'service alarms';

/** Maximum number of events kept while neither the store nor a receiver accepts them. The newest are kept. */
const MAX_UNSENT = 30;

export const readReportedAlarms = async (outbox: Pick<Outbox, 'checkpoint'>): Promise<ReportedAlarms> => {
  const stored = await outbox.checkpoint(CHECKPOINT);
  return stored === null ? NOTHING_REPORTED : (JSON.parse(stored) as ReportedAlarms);
};

/** Tracks the alarms of one process. */
export class AlarmWatch {
  readonly #options: AlarmWatchOptions;
  /** Null before the first poll. */
  #state: AlarmState | null = null;
  /** True while the store lacks a report of this process. */
  #isAhead: boolean;
  #unsent: readonly NewEvent[];

  constructor(options: AlarmWatchOptions) {
    this.#options = options;
    this.#isAhead = options.memory.remembered !== null;
    this.#unsent = options.memory.remembered?.unsent ?? [];
  }

  readonly active = (): readonly ActiveAlarm[] =>
    serviceAlarms.flatMap((alarm) => {
      const { isOn, sinceMs } = this.#state?.levels[alarm] ?? { isOn: false, sinceMs: 0 };
      const { level, title } = serviceAlarmTable[alarm];
      return isOn ? [{ alarm, level, title, sinceMs }] : [];
    });

  /** Runs one poll. */
  async poll(signal: AbortSignal): Promise<void> {
    const { observe, role, registrations, genesisHash, instance, publicUrl, clock, memory } = this.#options;
    const facts = await observe(signal);
    signal.throwIfAborted();
    const reported = await this.#reported();
    const nowMs = clock.now();
    const levels = this.#state?.levels ?? levelsOf(reported);
    const { next, events } = passAlarms({ levels, reported }, facts, {
      nowMs,
      steadyMs: clock.steadyNow(),
      role: registrations.length === 0 ? 'silent' : role(facts),
      instance,
      publicUrl: publicUrl(),
    });
    this.#state = next;
    this.#log(levels, next.levels);
    const news = events.flatMap(({ fact, alert }) =>
      operatorEvents({ registrations, genesisHash, fact, alert, atMs: nowMs }),
    );
    this.#unsent = [...this.#unsent, ...news].slice(-MAX_UNSENT);
    if (this.#unsent.length === 0 && !this.#isAhead) return;
    if (facts.store.isWritable && (await this.#record())) return;
    this.#isAhead = true;
    memory.write({ reported: next.reported, unsent: this.#unsent });
    await this.#sendDirectly(signal);
  }

  /** Logs the beginning and the end of alarms, with the times that alerts and the console show. */
  #log(before: AlarmState['levels'], now: AlarmState['levels']): void {
    const { logger } = this.#options;
    for (const alarm of serviceAlarms) {
      const [{ isOn: wasOn, sinceMs }, { isOn, sinceMs: atMs }] = [before[alarm], now[alarm]];
      if (wasOn === isOn) continue;
      const { title, endTitle } = serviceAlarmTable[alarm];
      const at = new Date(atMs).toISOString();
      if (isOn) logger.warn({ alarm, since: at }, title);
      else
        logger.info(
          {
            alarm,
            since: new Date(sinceMs).toISOString(),
            until: at,
            seconds: Math.round((atMs - sinceMs) / 1_000),
          },
          endTitle,
        );
    }
  }

  async #reported(): Promise<ReportedAlarms> {
    const { outbox, memory } = this.#options;
    const own = this.#state?.reported ?? memory.remembered?.reported ?? NOTHING_REPORTED;
    const stored = await readReportedAlarms(outbox).catch(() => null);
    if (stored === null) return own;
    return this.#isAhead ? mergeReported(stored, own) : stored;
  }

  /** Hands all reports over to the outbox. Returns false if the store refuses them. */
  async #record(): Promise<boolean> {
    const { outbox, memory, register, onRecorded } = this.#options;
    try {
      await register();
      await outbox.record(this.#unsent, [{ name: CHECKPOINT, value: JSON.stringify(this.#state!.reported) }]);
    } catch (error) {
      if (!isAppError(error)) throw error;
      return false;
    }
    if (this.#unsent.length > 0) onRecorded();
    this.#unsent = [];
    if (this.#isAhead) memory.write(null);
    this.#isAhead = false;
    return true;
  }

  async #sendDirectly(signal: AbortSignal): Promise<void> {
    const { sendNow, memory } = this.#options;
    const refusing = new Set<string>();
    for (const event of this.#unsent) {
      // If the receiver refuses an event, the next poll sends it again, or the outbox does with the same id.
      // Later events wait, so the end of an alarm never follows its next beginning.
      if (refusing.has(event.registrationId)) continue;
      if (!(await sendNow(event, signal))) {
        refusing.add(event.registrationId);
        continue;
      }
      this.#unsent = this.#unsent.filter(({ id }) => id !== event.id);
      memory.write({ reported: this.#state!.reported, unsent: this.#unsent });
    }
  }
}
