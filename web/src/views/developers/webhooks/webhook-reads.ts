// Reads webhooks and their deliveries, and describes their events.
import type { ListDeliveriesAnswer } from '../../../../../client/generated/webhooks-operations.ts';
import { api } from '../../../api/holdfast.ts';
import { refresh, useResource } from '../../../api/use-resource.ts';

const SECOND = 1_000;

/**
 * Reads the wallet's webhooks. Of each callback, only the origin is visible. With `isLively`, refreshed every 3
 * seconds.
 */
export const useWebhooks = (walletAddress: string | null, isLively: boolean) =>
  useResource(
    walletAddress && `webhooks/${walletAddress}`,
    (signal) => api.listWebhooks({ walletAddress: walletAddress! }, { signal }),
    isLively ? 3 * SECOND : 30 * SECOND,
  );

/** True if a delivery is in progress, which is worth an early refresh. */
export const isUnderWay = (response: ListDeliveriesAnswer | undefined): boolean =>
  response?.deliveries.some(({ state }) => state === 'pending') === true;

/** Reads the newest deliveries. With `isLively`, refreshed every 2 seconds. */
export const useDeliveries = (id: string, secret: string, isLively: boolean) =>
  useResource(
    `webhook-deliveries/${id}`,
    (signal) => api.listDeliveries({ id, limit: 20 }, { signal, bearer: secret }),
    isLively ? 2 * SECOND : 15 * SECOND,
  );

/** Refreshes the list. */
export const refreshWebhooks = (): void => refresh('webhooks/');

/** Refreshes the log of one webhook. */
export const refreshDeliveries = (id: string): void => refresh(`webhook-deliveries/${id}`);

/** Events that can be selected, with the ids of their descriptions. */
export const EVENTS = [
  { value: 'stake_activated', label: 'stakeActivated' },
  { value: 'stake_deactivated', label: 'stakeDeactivated' },
  { value: 'withdraw_ready', label: 'withdrawReady' },
  { value: 'epoch_complete', label: 'epochComplete' },
  { value: 'stake_authority_changed', label: 'authorityChanged' },
  { value: 'stake_lockup_changed', label: 'lockupChanged' },
  { value: 'stake_moved_away', label: 'movedAway' },
  { value: 'unexpected_deactivation', label: 'unexpectedDeactivation' },
  { value: 'validator_changed', label: 'validatorChanged' },
  { value: 'wallet_owner_changed', label: 'ownerChanged' },
] as const;

/** An event type. */
export type WebhookEvent = (typeof EVENTS)[number]['value'];
