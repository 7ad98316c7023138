// Plans with the current accounts and signs the plan's only transaction with the wallet's key, for one-shot
// operations.
import type { Submission } from '../../chain/ports.ts';
import type { WalletKey } from '../../chain/transactions/signer.ts';
import type { Notice } from '../../domain/notice.ts';
import { programsOf } from '../../domain/transaction/kind-properties.ts';
import { priorityNotices } from '../act/choose-priority-fee.ts';
import { signBuilt } from '../act/sign-built-transaction.ts';
import { translateChainError } from '../act/translate-chain-error.ts';
import type { Context } from '../context.ts';
import type { PlanRequest } from './plan-request.ts';
import { onlyTransaction } from './plan-view.ts';
import { type PreparedPlan, preparePlan } from './prepare-plan.ts';

/** A signed plan, with the submission of its only transaction. */
export interface SignedPlan {
  readonly prepared: PreparedPlan;
  readonly submission: Submission;
  readonly notices: readonly Notice[];
  /** The program of each instruction. */
  readonly programs: readonly string[];
}

/**
 * Plans and signs. Throws the errors of `preparePlan`, and `AppError('PLAN_NEEDS_SEVERAL')` if one
 * transaction is not enough.
 */
export const signPlanned = async (
  ctx: Context,
  request: Omit<PlanRequest, 'use'>,
  walletKey: WalletKey,
): Promise<SignedPlan> => {
  const asked = { ...request, use: 'one-shot' } as const;
  const prepared = await preparePlan(ctx, asked, ctx.service.lifetime);
  const { built, signatures } = onlyTransaction(prepared, asked);
  const created = [...signatures].map(([address, signature]) => ({ address, sign: () => signature }));
  return {
    prepared,
    notices: [...prepared.notices, ...priorityNotices(prepared.facts.price, built.priorityFee)],
    submission: signBuilt(built, prepared.facts.blockhash, [walletKey, ...created]),
    programs: built.instructions.map(({ programId }) => programId),
  };
};

/** Explains the chain's refusal of a one-shot transaction, whether planned or built with a fixed layout. */
export const oneShotRefusal = (
  error: unknown,
  planned: Pick<SignedPlan, 'programs'> | null | undefined,
  kind: 'unstake' | 'withdraw',
) =>
  translateChainError(error, {
    ...(planned ? { programs: planned.programs, isPlanned: true } : { programs: programsOf(kind) }),
    isOneShot: true,
  });
