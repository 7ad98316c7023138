// A delivery and its addressee as a claim reads them, on either engine: plain values in one order.
import type { DeliveryType } from '../../domain/notification-types.ts';
import type { ClaimedDelivery } from './outbox.ts';

/** A due delivery with its event, in the order of `CLAIMED_COLUMNS`. */
export type ClaimedRow = readonly [
  key: number,
  id: string,
  registration: string,
  type: DeliveryType,
  atMs: number,
  data: string,
  expiresAtMs: number | null,
  attempts: number,
  attemptsEver: number,
];

/** What an attempt needs of its registration, in the order of `ADDRESSEE_COLUMNS`. */
export type AddresseeRow = readonly [
  id: string,
  callbackUrl: string,
  secretGeneration: number,
  rotatedAtMs: number | null,
  wallet: string,
  failingSinceMs: number | null,
  disabledReason: string | null,
  deletedAtMs: number | null,
];

/** Of `deliveries` as d and `events` as e. */
export const CLAIMED_COLUMNS =
  'd.event, e.id, d.registration, e.type, e.at_ms, e.data, e.expires_at_ms, d.attempts, d.attempts_ever';

/** Of `webhooks` as w. */
export const ADDRESSEE_COLUMNS =
  'w.id, w.callback_url, w.secret_generation, w.rotated_at_ms, w.wallet, w.failing_since_ms, w.disabled_reason, w.deleted_at_ms';

/** By name, of a delivery's columns and its addressee's behind them. */
export const claimedOf = (row: readonly [...ClaimedRow, ...AddresseeRow]): ClaimedDelivery => ({
  key: row[0],
  id: row[1],
  registrationId: row[2],
  type: row[3],
  atMs: row[4],
  data: row[5],
  expiresAtMs: row[6],
  attempts: row[7],
  attemptsEver: row[8],
  callbackUrl: row[10],
  secretGeneration: row[11],
  rotatedAtMs: row[12],
  walletAddress: row[13],
  failingSinceMs: row[14],
  disabled: row[15] !== null,
  deleted: row[16] !== null,
});

/** A deleted registration is sent its deregistration notice, a disabled one a ping; what expired is sent to nobody. */
export const mayBeAttempted = (
  { type, expiresAtMs, disabled, deleted }: ClaimedDelivery,
  nowMs: number,
): boolean => {
  if (expiresAtMs !== null && expiresAtMs <= nowMs) return false;
  if (deleted || type === 'registration_deleted')
    return deleted && type === 'registration_deleted' && !disabled;
  return !disabled || type === 'ping';
};
