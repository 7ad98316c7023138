// Deletes a webhook. The wallet's address is enough unless the operator requires the secret. The receiver is
// therefore notified and can restore the webhook.

import { z } from 'zod';
import { AppError } from '../../kernel/app-error.ts';
import { step } from '../../kernel/guidance.ts';
import type { Registration } from '../../store/registration-rows.ts';
import type { Context } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { addressSchema } from '../shared-schemas.ts';
import { deregistrationNoticeOf } from './registration-notices.ts';
import { SEND_SECRET } from './require-webhook-secret.ts';
import { webhookId, webhookSecret } from './webhook-input.ts';

/** `DELETE /api/v1/webhooks/{id}` */
export const deleteWebhook = defineOperation({
  name: 'deleteWebhook',
  summary: 'Delete a webhook',
  description:
    'Deletes a webhook of the wallet named in the query or the body. The receiver gets one last signed notification, registration_deleted. With its secret, the webhook can be restored for 30 days; once restored, it can only be deleted with the secret. If the operator requires it (HOLDFAST_WEBHOOK_DELETE=secret), the secret must also be sent as a bearer token.',
  effect: 'build',
  input: z.object({
    id: webhookId,
    walletAddress: z
      // An empty `?walletAddress=` counts as missing.
      .preprocess(
        (value) => (value === '' ? undefined : value),
        addressSchema('The wallet that the webhook belongs to; required.').optional(),
      )
      .optional(),
    secret: webhookSecret,
  }),
  output: z.object({ deleted: z.literal(true), id: z.string() }),
  errors: ['MISSING_WALLET_ADDRESS', 'NOT_FOUND', 'STORE_UNAVAILABLE'],
  presentation: { NOT_FOUND: { title: 'Webhook not found' } },
  async run({ ctx, input, signal }) {
    if (input.walletAddress === undefined)
      throw new AppError('MISSING_WALLET_ADDRESS', 'walletAddress is required in the query or in the body.', {
        suggestedAction: 'Add walletAddress, the wallet that the webhook belongs to.',
      });
    const registration = await ctx.store.webhooks.find(input.id);
    const nowMs = ctx.clock.now();
    if (registration === null || !mayDelete(ctx, registration, input, nowMs)) throw notFound(ctx);
    // A receiver that never responded is not notified. Otherwise, attackers could register and delete webhooks
    // to send requests to third parties.
    const notice = registration.awaitsAnswer
      ? undefined
      : await deregistrationNoticeOf(ctx, registration, nowMs, signal);
    await ctx.store.webhooks.delete(input.id, nowMs, notice);
    ctx.events.wakeDelivery();
    return {
      body: { deleted: true as const, id: input.id },
      meta: { nextSteps: { restore: step('restoreWebhook', { id: input.id }) } },
    };
  },
});

const mayDelete = (
  ctx: Context,
  registration: Registration,
  { walletAddress, secret }: { readonly walletAddress?: string; readonly secret?: string | undefined },
  nowMs: number,
): boolean =>
  // A policy's callback is deleted together with its policy.
  registration.kind === 'events' &&
  registration.deletedAtMs === null &&
  registration.walletAddress === walletAddress &&
  ((ctx.service.settings.webhookDelete === 'wallet' && !registration.secretDeletes) ||
    ctx.events.webhookSecrets.matches(registration, secret ?? '', nowMs));

const notFound = ({ service: { settings } }: Context): AppError =>
  new AppError(
    'NOT_FOUND',
    settings.webhookDelete === 'wallet'
      ? 'No webhook with this id belongs to this wallet, or its secret is needed and is missing or wrong.'
      : 'No webhook with this id and this secret belongs to this wallet.',
    {
      reason: settings.webhookDelete === 'wallet' ? 'NOT_OF_WALLET' : 'NOT_OF_WALLET_AND_SECRET',
      // A restored registration, which can be deleted only with its secret, gets the same response. The response
      // therefore does not reveal whether a registration exists.
      suggestedAction: SEND_SECRET,
    },
  );
