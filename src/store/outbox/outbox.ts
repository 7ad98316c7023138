// Interface of the outbox: an event and its delivery are stored in one transaction and kept until the event is
// delivered or dead.

import type { DeliveryType, DisabledReason } from '../../domain/notification-types.ts';
import type { DeliveryState, RegistrationKind } from '../schema.ts';

export interface NewEvent {
  /**
   * Derived from the cluster, the registration, the type and what happened, so the same event has the same id
   * in every process and after every restart. Also the `webhook-id` of each delivery.
   */
  readonly id: string;
  readonly registrationId: string;
  readonly type: DeliveryType;
  /** Timestamp of the event, in ms since the Unix epoch. */
  readonly atMs: number;
  /** The body's `data` object as canonical JSON text. */
  readonly data: string;
  /** Time from which no attempts are made. With null, attempts continue until the schedule ends. */
  readonly expiresAtMs: number | null;
  /**
   * Due time of the first attempt. Default: `atMs`, so earlier events are sent first. Reads do not return it.
   */
  readonly dueAtMs?: number;
}

/**
 * The outcome of an attempt as a fixed term. Only the status and the length of the receiver's response are
 * stored.
 */
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

/** True if the failure is on our side. It then does not count towards disabling the registration. */
export const isOwnFailure = (outcome: AttemptOutcome): boolean =>
  outcome === 'interrupted' || outcome === 'compose-failed';

export interface Attempt {
  /** Number of the attempt, starting at 1 and continuing across replays. */
  readonly number: number;
  readonly atMs: number;
  readonly durationMs: number;
  /** HTTP status; null if there was no response. */
  readonly status: number | null;
  readonly outcome: AttemptOutcome;
  /** Number of bytes read from the body of the response, at most 65,536. */
  readonly answerBytes: number;
}

/** An event with the state of its delivery. */
export interface Delivery extends NewEvent {
  readonly state: DeliveryState;
  /** Number of attempts in the current schedule; a replay restarts at 0. */
  readonly attempts: number;
  /** Due time of the next attempt; null if there is none. */
  readonly nextAttemptAtMs: number | null;
  /** Time at which the event was delivered or became dead. */
  readonly settledAtMs: number | null;
}

/** A delivery that this process may attempt until its lease ends, with the data it needs. */
export interface ClaimedDelivery extends NewEvent {
  /** The store's internal id. */
  readonly key: number;
  readonly attempts: number;
  /** Number of attempts so far, across replays. The next attempt gets the next number. */
  readonly attemptsEver: number;
  readonly callbackUrl: string;
  readonly secretGeneration: number;
  readonly rotatedAtMs: number | null;
  readonly walletAddress: string;
  /** Time since which the registration has been failing. It is disabled after 5 days. */
  readonly failingSinceMs: number | null;
  /** True if the registration is disabled; only pings are still sent. */
  readonly disabled: boolean;
  /** True if the registration was deleted; only its deregistration notice is still sent. */
  readonly deleted: boolean;
}

export interface AttemptResult {
  readonly eventId: string;
  /** The store's internal id of the delivery, from the claim. */
  readonly key: number;
  readonly registrationId: string;
  /**
   * Lease holder from the claim. If another process has taken over the lease, the result is logged but does not
   * change the delivery.
   */
  readonly owner: string;
  readonly attempt: Attempt;
  /** The state after the attempt: to be retried at `nextAttemptAtMs`, or settled. */
  readonly next:
    | { readonly state: 'pending'; readonly nextAttemptAtMs: number }
    | { readonly state: 'delivered' | 'dead' };
  /** Why the attempt disables the registration, if it does. */
  readonly disable?: DisabledReason;
  /** True for a ping with a 2xx response, which enables the registration again. */
  readonly enable?: true;
}

/**
 * Options of a claim. `claim` never returns the same delivery twice; limiting concurrent deliveries per
 * registration is up to the caller.
 */
export interface ClaimOptions {
  /** Id of this process, unguessable and new at every startup. */
  readonly owner: string;
  readonly nowMs: number;
  readonly leaseMs: number;
  /** Maximum number of deliveries. */
  readonly limit: number;
  /** Maximum number per registration. */
  readonly limitPerRegistration: number;
  /** Registrations that are already at their limit. */
  readonly except: readonly string[];
}

