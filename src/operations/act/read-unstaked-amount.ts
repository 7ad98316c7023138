// Determines how much SOL a landed transaction deactivated, and when that SOL can be withdrawn.
import type { Address } from '@solana/kit';
import { z } from 'zod';
import type { TimeEstimate } from '../../domain/epoch-clock.ts';
import { solFigure, solNumber } from '../../domain/lamports.ts';
import { estimateWithdrawable } from '../../domain/stake/stake-state-estimate.ts';
import { remainingDeactivations, type TransactionLeg } from '../../domain/transaction/transaction-legs.ts';
import { utcTime } from '../../domain/utc-time.ts';
import { type Sentence, sentence } from '../../kernel/sentence.ts';
import type { Context } from '../context.ts';
import { sol, timestamp } from '../shared-schemas.ts';
import { assessAccountsNow } from './assess-accounts-now.ts';

/** Response fields for the amount that a transaction deactivated. */
export const unstakedMember = {
  unstaked: z
    .object({
      sol: sol('Balance of the deactivated accounts.'),
      withdrawReady: z.boolean().meta({ description: 'All of it can be withdrawn now.' }),
      readySol: sol('Part that can be withdrawn now. Absent if all or none of it can.').optional(),
      estimatedWithdrawableAt: timestamp('Estimate of when all of it can be withdrawn; now if it is ready.'),
    })
    .meta({ id: 'Unstaked' })
    .optional()
    .meta({
      description:
        'For an unstake: the amount and when it can be withdrawn, as of this response, even if the request is repeated with the same idempotency key. Absent if no RPC could be read, if it is withdrawn or staked again, or if a lockup has no known end date.',
    }),
};

/** The outcome of an unstake, as response fields and as a sentence. */
export interface UnstakedOutcome {
  readonly unstaked: NonNullable<z.output<(typeof unstakedMember)['unstaked']>>;
  readonly sentence: Sentence;
}

const shownTime = ({ at }: TimeEstimate) => ({ shown: utcTime(Date.parse(at)), value: at });

/** Builds the sentence about when deactivated stake can be withdrawn. */
export const withdrawableSentence = (lamports: bigint, estimate: TimeEstimate): Sentence => {
  const amountSol = solFigure(lamports);
  return estimate.secondsRemaining === 0
    ? sentence('UNSTAKED_READY', '{amountSol} SOL can be withdrawn now.', { amountSol })
    : sentence('UNSTAKED_LATER', '{amountSol} SOL can be withdrawn from about {at}.', {
        amountSol,
        at: shownTime(estimate),
      });
};

/**
 * Reads the accounts that a transaction with these effects deactivated. Returns null if there are none, if a
 * lockup has no known end, or if the accounts cannot be read. Never rejects, because the transaction has
 * already landed.
 */
export const readUnstaked = async (
  ctx: Context,
  legs: readonly TransactionLeg[],
  slot: bigint | null,
): Promise<UnstakedOutcome | null> => {
  const addresses = [
    ...new Set(remainingDeactivations(legs).map(({ stakeAccount }) => stakeAccount as Address)),
  ];
  if (addresses.length === 0) return null;
  const read = await assessAccountsNow(ctx, addresses, slot);
  if (read === null) return null;
  const nowMs = ctx.clock.now();
  const estimates = read.stakes.flatMap(
    ({ account, assessment }) => estimateWithdrawable(account, assessment, read.position, nowMs) ?? [],
  );
  if (estimates.length < addresses.length) return null;
  const last = estimates.reduce((a, b) => (b.secondsRemaining > a.secondsRemaining ? b : a));
  const sum = (stakes: typeof read.stakes): bigint =>
    stakes.reduce((total, { account }) => total + account.lamports, 0n);
  const lamports = sum(read.stakes);
  const readyLamports = sum(read.stakes.filter(({ assessment }) => assessment.withdrawReady));
  const withdrawReady = last.secondsRemaining === 0;
  const isPart = !withdrawReady && readyLamports > 0n;
  return {
    unstaked: {
      sol: solNumber(lamports),
      withdrawReady,
      ...(isPart && { readySol: solNumber(readyLamports) }),
      estimatedWithdrawableAt: last.at,
    },
    sentence: isPart
      ? sentence(
          'UNSTAKED_PARTLY_READY',
          '{readySol} SOL can be withdrawn now, {laterSol} SOL from about {at}.',
          {
            readySol: solFigure(readyLamports),
            laterSol: solFigure(lamports - readyLamports),
            at: shownTime(last),
          },
        )
      : withdrawableSentence(lamports, last),
  };
};
