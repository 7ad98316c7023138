// Shows a wallet's autopilot policy: what was offered last, and why nothing was.
import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { addressSchema } from '../schemas.ts';
import { policyBody, policySchema } from './policy-answer.ts';
import { noPolicy } from './policy-signature.ts';

/** `GET /api/v1/autopilot/policy/{walletAddress}` */
export const getStakingPolicy = defineOperation({
  name: 'getStakingPolicy',
  summary: 'Show an autopilot policy',
  description:
    'The policy of a wallet with the last stake that was offered, the last reason why nothing was, and whether its callback is delivered to. Of the callback only the origin is shown.',
  effect: 'read',
  input: z.object({ walletAddress: addressSchema('The wallet.') }),
  output: policySchema,
  errors: ['NOT_FOUND', 'STORE_UNAVAILABLE'],
  presentation: { NOT_FOUND: { title: 'Policy not found' } },
  async run({ ctx, input }) {
    const record = await ctx.policies.find(input.walletAddress);
    if (record === null || record.deletedAtMs !== null) throw noPolicy(record?.nonce ?? null);
    const registration = await ctx.webhooks.find(record.registrationId);
    if (registration === null) throw new Error('a policy lives whose registration is not there');
    return { body: policyBody(record, registration) };
  },
});
