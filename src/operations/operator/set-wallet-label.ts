// Sets or removes the operator's label for a wallet.
import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { addressSchema } from '../shared-schemas.ts';

/** Maximum length of a label. */
const MAX_CHARACTERS = 60;

const label = z
  .string()
  .trim()
  .min(1)
  .max(MAX_CHARACTERS)
  .regex(/^[^\p{Cc}\p{Bidi_Control}]*$/u, 'must not contain control characters');

/** `POST /api/v1/operator/labels` */
export const setWalletLabel = defineOperation({
  name: 'setWalletLabel',
  summary: 'Label a wallet',
  description:
    'Stores a name for a wallet. Only the operator sees it: in the delegator list, its CSV and the console. null removes the name.',
  effect: 'build',
  input: z.object({
    walletAddress: addressSchema('The wallet.'),
    label: label.nullable().meta({
      description: `At most ${MAX_CHARACTERS} characters of plain text; null removes the label.`,
    }),
  }),
  output: z.object({ walletAddress: z.string(), label: z.string().nullable() }),
  errors: ['STORE_UNAVAILABLE'],
  async run({ ctx, input: { walletAddress, label } }) {
    await ctx.store.delegators.setLabel(walletAddress, label);
    return { body: { walletAddress, label } };
  },
});
