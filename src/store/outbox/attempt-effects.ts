// What attempts change in their deliveries and registrations, worked out before anything is written. Pure.
import type { DisabledReason } from '../../domain/notification-types.ts';
import type { Attempt, AttemptOutcome, AttemptResult } from './outbox.ts';

/** Whether it failed by us, not by the receiver: that says nothing of the receiver, and does not count towards disabling it. */
export const isOwnFailure = (outcome: AttemptOutcome): boolean =>
  outcome === 'interrupted' || outcome === 'compose-failed';

/** New values of a delivery whose lease was still held. */
interface DeliveryChange {
  readonly state: AttemptResult['next']['state'];
  /** To be added to `attempts`: what our stopping cut off costs no step of the schedule. */
  readonly attempts: 0 | 1;
  readonly dueAtMs: number | null;
  readonly settledAtMs: number | null;
}

const endOf = ({ atMs, durationMs }: AttemptResult['attempt']): number => atMs + durationMs;

/** The change that `result` makes. */
export const deliveryChange = ({ attempt, next }: AttemptResult): DeliveryChange => ({
  state: next.state,
  attempts: attempt.outcome === 'interrupted' ? 0 : 1,
  dueAtMs: next.state === 'pending' ? next.nextAttemptAtMs : null,
  settledAtMs: next.state === 'pending' ? null : endOf(attempt),
});

/** What becomes of a registration. */
export interface RegistrationChange {
  readonly id: string;
  /** The later of this and what stands counts; null: as it stands. */
  readonly lastDeliveryAtMs: number | null;
  /** Whether `failing_since_ms`, where it is known, stays. */
  readonly keepsFailing: boolean;
  /** `failing_since_ms` otherwise. */
  readonly failingSinceMs: number | null;
  /** Undefined: as it stands. */
  readonly disabledReason: DisabledReason | null | undefined;
}

const untouched = (id: string): RegistrationChange => ({
  id,
  lastDeliveryAtMs: null,
  keepsFailing: true,
  failingSinceMs: null,
  disabledReason: undefined,
});

const healthy = { keepsFailing: false, failingSinceMs: null } as const;

const changedBy = (
  change: RegistrationChange,
  { attempt, disable, enable }: AttemptResult,
): RegistrationChange => {
  let changed = change;
  if (attempt.outcome === 'delivered')
    changed = {
      ...changed,
      ...healthy,
      lastDeliveryAtMs: Math.max(changed.lastDeliveryAtMs ?? 0, endOf(attempt)),
    };
  else if (!isOwnFailure(attempt.outcome))
    changed = { ...changed, failingSinceMs: changed.failingSinceMs ?? attempt.atMs };
  if (disable !== undefined) changed = { ...changed, disabledReason: disable };
  return enable ? { ...changed, ...healthy, disabledReason: null } : changed;
};

/** The changes that `results` make together, in their order; sorted by registration, so that two processes that write the same ones cannot wait for each other. */
export const registrationChanges = (results: readonly AttemptResult[]): readonly RegistrationChange[] => {
  const changes = new Map<string, RegistrationChange>();
  for (const result of results) {
    const { registrationId: id } = result;
    changes.set(id, changedBy(changes.get(id) ?? untouched(id), result));
  }
  return [...changes.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
};

type Line = readonly [
  atMs: number,
  durationMs: number,
  status: number | null,
  AttemptOutcome,
  answerBytes: number,
];

/** The line to append. Its number is that of the line, whatever the attempt was taken for: behind a process that lost its lease another has counted too. */
export const attemptLine = ({ atMs, durationMs, status, outcome, answerBytes }: Attempt): string =>
  `[${atMs},${durationMs},${status},"${outcome}",${answerBytes}]\n`;

/** What was appended, in order. */
export const readAttemptLog = (log: string): readonly Attempt[] =>
  log
    .split('\n')
    .slice(0, -1)
    .map((line, index) => {
      const [atMs, durationMs, status, outcome, answerBytes] = JSON.parse(line) as Line;
      return { number: index + 1, atMs, durationMs, status, outcome, answerBytes };
    });
