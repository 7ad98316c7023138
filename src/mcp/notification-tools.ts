// Tools for notifications: a wallet's webhooks, and the autopilot policy.
import { deleteStakingPolicy } from '../operations/autopilot/delete-staking-policy.ts';
import { getStakingPolicy } from '../operations/autopilot/get-staking-policy.ts';
import { setStakingPolicy } from '../operations/autopilot/set-staking-policy.ts';
import { deleteWebhook } from '../operations/webhooks/delete-webhook.ts';
import { listWebhooks } from '../operations/webhooks/list-webhooks.ts';
import { registerWebhook } from '../operations/webhooks/register-webhook.ts';
import { type McpTool, READS_LOCALLY } from './tool.ts';

export const webhookTools: readonly McpTool[] = [
  {
    name: 'register_webhook',
    title: 'Register a webhook',
    description:
      'Use it when something should happen outside this conversation once a stake activates, deactivates or can be withdrawn, or an epoch ends. From then on, this service calls callbackUrl (HTTPS). Only this response contains the secret used to sign deliveries: give it to the user, and do not repeat it elsewhere. Every call registers another webhook unless you pass an idempotencyKey. Next: list_webhooks; delete_webhook to end it.',
    operation: registerWebhook,
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: true,
    },
  },
  {
    name: 'list_webhooks',
    title: "A wallet's webhooks",
    description:
      'Lists a wallet’s webhooks with their state, showing only each callback’s origin. Use it before delete_webhook to find the webhookId (id in the response). Changes nothing.',
    operation: listWebhooks,
    annotations: READS_LOCALLY,
  },
  {
    name: 'delete_webhook',
    title: 'Delete a webhook',
    description:
      'Deletes a wallet’s webhook. Its receiver gets one last notification. Use it only if the user wants to delete it. With its secret, it can be restored for 30 days over REST. Next: list_webhooks to see what is left.',
    operation: deleteWebhook,
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: true,
    },
    argumentNames: { id: 'webhookId' },
  },
];

export const policyTools: readonly McpTool[] = [
  {
    name: 'set_staking_policy',
    title: 'Set an autopilot policy',
    description:
      'Use it to get stake offers whenever a wallet holds more SOL than it needs. The service never signs; it delivers unsigned transactions to callbackUrl. The wallet must sign the policy text itself, on the user’s side; call it without signature to get the exact text (textToSign). Replaces the wallet’s earlier policy; each change needs a greater nonce. Next: get_staking_policy.',
    operation: setStakingPolicy,
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: true,
    },
  },
  {
    name: 'get_staking_policy',
    title: 'Show an autopilot policy',
    description:
      'Returns a wallet’s autopilot policy, its last offer and the last reason for not making one. Changes nothing. Next: set_staking_policy to change it, delete_staking_policy to end it.',
    operation: getStakingPolicy,
    annotations: READS_LOCALLY,
  },
  {
    name: 'delete_staking_policy',
    title: 'Delete an autopilot policy',
    description:
      'Ends a wallet’s autopilot policy. No more stakes are offered. The wallet must sign the text for it, on the user’s side, with a nonce greater than any before. Use it only if the user wants that.',
    operation: deleteStakingPolicy,
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    },
  },
];
