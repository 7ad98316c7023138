// Checks a sign link for the page: whether this service created it, whether it is unaltered and still valid,
// and whether its request was already signed.
import type { Address } from '@solana/kit';
import { z } from 'zod';
import { AppError } from '../../kernel/app-error.ts';
import type { SubmissionState } from '../../store/schema.ts';
import { transactionUrl } from '../act/explorer-links.ts';
import { defineOperation } from '../operation.ts';
import { actSchema, actsView } from '../portfolio/history-entry.ts';
import { timestamp } from '../shared-schemas.ts';
import { knownEffectsOfBytes } from './effects-of-sent-transaction.ts';
import { intentOfKey } from './transaction-by-key.ts';

/** Maximum length of a link. No link of this service is that long. */
const MAX_CHARACTERS = 2_500;

/**
 * Maps the submission of a request to its state. If the transaction changed nothing (refused, failed or
 * expired), the request stays open.
 */
const stateOf = (sent: SubmissionState | undefined): 'open' | 'pending' | 'done' =>
  sent === 'confirmed' ? 'done' : sent === 'signed' ? 'pending' : 'open';

/** `GET /api/v1/sign-link` */
export const readSignLink = defineOperation({
  name: 'readSignLink',
  summary: 'Check a sign link',
  description:
    'Checks that this service created a sign link and that it is unaltered and not expired, and reports whether its request has already been signed. The page calls this before it builds anything.',
  effect: 'read',
  input: z.object({
    request: z
      .string()
      .min(1)
      .max(MAX_CHARACTERS)
      .meta({
        description: 'The `request` parameter of the link.',
        examples: ['WzEsInN0YWtlIl0.c2lnbmF0dXJl'],
      }),
  }),
  output: z.object({
    walletAddress: z.string().meta({ description: 'The wallet of the link; no other wallet can use it.' }),
    idempotencyKey: z.string(),
    expiresAt: timestamp('Time until which the link can be opened.'),
    state: z.enum(['open', 'pending', 'done']).meta({
      description:
        '`open`: not signed yet, or the signed transaction can no longer land. `pending`: submitted, outcome unknown. `done`: landed.',
    }),
    signature: z
      .string()
      .nullable()
      .meta({ description: 'The submitted transaction; null while the request is open.' }),
    explorerUrl: z.string().nullable(),
    submittedAt: timestamp('Time at which it was submitted; null while the request is open.').nullable(),
    acts: z.array(actSchema).meta({
      description:
        'Effects of the submitted transaction, which may differ from the request of the link if the key was used for another one.',
    }),
  }),
  errors: ['SIGN_LINK_INVALID', 'SIGN_LINK_EXPIRED', 'STORE_UNAVAILABLE'],
  async run({ ctx, input }) {
    const link = ctx.service.signLinks?.read(input.request) ?? null;
    if (link === null)
      throw new AppError('SIGN_LINK_INVALID', 'This link was altered, or this service did not create it.', {
        suggestedAction: 'Ask the sender for a new link, and open it unchanged.',
      });
    const found = await intentOfKey(ctx, link.walletAddress as Address, link.idempotencyKey);
    const state = stateOf(found?.submission.state);
    // A transaction signed before the link expired is still reported.
    if (state === 'open' && ctx.clock.now() >= link.expiresAtSeconds * 1000)
      throw new AppError('SIGN_LINK_EXPIRED', 'This link is older than 24 hours.', {
        suggestedAction: 'Ask the sender for a new link.',
      });
    const used = state === 'open' ? null : found;
    const effects = used && (await knownEffectsOfBytes(ctx, used.submission));
    return {
      body: {
        walletAddress: link.walletAddress,
        idempotencyKey: link.idempotencyKey,
        expiresAt: new Date(link.expiresAtSeconds * 1000).toISOString(),
        state,
        signature: used?.submission.signature ?? null,
        explorerUrl: used && transactionUrl(ctx.service.settings, used.submission.signature),
        submittedAt: used && new Date(used.createdAtMs).toISOString(),
        acts: effects === null ? [] : actsView(effects),
      },
    };
  },
});
