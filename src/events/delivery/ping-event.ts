// Builds pings: signed notifications whose only purpose is to test whether the receiver can be reached.
import { randomBytes } from 'node:crypto';
import type { NewEvent } from '../../store/outbox/outbox.ts';
import type { Registration } from '../../store/registration-rows.ts';

/**
 * Creates a ping with a new id. `epoch` is null if no RPC node responds. If `lifeMs` is null, the ping is
 * attempted on the full retry schedule.
 */
export const pingEvent = (
  { id, walletAddress }: Pick<Registration, 'id' | 'walletAddress'>,
  epoch: number | null,
  nowMs: number,
  lifeMs: number | null,
): NewEvent => ({
  id: `evt_${randomBytes(16).toString('hex')}`,
  registrationId: id,
  type: 'ping',
  atMs: nowMs,
  data: JSON.stringify({ walletAddress, epoch, webhookId: id }),
  expiresAtMs: lifeMs === null ? null : nowMs + lifeMs,
});