/** A registration with deliveries that are waiting or have failed permanently. */
export interface Receiver {
  readonly registrationId: string;
  readonly kind: RegistrationKind;
  readonly callbackUrl: string;
  readonly isDisabled: boolean;
  readonly isDeleted: boolean;
  /** Time since which every attempt has failed; null if the last one was accepted. */
  readonly failingSinceMs: number | null;
  readonly waiting: number;
  readonly dead: number;
  /** Due time of the next attempt; null if none is due, or only pings are sent. */
  readonly nextAttemptAtMs: number | null;
  /** Time at which a delivery was last accepted; null before the first one. */
  readonly lastAcceptedAtMs: number | null;
  /** The last attempt of the newest of these deliveries; null before the first attempt. */
  readonly lastAttempt: Attempt | null;
}

/**
 * Durable outbox. Every write is on disk when its promise resolves. All methods reject with
 * `AppError('STORE_UNAVAILABLE')` while the store is unavailable.
 */
export interface Outbox {
  /**
   * Inserts events with their pending deliveries, due at `dueAtMs`, and stores the checkpoints `marks` in the
   * same transaction. If a registration is deleted or its receiver has never responded, its deliveries wait
   * until it is restored or a ping gets a 2xx response. Skips known ids and events of missing registrations
   * (for pings and the autopilot, also of deleted ones). Returns the new ids.
   */
  readonly record: (
    events: readonly NewEvent[],
    marks?: readonly { readonly name: string; readonly value: string }[],
  ) => Promise<readonly string[]>;
  /**
   * Pings a receiver that has never responded: makes a pending ping due now, or records `ping`, at most once in
   * 24 hours. Returns the id of the ping to attempt; null if the last ping was created less than 24 hours ago
   * and has failed.
   */
  readonly ask: (ping: NewEvent) => Promise<string | null>;
  /** Returns a checkpoint stored with `record`, e.g. the watcher's position; null if there is none. */
  readonly checkpoint: (name: string) => Promise<string | null>;
  /**
   * Leases due deliveries, those that have been due longest first: of active registrations, plus deregistration
   * notices of deleted ones and pings of disabled ones. PostgreSQL uses `skip locked`. Due deliveries that have
   * expired, or whose registration is deleted or disabled, become dead without an attempt and can be replayed,
   * so fewer results than requested do not mean that no more are due; see `nextDueMs`.
   */
  readonly claim: (options: ClaimOptions) => Promise<readonly ClaimedDelivery[]>;
  /**
   * Returns when the next delivery is due or a lease ends, in ms since the Unix epoch; null if nothing is
   * pending.
   */
  readonly nextDueMs: () => Promise<number | null>;
  /**
   * Records attempts and their consequences (the delivery, and the registration's `lastDeliveryAtMs`,
   * `failingSinceMs` and disabling), up to 500 deliveries per transaction. `interrupted` and `compose-failed`
   * are failures on our side and do not affect `failingSinceMs`.
   */
  readonly settle: (results: readonly AttemptResult[]) => Promise<void>;
  /** Returns the states of these events' deliveries, without pruned ones. */
  readonly states: (eventIds: readonly string[]) => Promise<ReadonlyMap<string, DeliveryState>>;
  /**
   * Lists deliveries of one registration, or of all registrations if it is null: newest first, at most
   * `limit` before the cursor, and only those of the event `id` if it is given.
   */
  readonly deliveries: (
    registrationId: string | null,
    options: {
      readonly limit: number;
      readonly before: { readonly atMs: number; readonly id: string } | null;
      readonly state: DeliveryState | null;
      readonly id?: string;
    },
  ) => Promise<readonly (Delivery & { readonly attemptLog: readonly Attempt[] })[]>;
  /**
   * Makes deliveries due again from the start of the schedule, with the same ids: one event, or all events of
   * [fromMs, toMs) in one of `states`. Skips expired deliveries, deregistration notices and attempts in
   * progress. Returns the number of deliveries.
   */
  readonly replay: (
    registrationId: string,
    which:
      | { readonly eventId: string }
      | { readonly fromMs: number; readonly toMs: number; readonly states: readonly DeliveryState[] },
    nowMs: number,
  ) => Promise<number>;
  /**
   * Deletes, a few hundred at a time, events settled before the given time and events created before
   * `deadBeforeMs` that still wait for a response or a restore, including their data and attempts. Keeps their
   * ids, so no event is sent twice. Returns the number of events.
   */
  readonly pruneSettledBefore: (times: {
    readonly deliveredBeforeMs: number;
    readonly deadBeforeMs: number;
  }) => Promise<number>;
  /** Lists the registrations with waiting or dead deliveries, those with the most first, at most 1,000. */
  readonly receivers: () => Promise<readonly Receiver[]>;
  /** Returns counts for `/ready` and metrics. */
  readonly backlog: () => Promise<{
    readonly pending: number;
    readonly oldestDueMs: number | null;
    readonly dead: number;
  }>;
}
