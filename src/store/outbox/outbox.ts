// The outbox as a port: an event is stored once, with its delivery in the same transaction, and both survive until delivered or dead.

import type { DeliveryType, DisabledReason } from '../../domain/notification-types.ts';
import type { DeliveryState } from '../schema.ts';

/** An event for one registration. */
export interface NewEvent {
  /** Derived from cluster, registration, type and fact, so that the same fact is the same event in every process and after every restart; `webhook-id` of each delivery. */
  readonly id: string;
  readonly registrationId: string;
  readonly type: DeliveryType;
  /** Timestamp of the event, ms since the Unix epoch. */
  readonly atMs: number;
  /** Canonical text of the body's `data` object (JSON). */
  readonly data: string;
  /** No attempt is made from this moment on; null: until the schedule ends. */
  readonly expiresAtMs: number | null;
  /** When the first attempt is due; default `atMs`, so that what happened first is sent first. Not read back. */
  readonly dueAtMs?: number;
}

/** How an attempt ended, in fixed words; nothing of the receiver's answer is stored but the status. */
export type AttemptOutcome =
  | 'delivered'
  | 'refused-status'
  | 'redirect'
  | 'gone'
  | 'timeout'
  | 'connection-failed'
  | 'tls-failed'
  | 'name-not-found'
  | 'target-not-allowed'
  | 'answer-too-slow'
  | 'interrupted'
  | 'compose-failed';

/** Whether the failure is ours and says nothing about the receiver: it does not count towards disabling the registration. */
export const isOwnFailure = (outcome: AttemptOutcome): boolean =>
  outcome === 'interrupted' || outcome === 'compose-failed';

/** One attempt, for the delivery log. */
export interface Attempt {
  /** Counts from 1 over all replays. */
  readonly number: number;
  readonly atMs: number;
  readonly durationMs: number;
  /** HTTP status; null where no answer came. */
  readonly status: number | null;
  readonly outcome: AttemptOutcome;
  /** Bytes of the answer's body that were read, at most 65,536. */
  readonly answerBytes: number;
}

/** An event with how its delivery stands. */
export interface Delivery extends NewEvent {
  readonly state: DeliveryState;
  /** Attempts of the present schedule; a replay begins anew at 0. */
  readonly attempts: number;
  /** When the next attempt is due; null when none is. */
  readonly nextAttemptAtMs: number | null;
  /** When it became delivered or dead. */
  readonly settledAtMs: number | null;
}

/** A delivery that this process may attempt now, until its lease ends, with what is needed to do so. */
export interface ClaimedDelivery extends NewEvent {
  /** Where the store keeps it; means nothing elsewhere. */
  readonly key: number;
  readonly attempts: number;
  /** Attempts ever made: the next one's number is one more. */
  readonly attemptsEver: number;
  readonly callbackUrl: string;
  readonly secretGeneration: number;
  readonly rotatedAtMs: number | null;
  readonly walletAddress: string;
  /** As the registration has it; failing for 5 days disables it. */
  readonly failingSinceMs: number | null;
  /** The registration is disabled; only pings are still sent. */
  readonly disabled: boolean;
  /** The registration was deleted; only its deregistration notice is still sent. */
  readonly deleted: boolean;
}

/** What became of an attempt. */
export interface AttemptResult {
  readonly eventId: string;
  /** Of the claim. */
  readonly key: number;
  readonly registrationId: string;
  /** Of the claim; a result whose lease another process took over meanwhile is noted in the log but settles nothing. */
  readonly owner: string;
  readonly attempt: Attempt;
  /** `retry` at `nextAttemptAtMs`, or settled. */
  readonly next:
    | { readonly state: 'pending'; readonly nextAttemptAtMs: number }
    | { readonly state: 'delivered' | 'dead' };
  /** Disables the registration. */
  readonly disable?: DisabledReason;
  /** A ping that was answered 2xx enables it again. */
  readonly enable?: true;
}

