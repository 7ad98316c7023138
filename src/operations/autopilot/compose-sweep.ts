// Writes an offered stake anew for each attempt: fresh blockhash and balance, the same stake address, nothing after the epoch or the policy ended.

import { solNumber } from '../../domain/lamports.ts';
import { decideSweep } from '../../domain/portfolio/sweep-decision.ts';
import { STAKE_PROGRAM } from '../../domain/transaction/instruction-programs.ts';
import { type SweepData, sweepFacts, sweepIdempotencyKey } from '../../events/autopilot.ts';
import { AppError, isAppError } from '../../kernel/app-error.ts';
import type { ClaimedDelivery } from '../../store/outbox/outbox.ts';
import type { Context } from '../context.ts';
import { createStakeTransaction } from '../stake/create-stake-transaction.ts';
import { skipMeanings } from './policy-answer.ts';

/** The `data` to send, or why this offer is over. */
export type ComposedSweep = { readonly data: string } | { readonly dead: string };

const MADE = 'the stake of this epoch was made';
const SPOILT = "somebody made the address of this epoch's stake unusable";

/** Rejects where the offer may be made later: rewards are paid, the wallet is short now, the chain cannot be asked. */
export const composeSweep = async (
  ctx: Context,
  claimed: Pick<ClaimedDelivery, 'data'>,
  signal: AbortSignal,
): Promise<ComposedSweep> => {
  const sweep = JSON.parse(claimed.data) as SweepData;
  const { walletAddress } = sweep;
  const policy = await ctx.policies.find(walletAddress);
  if (policy === null || policy.deletedAtMs !== null || policy.paused)
    return { dead: 'the policy is paused or deleted' };
  const [position, limits, { accounts }] = await Promise.all([
    ctx.cluster.epochPosition(signal),
    ctx.cluster.limits(signal),
    ctx.reads.accounts([walletAddress, sweep.stakeAccountAddress], { signal }),
  ]);
  if (position.epoch !== BigInt(sweep.epoch)) return { dead: 'the epoch is over' };
  if (accounts[1]?.owner === STAKE_PROGRAM) return { dead: MADE };
  const facts = sweepFacts(accounts[0] ?? null, limits, position, ctx.settings.feeReserveLamports);
  const decision = decideSweep(policy, facts);
  if (decision.kind === 'skip') throw new AppError('INSUFFICIENT_BALANCE', skipMeanings[decision.reason]);
  const idempotencyKey = sweepIdempotencyKey(walletAddress, position.epoch);
  const input = { walletAddress, amountSol: decision.lamports, cosign: 'now', idempotencyKey } as const;
  const built = await createStakeTransaction
    .run({ ctx, input, signal, source: 'rest', client: '' })
    .catch((error: unknown) => {
      if (!isAppError(error, 'STAKE_ADDRESS_OCCUPIED')) throw error;
      // Only an earlier stake has a signature; else strangers have spoilt the address.
      return { dead: error.body.signature === undefined ? SPOILT : MADE };
    });
  if ('dead' in built) return built;
  const { transaction, blockhash, lastValidBlockHeight, estimatedExpiresAt, instructions } = built.body;
  return {
    data: JSON.stringify({
      ...sweep,
      sol: solNumber(decision.lamports),
      ...{ transaction, blockhash, lastValidBlockHeight, estimatedExpiresAt },
      instructions: instructions.map(({ program, name, summary }) => ({ program, name, summary })),
      rebuild: {
        method: 'POST',
        endpoint: `${ctx.publicUrl()}/api/v1/stake/transaction`,
        amountSol: solNumber(decision.lamports),
        idempotencyKey,
      },
      submit: { method: 'POST', endpoint: `${ctx.publicUrl()}/api/v1/transaction/submit` },
    }),
  };
};
