// Shows a wallet's autopilot policy. The owner also sees the last offer, or the reason why none was made.
import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { addressSchema } from '../shared-schemas.ts';
import { mayReadRegistration } from '../webhooks/require-webhook-secret.ts';
import { webhookSecret } from '../webhooks/webhook-input.ts';
import { policyBody, publicPolicyBody, shownPolicySchema } from './policy-response.ts';
import { noPolicy } from './policy-signature.ts';

/** `GET /api/v1/autopilot/policy/{walletAddress}` */
export const getStakingPolicy = defineOperation({
  name: 'getStakingPolicy',
  summary: 'Show an autopilot policy',
  description:
    "Reports whether a wallet has a policy, and the nonce that the next one must exceed. With the policy's secret as a bearer token, or from the network that set it, also returns its amounts, the last stake offered, the last reason for no offer, and the state of its callback. Only the origin of the callback is shown.",
  effect: 'read',
  input: z.object({ walletAddress: addressSchema('The wallet.'), secret: webhookSecret }),
  output: shownPolicySchema,
  errors: ['NOT_FOUND', 'STORE_UNAVAILABLE'],
  presentation: { NOT_FOUND: { title: 'Policy not found' } },
  async run({ ctx, input: { walletAddress, secret }, client }) {
    const record = await ctx.store.policies.find(walletAddress);
    if (record === null || record.deletedAtMs !== null) throw noPolicy(record?.nonce ?? null);
    const registration = await ctx.store.webhooks.find(record.registrationId);
    if (registration === null) throw new Error('the registration of an existing policy is missing');
    const isOwner = mayReadRegistration(ctx, registration, { client, secret });
    return { body: isOwner ? policyBody(record, registration) : publicPolicyBody(record) };
  },
});
