// Methods and calls of the operations under "Webhooks".
// Made by scripts/client-generate.ts from the route tables; never edited by hand.
import type { CallOptions, OperationTable } from '../operation-facts.ts';
import type {
  DeleteWebhookAnswer,
  DeleteWebhookInput,
  ListDeliveriesAnswer,
  ListDeliveriesInput,
  ListWebhooksAnswer,
  ListWebhooksInput,
  PingWebhookAnswer,
  PingWebhookInput,
  RegisterWebhookAnswer,
  RegisterWebhookInput,
  ReplayDeliveriesAnswer,
  ReplayDeliveriesInput,
  RestoreWebhookAnswer,
  RestoreWebhookInput,
  RotateWebhookSecretAnswer,
  RotateWebhookSecretInput,
} from './webhooks-operations.ts';

/** Methods of webhooks operations. */
export interface WebhooksMethods {
  /**
   * Register a webhook: `POST /api/v1/webhooks`
   *
   * Notifies an HTTPS URL about the stakes of a wallet: stake that becomes active, unstaked or
   * withdrawable, ends of epochs, and alerts about changes of control over a stake. Deliveries follow
   * Standard Webhooks 1.0.0: verify webhook-signature with the secret from this answer, which is not shown
   * again, and drop deliveries with a webhook-id that you have seen. A delivery without a 2xx response
   * within 15 s is retried for about three days. Events from before the registration are not sent. A signed
   * ping is sent immediately; events wait until a ping gets a 2xx response. Repeating a request with the
   * same idempotency key within 24 hours returns the same registration. The secret is returned again only
   * within 10 minutes, and only if the key is a random UUID (version 4) or at least 32 random hexadecimal
   * digits. Without a key, every request creates another registration.
   */
  readonly registerWebhook: (
    input: RegisterWebhookInput,
    options?: CallOptions,
  ) => Promise<RegisterWebhookAnswer>;
  /**
   * A wallet's webhooks: `GET /api/v1/webhooks/{walletAddress}`
   *
   * The wallet’s webhooks that were registered from your network, including disabled ones, oldest first, in
   * pages. Only the origin of each callback is shown. With a webhook’s secret as a bearer token, that
   * webhook is listed with its full callback on any network. A page may list fewer than the limit;
   * `nextCursor` is null on the last page. Secrets are never shown.
   */
  readonly listWebhooks: (input: ListWebhooksInput, options?: CallOptions) => Promise<ListWebhooksAnswer>;
  /**
   * Delete a webhook: `DELETE /api/v1/webhooks/{id}`
   *
   * Deletes a webhook of the wallet named in the query or the body. The receiver gets one last signed
   * notification, registration_deleted. With its secret, the webhook can be restored for 30 days; once
   * restored, it can only be deleted with the secret. If the operator requires it
   * (HOLDFAST_WEBHOOK_DELETE=secret), the secret must also be sent as a bearer token.
   */
  readonly deleteWebhook: (input: DeleteWebhookInput, options?: CallOptions) => Promise<DeleteWebhookAnswer>;
  /**
   * A webhook's delivery log: `GET /api/v1/webhooks/{id}/deliveries`
   *
   * Delivered, pending and failed notifications of a webhook, newest first, with every attempt. Available
   * for 30 days after the last attempt. Requires the webhook's secret as a bearer token.
   */
  readonly listDeliveries: (
    input: ListDeliveriesInput,
    options?: CallOptions,
  ) => Promise<ListDeliveriesAnswer>;
  /**
   * Deliver again: `POST /api/v1/webhooks/{id}/replay`
   *
   * Delivers again under the same webhook-id, from the first step of the schedule: one event (`eventId`),
   * or every event that happened from `from` (included) to `to` (excluded) and is in one of `states`.
   * Expired events are skipped. Takes the webhook's secret as bearer token; a disabled webhook must first
   * be re-enabled by a ping.
   */
  readonly replayDeliveries: (
    input: ReplayDeliveriesInput,
    options?: CallOptions,
  ) => Promise<ReplayDeliveriesAnswer>;
  /**
   * Send a test notification: `POST /api/v1/webhooks/{id}/ping`
   *
   * Delivers a signed notification of type ping, retrying for a minute. The result is in the delivery log.
   * A 2xx response to the ping re-enables a disabled webhook. Until a receiver has responded to a ping, one
   * ping follows the whole schedule, and this call makes its next attempt due now. Requires the webhook's
   * secret as a bearer token.
   */
  readonly pingWebhook: (input: PingWebhookInput, options?: CallOptions) => Promise<PingWebhookAnswer>;
  /**
   * Rotate the secret: `POST /api/v1/webhooks/{id}/rotate-secret`
   *
   * Creates a new secret. For 24 hours, every delivery has two signatures and both secrets work for
   * management calls; after that, only the new one is valid. Older secrets become invalid immediately, so
   * rotating twice locks out a leaked secret. Requires the webhook's secret as a bearer token.
   */
  readonly rotateWebhookSecret: (
    input: RotateWebhookSecretInput,
    options?: CallOptions,
  ) => Promise<RotateWebhookSecretAnswer>;
  /**
   * Restore a deleted webhook: `POST /api/v1/webhooks/{id}/restore`
   *
   * Undoes a deletion within 30 days, with the same id and secret. Events from while it was deleted are
   * delivered now, and from then on it can only be deleted with its secret. Restoring a webhook that is not
   * deleted changes nothing. Requires the webhook's secret as a bearer token.
   */
  readonly restoreWebhook: (
    input: RestoreWebhookInput,
    options?: CallOptions,
  ) => Promise<RestoreWebhookAnswer>;
}

/** How each of them is called. */
export const webhooksOperations = {
  registerWebhook: {
    method: 'POST',
    path: '/api/v1/webhooks',
    effect: 'build',
    query: [],
    body: ['walletAddress', 'callbackUrl', 'url', 'events'],
    idempotency: 'made',
  },
  listWebhooks: {
    method: 'GET',
    path: '/api/v1/webhooks/{walletAddress}',
    effect: 'read',
    query: ['limit', 'cursor'],
    body: [],
    bearer: true,
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/api/v1/webhooks/{id}',
    effect: 'build',
    query: ['walletAddress'],
    body: [],
    bearer: true,
  },
  listDeliveries: {
    method: 'GET',
    path: '/api/v1/webhooks/{id}/deliveries',
    effect: 'read',
    query: ['state', 'limit', 'cursor'],
    body: [],
    bearer: true,
  },
  replayDeliveries: {
    method: 'POST',
    path: '/api/v1/webhooks/{id}/replay',
    effect: 'build',
    query: [],
    body: ['eventId', 'from', 'to', 'states'],
    bearer: true,
  },
  pingWebhook: {
    method: 'POST',
    path: '/api/v1/webhooks/{id}/ping',
    effect: 'build',
    query: [],
    body: [],
    bearer: true,
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/api/v1/webhooks/{id}/rotate-secret',
    effect: 'build',
    query: [],
    body: [],
    bearer: true,
  },
  restoreWebhook: {
    method: 'POST',
    path: '/api/v1/webhooks/{id}/restore',
    effect: 'build',
    query: [],
    body: [],
    bearer: true,
  },
} as const satisfies OperationTable;
