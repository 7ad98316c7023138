// Names of webhook notifications: stake events and notices about the registration.

/** Events that a registration can name, in the order of the API. */
export const eventTypes = [
  'withdraw_ready',
  'epoch_complete',
  'stake_activated',
  'stake_deactivated',
  'stake_authority_changed',
  'stake_lockup_changed',
  'stake_moved_away',
  'unexpected_deactivation',
  'wallet_owner_changed',
  'validator_changed',
] as const;

export type EventType = (typeof eventTypes)[number];

/**
 * All notifications of a registration: events, the test `ping`, the notice that the registration was deleted,
 * the autopilot's offer, and the notice that an offer failed.
 */
export type NotificationType =
  | EventType
  | 'ping'
  | 'registration_deleted'
  | 'autopilot_sweep'
  | 'autopilot_failed';

/** All deliveries in the outbox: notifications, and alerts that only the operator receives. */
export type DeliveryType = NotificationType | 'operator_alert';

/** Returns true for an event that a registration can name. */
export const isEventType = (text: string): text is EventType =>
  (eventTypes as readonly string[]).includes(text);

/**
 * Reason why a registration was disabled. `failing`: its receiver accepted nothing for 5 days. `gone`: its
 * receiver responded with 410.
 */
export type DisabledReason = 'failing' | 'gone';
