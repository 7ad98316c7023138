// The alarms of the service itself: when each begins and ends, and its texts for the operator. Pure.

import { duration } from '../duration.ts';
import { utcPeriod, utcTime } from '../utc-time.ts';
import type { AlertLevel, OperatorAlert } from './alert-table.ts';

/** Alarms, named after the alert that reports their beginning. */
export const serviceAlarms = [
  'rpc_unreachable',
  'chain_halted',
  'store_unwritable',
  'outbox_behind',
  'lease_unheld',
] as const;
export type ServiceAlarm = (typeof serviceAlarms)[number];

/** One process's view of its dependencies and itself. Fields are null if unknown. */
export interface ServiceFacts {
  readonly rpc: {
    readonly responses: boolean;
    /** Time of the last response before an outage or of the first one after it; null if there was no outage. */
    readonly sinceMs: number | null;
  };
  readonly chain: { readonly slot: bigint; readonly stillMs: number } | null;
  readonly store: {
    readonly isWritable: boolean;
    /** Time of the last successful write. */
    readonly writtenMs: number;
  };
  readonly webhooks: { readonly pending: number; readonly oldestDueSeconds: number } | null;
  /** Names of the elected jobs that no process currently runs. */
  readonly lease: { readonly unheld: readonly string[] } | null;
}

type Details = Readonly<Record<string, string | number | null>>;

interface ServiceAlarmRow {
  readonly level: AlertLevel;
  /** Name of the alert that reports the end of the alarm. */
  readonly ends: string;
  readonly title: string;
  readonly endTitle: string;
  /** Conditions for the beginning and the end, for the operator's list of alerts. */
  readonly when: string;
  readonly endsWhen: string;
  /** Section heading in `docs/operate.md` with the instructions. */
  readonly runbook: string;
  /**
   * Returns true while the problem exists, and false once it is over. While the result is null (unknown or in
   * between), the alarm neither begins nor ends.
   */
  readonly isThere: (facts: ServiceFacts) => boolean | null;
  /**
   * Minimum duration of the problem before the alarm begins, and of its absence before the alarm ends, in ms.
   * Prevents repeated reports about a flapping dependency.
   */
  readonly beginAfterMs: number;
  readonly endAfterMs: number;
  /**
   * Returns the time at which the problem began or, if it is over, ended, in ms since the Unix epoch; null if
   * unknown. Default: the time of the first poll that detects it.
   */
  readonly sinceMs?: (facts: ServiceFacts, nowMs: number) => number | null;
  readonly message: (since: string, facts: ServiceFacts) => string;
  readonly details?: (facts: ServiceFacts) => Details;
}

const MINUTE_MS = 60_000;

/** The chain counts as stalled if there has been no new slot for this many milliseconds. */
export const CHAIN_STILL_MS = MINUTE_MS;

/**
 * Webhooks count as late once the oldest due webhook is this many seconds late, and until it is less than
 * `ON_TIME_SECONDS` late.
 */
const BEHIND_SECONDS = 300;
const ON_TIME_SECONDS = 60;

