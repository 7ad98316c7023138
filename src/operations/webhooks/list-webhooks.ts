// Lists a wallet's webhooks to the network that registered them. A caller with a webhook's secret sees that
// webhook from any network.
import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { addressSchema, integer, pageCursor } from '../shared-schemas.ts';
import { formatCursor, parseCursor } from './page-cursor.ts';
import { registrationSchema, showRegistration } from './registration-view.ts';
import { mayReadRegistration } from './require-webhook-secret.ts';
import { webhookSecret } from './webhook-input.ts';

/** Maximum number of webhooks per page. The total is unlimited, because each network may register twenty. */
const MAX_LISTED = 100;

/** `GET /api/v1/webhooks/{walletAddress}` */
export const listWebhooks = defineOperation({
  name: 'listWebhooks',
  summary: "A wallet's webhooks",
  description:
    'The wallet’s webhooks that were registered from your network, including disabled ones, oldest first, in pages. Only the origin of each callback is shown. With a webhook’s secret as a bearer token, that webhook is listed with its full callback on any network. A page may list fewer than the limit; `nextCursor` is null on the last page. Secrets are never shown.',
  effect: 'read',
  input: z.object({
    walletAddress: addressSchema('The wallet.'),
    secret: webhookSecret,
    limit: z
      .number()
      .int()
      .min(1)
      .max(MAX_LISTED)
      .default(MAX_LISTED)
      .meta({ description: 'Webhooks per page.' }),
    cursor: pageCursor,
  }),
  output: z.object({
    walletAddress: z.string(),
    webhooks: z.array(registrationSchema),
    count: integer('Number of webhooks in this response.'),
    nextCursor: z.string().nullable().meta({ description: 'Null on the last page.' }),
  }),
  errors: ['STORE_UNAVAILABLE'],
  async run({ ctx, input: { walletAddress, secret, limit, cursor }, client }) {
    const nowMs = ctx.clock.now();
    const after = parseCursor(cursor);
    const found = await ctx.store.webhooks.ofWallet(walletAddress, { after, limit: limit + 1 });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const registrations = page.filter((registration) =>
      mayReadRegistration(ctx, registration, { client, secret }),
    );
    return {
      body: {
        walletAddress,
        webhooks: registrations.map((registration) =>
          showRegistration(
            registration,
            secret !== undefined && ctx.events.webhookSecrets.matches(registration, secret, nowMs)
              ? 'whole'
              : 'origin',
          ),
        ),
        count: registrations.length,
        nextCursor:
          found.length > limit && last ? formatCursor({ atMs: last.createdAtMs, id: last.id }) : null,
      },
    };
  },
});
