// Converts webhook registrations from and to database rows.
import type { Selectable } from 'kysely';
import { type DisabledReason, type EventType, isEventType } from '../domain/notification-types.ts';
import type { Database, RegistrationKind } from './schema.ts';

/**
 * A registration. It does not contain its secret, which is derived from the server secret, the registration's
 * id and `secretGeneration`.
 */
export interface Registration {
  /** 128 random bits, 32 lower-case hexadecimal characters. */
  readonly id: string;
  readonly kind: RegistrationKind;
  readonly walletAddress: string;
  /** URL in WHATWG-normalized form. */
  readonly callbackUrl: string;
  /** Types in the order of `eventTypes`; empty for `autopilot`. */
  readonly events: readonly EventType[];
  readonly createdAtMs: number;
  /** The chain's position at the time of registration. Earlier events are not sent. */
  readonly createdEpoch: bigint;
  readonly createdSlot: bigint;
  /** Rate-limit key of the client's network. */
  readonly client: string;
  /** Generation of the secret, starting at 0; each rotation adds one. */
  readonly secretGeneration: number;
  /**
   * Start of the newest generation. The previous generation also signs for another 24 hours. Null before the
   * first rotation.
   */
  readonly rotatedAtMs: number | null;
  /** Time at which a delivery was last accepted (2xx). */
  readonly lastDeliveryAtMs: number | null;
  /** Time since which every attempt has failed; null if the last attempt succeeded or there was none. */
  readonly failingSinceMs: number | null;
  /** Null while active. */
  readonly disabledReason: DisabledReason | null;
  readonly deletedAtMs: number | null;
  /** True until a ping gets a 2xx response. Until then, only pings are sent and events wait. */
  readonly awaitsAnswer: boolean;
  /** True if the registration was restored with its secret. It can then only be deleted with its secret. */
  readonly secretDeletes: boolean;
}

export type NewRegistration = Pick<
  Registration,
  | 'id'
  | 'kind'
  | 'walletAddress'
  | 'callbackUrl'
  | 'events'
  | 'createdAtMs'
  | 'createdEpoch'
  | 'createdSlot'
  | 'client'
>;

export type RegistrationRow = Selectable<Database['webhooks']>;

export const registrationRowOf = (registration: NewRegistration) => ({
  id: registration.id,
  kind: registration.kind,
  wallet: registration.walletAddress,
  callback_url: registration.callbackUrl,
  events: registration.events.join(','),
  created_at_ms: BigInt(registration.createdAtMs),
  created_epoch: registration.createdEpoch,
  created_slot: registration.createdSlot,
  client: registration.client,
  secret_generation: 0n,
  callback_host: new URL(registration.callbackUrl).hostname,
  awaits_answer: 0n,
  secret_deletes: 0n,
});

const numberOrNull = (value: bigint | null): number | null => (value === null ? null : Number(value));

export const registrationOf = (row: RegistrationRow): Registration => ({
  id: row.id,
  kind: row.kind,
  walletAddress: row.wallet,
  callbackUrl: row.callback_url,
  events: row.events.split(',').filter((name): name is EventType => isEventType(name)),
  createdAtMs: Number(row.created_at_ms),
  createdEpoch: row.created_epoch,
  createdSlot: row.created_slot,
  client: row.client,
  secretGeneration: Number(row.secret_generation),
  rotatedAtMs: numberOrNull(row.rotated_at_ms),
  lastDeliveryAtMs: numberOrNull(row.last_delivery_at_ms),
  failingSinceMs: numberOrNull(row.failing_since_ms),
  disabledReason: row.disabled_reason,
  deletedAtMs: numberOrNull(row.deleted_at_ms),
  awaitsAnswer: row.awaits_answer === 1n,
  secretDeletes: row.secret_deletes === 1n,
});
