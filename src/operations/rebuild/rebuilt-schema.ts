// Schema of the response about a rebuilt transaction: the fields of the builder that first built it.
import type { z } from 'zod';
import { unsignedMembers, unsignedTransactionSchema } from '../act/unsigned-response.ts';
import type { OperationResult } from '../operation.ts';
import { optionalPlan } from '../plan/plan-view.ts';

/** Fields of the response, except the difference. */
export const rebuiltSchema = unsignedTransactionSchema.extend({
  stakeAccountAddress: unsignedMembers.stakeAccountAddress.optional(),
  delegatedSol: unsignedMembers.delegatedSol.optional(),
  rewardsEstimate: unsignedMembers.rewardsEstimate.optional(),
  epochTiming: unsignedMembers.epochTiming.optional(),
  plan: optionalPlan,
});

/** The response, except the difference. */
export type Rebuilt = OperationResult<z.input<typeof rebuiltSchema>>;