/** All alarms. */
export const serviceAlarmTable: Readonly<Record<ServiceAlarm, ServiceAlarmRow>> = {
  rpc_unreachable: {
    level: 'critical',
    ends: 'rpc_reachable',
    title: 'No RPC node is responding',
    endTitle: 'RPC nodes are responding again',
    when: `No RPC node has responded for ${duration(MINUTE_MS / 1_000)}.`,
    endsWhen: `RPC nodes have responded for ${duration(MINUTE_MS / 1_000)}.`,
    runbook: 'no-rpc-node-answers',
    isThere: ({ rpc }) => !rpc.responses,
    sinceMs: ({ rpc }) => rpc.sinceMs,
    beginAfterMs: MINUTE_MS,
    endAfterMs: MINUTE_MS,
    message: (since) =>
      `No RPC node has responded since ${since}. Stakes cannot be read, built or submitted until one does.`,
  },
  chain_halted: {
    level: 'critical',
    ends: 'chain_resumed',
    title: 'The chain has stalled',
    endTitle: 'The chain is producing blocks again',
    when: `RPC nodes respond, but have reported no new slot for ${duration(CHAIN_STILL_MS / 1_000)}.`,
    endsWhen: `RPC nodes have reported new slots for ${duration(MINUTE_MS / 1_000)}.`,
    runbook: 'the-chain-has-halted',
    isThere: ({ chain }) => chain && chain.stillMs >= CHAIN_STILL_MS,
    beginAfterMs: 0,
    endAfterMs: MINUTE_MS,
    sinceMs: ({ chain }, nowMs) => (chain && chain.stillMs >= CHAIN_STILL_MS ? nowMs - chain.stillMs : null),
    message: (since, { chain }) =>
      `RPC nodes have shown no block after slot ${chain?.slot} since ${since}. Transactions are not confirmed until the chain resumes.`,
    details: ({ chain }) => ({ slot: chain && Number(chain.slot) }),
  },
  store_unwritable: {
    level: 'critical',
    ends: 'store_writable',
    title: 'The store is not writable',
    endTitle: 'The store is writable again',
    when: `The store has not accepted a small write for ${duration(MINUTE_MS / 1_000)}.`,
    endsWhen: `The store has accepted writes for ${duration(MINUTE_MS / 1_000)}.`,
    runbook: 'the-store-cannot-be-written',
    isThere: ({ store }) => !store.isWritable,
    // An outage lasts from the last write before it to the first one after it, like that of the RPC.
    sinceMs: ({ store }) => (store.isWritable ? null : store.writtenMs),
    beginAfterMs: MINUTE_MS,
    endAfterMs: MINUTE_MS,
    message: (since) =>
      `The store has not accepted a write since ${since}. Stakes that must be recorded are refused, and no webhooks are sent.`,
  },
  outbox_behind: {
    level: 'warning',
    ends: 'outbox_current',
    title: 'Webhooks pile up',
    endTitle: 'Webhooks are on time again',
    when: `The oldest due webhook is more than ${duration(BEHIND_SECONDS)} late.`,
    endsWhen: `No due webhook has been more than ${duration(ON_TIME_SECONDS)} late for ${duration(MINUTE_MS / 1_000)}.`,
    runbook: 'webhooks-pile-up',
    isThere: ({ webhooks }) => {
      if (webhooks === null) return null;
      if (webhooks.oldestDueSeconds > BEHIND_SECONDS) return true;
      return webhooks.oldestDueSeconds < ON_TIME_SECONDS ? false : null;
    },
    beginAfterMs: 0,
    endAfterMs: MINUTE_MS,
    sinceMs: ({ webhooks }, nowMs) =>
      webhooks && webhooks.oldestDueSeconds > BEHIND_SECONDS
        ? nowMs - webhooks.oldestDueSeconds * 1_000
        : null,
    message: (since, { webhooks }) =>
      `${webhooks?.pending} webhooks are waiting, the oldest since ${since}. The cause is a receiver that hangs or a machine that is too slow.`,
    details: ({ webhooks }) => ({ ...webhooks }),
  },
  lease_unheld: {
    level: 'critical',
    ends: 'lease_held',
    title: 'No process holds the lease',
    endTitle: 'A process holds the lease again',
    when: `PostgreSQL only: no process has held the lock of an elected task for ${duration(MINUTE_MS / 1_000)}.`,
    endsWhen: `PostgreSQL only: processes have held all locks for ${duration(MINUTE_MS / 1_000)}.`,
    runbook: 'no-process-holds-the-lease',
    isThere: ({ lease }) => lease && lease.unheld.length > 0,
    beginAfterMs: MINUTE_MS,
    endAfterMs: MINUTE_MS,
    message: (since, { lease }) =>
      `Since ${since} no process has been elected for: ${lease?.unheld.join(', ')}. Events are delayed.`,
    details: ({ lease }) => ({ unheld: lease?.unheld.join(', ') ?? null }),
  },
};

/** Returns a sentence that names the reporting process; empty if that process was elected. */
const reportedBy = (instance: string | null): string =>
  instance === null ? '' : ` Reported by ${instance}, because no process could be elected to report.`;

/** Path of the instructions for an alarm, on every listener of the service. */
export const runbookPath = (alarm: ServiceAlarm): string =>
  `/docs/guides/operate#${serviceAlarmTable[alarm].runbook}`;

/**
 * Builds the alert for the beginning of an alarm. `instance` is the reporting process, or null if it was
 * elected. `publicUrl` is the origin of links, because alerts are read outside the service.
 */
export const beginAlert = (
  alarm: ServiceAlarm,
  sinceMs: number,
  facts: ServiceFacts,
  { instance, publicUrl }: { readonly instance: string | null; readonly publicUrl: string },
): OperatorAlert => {
  const { level, title, message, details } = serviceAlarmTable[alarm];
  return {
    alert: alarm,
    level,
    title,
    message: `${message(utcTime(sinceMs), facts)}${reportedBy(instance)}`,
    facts: {
      since: new Date(sinceMs).toISOString(),
      ...details?.(facts),
      ...(instance !== null && { instance }),
      runbook: `${publicUrl}${runbookPath(alarm)}`,
    },
  };
};

/** Builds the alert for the end of an alarm. */
export const endAlert = (
  alarm: ServiceAlarm,
  sinceMs: number,
  endedMs: number,
  instance: string | null,
): OperatorAlert => {
  const { ends, endTitle } = serviceAlarmTable[alarm];
  return {
    alert: ends,
    level: 'info',
    title: endTitle,
    message: `${endTitle}. The problem lasted ${duration((endedMs - sinceMs) / 1_000)}, ${utcPeriod(sinceMs, endedMs)}.${reportedBy(instance)}`,
    facts: {
      since: new Date(sinceMs).toISOString(),
      until: new Date(endedMs).toISOString(),
      ...(instance !== null && { instance }),
    },
  };
};
