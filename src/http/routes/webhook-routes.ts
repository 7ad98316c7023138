// Webhook routes: register, list and delete by wallet, and routes that require the registration's secret.
import { deleteWebhook } from '../../operations/webhooks/delete-webhook.ts';
import { listDeliveries } from '../../operations/webhooks/list-deliveries.ts';
import { listWebhooks } from '../../operations/webhooks/list-webhooks.ts';
import { pingWebhook } from '../../operations/webhooks/ping-webhook.ts';
import { registerWebhook } from '../../operations/webhooks/register-webhook.ts';
import { replayDeliveries } from '../../operations/webhooks/replay-deliveries.ts';
import { restoreWebhook } from '../../operations/webhooks/restore-webhook.ts';
import { rotateWebhookSecret } from '../../operations/webhooks/rotate-webhook-secret.ts';
import type { Route } from '../pipeline/route.ts';

const REGISTER = '/api/v1/webhooks';
const LIST = `${REGISTER}/{walletAddress}`;
const ONE = `${REGISTER}/{id}`;
const DELIVERIES = `${ONE}/deliveries`;

const shared = { browsers: 'own-page', tag: 'Webhooks', bearer: 'secret' } as const;

/**
 * Not available to pages from other origins, because a registration determines where a wallet's events are
 * sent.
 */
export const webhookRoutes: readonly Route[] = [
  {
    operation: registerWebhook,
    method: 'POST',
    path: REGISTER,
    browsers: 'own-page',
    tag: 'Webhooks',
    related: { list: 'listWebhooks', deliveries: 'listDeliveries' },
  },
  {
    ...shared,
    operation: listWebhooks,
    method: 'GET',
    path: LIST,
    // An OpenAPI document cannot distinguish two paths that differ only in parameter names.
    documentedPath: ONE,
    related: { register: 'registerWebhook', delete: 'deleteWebhook' },
  },
  {
    ...shared,
    operation: deleteWebhook,
    method: 'DELETE',
    path: ONE,
    related: { list: 'listWebhooks', restore: 'restoreWebhook' },
  },
  {
    ...shared,
    operation: listDeliveries,
    method: 'GET',
    path: DELIVERIES,
    related: { replay: 'replayDeliveries', ping: 'pingWebhook' },
  },
  {
    ...shared,
    operation: replayDeliveries,
    method: 'POST',
    path: `${ONE}/replay`,
    related: { deliveries: 'listDeliveries', ping: 'pingWebhook' },
  },
  {
    ...shared,
    operation: pingWebhook,
    method: 'POST',
    path: `${ONE}/ping`,
    related: { deliveries: 'listDeliveries', replay: 'replayDeliveries' },
  },
  {
    ...shared,
    operation: rotateWebhookSecret,
    method: 'POST',
    path: `${ONE}/rotate-secret`,
    related: { ping: 'pingWebhook', deliveries: 'listDeliveries' },
  },
  {
    ...shared,
    operation: restoreWebhook,
    method: 'POST',
    path: `${ONE}/restore`,
    related: { delete: 'deleteWebhook', list: 'listWebhooks' },
  },
];
