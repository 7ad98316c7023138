// Deletes a wallet's autopilot policy. The wallet signs the request. Its nonce is kept after the deletion.
import { z } from 'zod';
import { policyDeletionText } from '../../domain/autopilot/policy-text.ts';
import { defineOperation } from '../operation.ts';
import { addressSchema, integer } from '../shared-schemas.ts';
import {
  noPolicy,
  policyScope,
  requirePolicySignature,
  signedMembers,
  staleNonce,
} from './policy-signature.ts';

/** `DELETE /api/v1/autopilot/policy/{walletAddress}` */
export const deleteStakingPolicy = defineOperation({
  name: 'deleteStakingPolicy',
  summary: 'Delete an autopilot policy',
  description:
    'Ends the policy. No more stakes are offered, and pending offers are not resent. The wallet signs exactly these lines, joined by newlines: "<prefix>-delete:v1", "cluster=<genesis hash>", "service=<origin of this service>", "vote=<vote account>", "wallet=", "nonce=". The wallet’s nonce counter is kept.',
  effect: 'build',
  input: z.object({ walletAddress: addressSchema('The wallet that signs.'), ...signedMembers }),
  output: z.object({
    deleted: z.boolean(),
    walletAddress: z.string(),
    nonce: integer('The wallet’s latest nonce; the next must be greater.'),
  }),
  errors: ['INVALID_SIGNATURE', 'STALE_NONCE', 'NOT_FOUND', 'STORE_UNAVAILABLE'],
  failureTitle: 'Policy not deleted',
  presentation: { NOT_FOUND: { title: 'Policy not found' } },
  async run({ ctx, input }) {
    const { walletAddress, nonce, signature } = input;
    const text = policyDeletionText(policyScope(ctx), walletAddress, nonce);
    requirePolicySignature(walletAddress, text, signature);
    const gone = await ctx.store.policies.delete(walletAddress, nonce, ctx.clock.now());
    if (gone.outcome === 'stale') throw staleNonce(gone.nonce);
    if (gone.outcome === 'none') throw noPolicy(null);
    return { body: { deleted: true, walletAddress, nonce } };
  },
});