/** How many deliveries one registration may have under way at once, over all processes, is the claimer's business; `claim` only never gives the same delivery twice. */
export interface ClaimOptions {
  /** This process, unguessable and new at every start. */
  readonly owner: string;
  readonly nowMs: number;
  readonly leaseMs: number;
  /** At most so many in all. */
  readonly limit: number;
  /** At most so many of one registration. */
  readonly limitPerRegistration: number;
  /** Registrations that are busy enough already. */
  readonly except: readonly string[];
}

/** Durable outbox. Every write is on disk when its promise resolves. All reject with `STORE_UNAVAILABLE`. */
export interface Outbox {
  /**
   * Inserts events with their pending deliveries, due at once, and notes `marks` in the same transaction. Those of a registration that awaits its
   * receiver's first answer, or that is deleted, wait: due once a ping is answered 2xx, or once it is restored. Events whose id is known, or whose
   * registration is gone (or deleted, for pings and the autopilot), are left out. Returns the ids that were new.
   */
  readonly record: (
    events: readonly NewEvent[],
    marks?: readonly { readonly name: string; readonly value: string }[],
  ) => Promise<readonly string[]>;
  /**
   * Sends a receiver that has not answered yet a ping: the one under way now rather than by its schedule, else `ping`, at most one in 24 hours.
   * Returns the id of the ping that is attempted; null: the last one ended less than 24 hours after it was made.
   */
  readonly ask: (ping: NewEvent) => Promise<string | null>;
  /** A checkpoint noted with `record`, e.g. how far the watcher came; null when there is none. */
  readonly checkpoint: (name: string) => Promise<string | null>;
  /**
   * Due deliveries of active registrations (and the deregistration notices of deleted ones, pings of disabled ones), longest due first; leases them. PostgreSQL:
   * `skip locked`. Due ones that have expired, or whose registration is deleted or disabled, become dead on the way, without an attempt: they can
   * be replayed. Hence fewer than asked for does not mean that no more are due; `nextDueMs` tells.
   */
  readonly claim: (options: ClaimOptions) => Promise<readonly ClaimedDelivery[]>;
  /** When the next delivery is due or a lease ends, ms since the Unix epoch; null when nothing is pending. */
  readonly nextDueMs: () => Promise<number | null>;
  /**
   * Notes attempts and their consequences (delivery, registration's `lastDeliveryAtMs`, `failingSinceMs`, disabling) for many deliveries in one
   * transaction (500 each). `interrupted` and `compose-failed` are our own failures and leave `failingSinceMs` alone.
   */
  readonly settle: (results: readonly AttemptResult[]) => Promise<void>;
  /** How the deliveries of these events stand; those that were pruned are left out. */
  readonly states: (eventIds: readonly string[]) => Promise<ReadonlyMap<string, DeliveryState>>;
  /** Newest first, at most `limit` before the cursor; of all registrations where none is named. */
  readonly deliveries: (
    registrationId: string | null,
    options: {
      readonly limit: number;
      readonly before: { readonly atMs: number; readonly id: string } | null;
      readonly state: DeliveryState | null;
    },
  ) => Promise<readonly (Delivery & { readonly attemptLog: readonly Attempt[] })[]>;
  /** Due at once again, from the first step of the schedule, under the same ids: one event, or all of [fromMs, toMs) in `states`. Expired ones, deregistration notices and what is being attempted are left out. Returns how many. */
  readonly replay: (
    registrationId: string,
    which:
      | { readonly eventId: string }
      | { readonly fromMs: number; readonly toMs: number; readonly states: readonly DeliveryState[] },
    nowMs: number,
  ) => Promise<number>;
  /** Forgets what was settled before, and what came about before `deadBeforeMs` and still waits for an answer or a restoring, with its data and attempts, a few hundred at a time; ids stay known, so that no event is sent twice. Returns how many went. */
  readonly pruneSettledBefore: (times: {
    readonly deliveredBeforeMs: number;
    readonly deadBeforeMs: number;
  }) => Promise<number>;
  /** For `/ready` and metrics. */
  readonly backlog: () => Promise<{
    readonly pending: number;
    readonly oldestDueMs: number | null;
    readonly dead: number;
  }>;
}
