// Lists a wallet's webhooks; anybody may ask, so each callback is shown by its origin only.
import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { addressSchema, integer } from '../schemas.ts';
import { formatCursor, parseCursor } from './page-cursor.ts';
import { registrationSchema, showRegistration } from './registration-view.ts';
import { pageCursor, webhookSecret } from './webhook-input.ts';

/** A wallet may have any number of them: each network may register twenty. */
const MOST_LISTED = 100;

/** `GET /api/v1/webhooks/{walletAddress}` */
export const listWebhooks = defineOperation({
  name: 'listWebhooks',
  summary: "A wallet's webhooks",
  description:
    "The webhooks of the wallet, oldest first, disabled ones included, a page at a time. Of each callback only the origin is shown; with the secret of one of them as bearer token that one's callback is shown whole. Secrets are never shown.",
  effect: 'read',
  input: z.object({
    walletAddress: addressSchema('The wallet.'),
    secret: webhookSecret,
    limit: z
      .number()
      .int()
      .min(1)
      .max(MOST_LISTED)
      .default(MOST_LISTED)
      .meta({ description: 'Webhooks of one page.' }),
    cursor: pageCursor,
  }),
  output: z.object({
    walletAddress: z.string(),
    webhooks: z.array(registrationSchema),
    count: integer('How many this answer lists.'),
    nextCursor: z.string().nullable().meta({ description: 'Null on the last page.' }),
  }),
  errors: ['STORE_UNAVAILABLE'],
  async run({ ctx, input: { walletAddress, secret, limit, cursor } }) {
    const nowMs = ctx.clock.now();
    const after = parseCursor(cursor);
    const found = await ctx.webhooks.ofWallet(walletAddress, { after, limit: limit + 1 });
    const registrations = found.slice(0, limit);
    const last = registrations.at(-1);
    return {
      body: {
        walletAddress,
        webhooks: registrations.map((registration) =>
          showRegistration(
            registration,
            secret !== undefined && ctx.webhookSecrets.matches(registration, secret, nowMs)
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
